; test: compile --arch sm_75
; check: .global .align 16 .u64 held[2] = {table+4, table+12};
; run: --grid 1 --block 1 --arg u32[4]=0 --expect 0:=10,30,10,30
; A constant expression may be of many addresses at once.
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) global [4 x i32] [i32 0, i32 10, i32 20, i32 30]
@held = addrspace(1) global <2 x ptr addrspace(1)> getelementptr ([4 x i32], ptr addrspace(1) @table, <2 x i64> zeroinitializer, <2 x i64> <i64 1, i64 3>)

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %a = load <2 x ptr addrspace(1)>, ptr addrspace(1) @held
  %p0 = extractelement <2 x ptr addrspace(1)> %a, i32 0
  %p1 = extractelement <2 x ptr addrspace(1)> %a, i32 1
  %v0 = load i32, ptr addrspace(1) %p0
  %v1 = load i32, ptr addrspace(1) %p1
  %out1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  %out2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  %out3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 %v0, ptr addrspace(1) %out
  store i32 %v1, ptr addrspace(1) %out1
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q0 = extractelement <2 x ptr addrspace(1)> getelementptr ([4 x i32], <2 x ptr addrspace(1)> splat (ptr addrspace(1) @table), <2 x i64> zeroinitializer, <2 x i64> <i64 1, i64 3>), i32 %t
  %one = add i32 %t, 1
  %q1 = extractelement <2 x ptr addrspace(1)> getelementptr ([4 x i32], <2 x ptr addrspace(1)> splat (ptr addrspace(1) @table), <2 x i64> zeroinitializer, <2 x i64> <i64 1, i64 3>), i32 %one
  %w0 = load i32, ptr addrspace(1) %q0
  %w1 = load i32, ptr addrspace(1) %q1
  store i32 %w0, ptr addrspace(1) %out2
  store i32 %w1, ptr addrspace(1) %out3
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
