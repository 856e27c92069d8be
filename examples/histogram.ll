; A histogram of bytes: 256 bins in shared memory, added to the result at the end. This is what a compiler
; would hand to warpc; compare `examples/histogram.ptx`.
;
; data:   the bytes, `count` of them
; result: 256 counters

; run: --grid 16 --block 256 --arg u8[1000000]=random --arg u32[256]=0 --arg u32=1000000 --print 1:64

target triple = "nvptx64-nvidia-cuda"

@bins = internal addrspace(3) global [256 x i32] undef, align 4

define ptx_kernel void @histogram(ptr addrspace(1) noalias readonly %data, ptr addrspace(1) %result, i32 %count) "nvvm.maxntid"="256" {
entry:
  ; Every thread clears one bin.
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bin = getelementptr [256 x i32], ptr addrspace(3) @bins, i32 0, i32 %thread
  store i32 0, ptr addrspace(3) %bin
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %before = mul i32 %block, %threads
  %first = add i32 %before, %thread
  %step = mul i32 %blocks, %threads
  %some = icmp ult i32 %first, %count
  br i1 %some, label %loop, label %done

loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %at = zext i32 %i to i64
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %at
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i32
  %counter = getelementptr [256 x i32], ptr addrspace(3) @bins, i32 0, i32 %index
  %old = atomicrmw add ptr addrspace(3) %counter, i32 1 syncscope("block") monotonic
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %done

done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %sum = load i32, ptr addrspace(3) %bin
  %total = getelementptr i32, ptr addrspace(1) %result, i32 %thread
  %ignored = atomicrmw add ptr addrspace(1) %total, i32 %sum syncscope("device") monotonic
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
