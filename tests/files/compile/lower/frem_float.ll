; test: compile --arch sm_75
; run: --grid 1 --block 10 --arg u32[10]=2139095039,2139095039,8388608,1123477881,3270961529,1065353216,1266679807,2147483648,1593835521,1092616192 --arg u32[10]=1,1078530011,3,1036831949,1036831949,2139095040,1065353217,1065353216,1065353215,3225419776 --arg u32[10]=0 --expect 2:u32[10]=0,1071493368,2,1030053804,3177537452,1065353216,884998144,2147483648,1002438656,1065353216
; Remainders are exact, however large the quotient is.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %t
  %x = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %b, i32 %t
  %y = load float, ptr addrspace(1) %pb
  %r = frem float %x, %y
  %po = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %r, ptr addrspace(1) %po
  ret void
}
