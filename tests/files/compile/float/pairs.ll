; test: compile --arch sm_75
; check: fma.rn.f16x2 *;
; check: setp.lt.f16x2 *|*, *, *;
; check: fma.rn.f32 *;
; check: fma.rn.f32 *;
; check: cvt.rn.f16.f32 *;
; test: compile --arch sm_80
; check: fma.rn.f16x2 *;
; check: cvt.rn.f16x2.f32 *;
; test: compile --arch sm_100
; check: fma.rn.f32x2 *;
; check: fma.rn.f32x2 *;
; run: --grid 1 --block 1 --arg f16[4]=1,2,3,4 --arg f32[4]=1,2,3,4 --arg f16[4]=0 --expect 0:=2,6,12,20 --expect 1:=2,6,12,20 --expect 2:=2,6,12,20
; Two numbers of 16 bits in one register, and two of `float` where a chip adds them at once.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %h, ptr addrspace(1) %f, ptr addrspace(1) %t) {
  %half = load <4 x half>, ptr addrspace(1) %h
  %product = fmul contract <4 x half> %half, %half
  %sum = fadd contract <4 x half> %product, %half
  %less = fcmp olt <4 x half> %half, %sum
  %chosen = select <4 x i1> %less, <4 x half> %sum, <4 x half> %half
  store <4 x half> %chosen, ptr addrspace(1) %h
  %float = load <4 x float>, ptr addrspace(1) %f
  %float_product = fmul contract <4 x float> %float, %float
  %float_sum = fadd contract <4 x float> %float_product, %float
  store <4 x float> %float_sum, ptr addrspace(1) %f
  %short = fptrunc <4 x float> %float_sum to <4 x half>
  store <4 x half> %short, ptr addrspace(1) %t
  ret void
}
