; test: compile --arch sm_90 --emit ptx
; The address of a shared variable depends on the block's place in its cluster: it is worked out once, before
; the loop, not at each use.
; run: --grid 1 --block 8 --arg u32[8]=0 --arg u32=3 --expect 0:u32[8]=9,9,9,9,9,9,9,9
target triple = "nvptx64-nvidia-cuda"
@sums = internal addrspace(3) global [8 x i32] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr [8 x i32], ptr addrspace(3) @sums, i32 0, i32 %t
  store i32 0, ptr addrspace(3) %mine
  br label %loop
; check: mov.b64 %rd1, sums;
; check: add.s64 %rd5, %rd1, %rd4;
; check: add.s64 %rd7, %rd1, %rd6;
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %at = getelementptr [8 x i32], ptr addrspace(3) @sums, i32 0, i32 %t
  %old = atomicrmw add ptr addrspace(3) %at, i32 3 syncscope("block") monotonic
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  %sum = load i32, ptr addrspace(3) %mine
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %to
  ret void
}
