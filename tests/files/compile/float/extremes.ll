; test: compile --arch sm_75
; check: min.f32 *;
; check: min.f32 *;
; check: setp.nan.f32 *;
; check-not: .NaN
; test: compile --arch sm_80
; check: min.f32 *;
; check: min.NaN.f32 *;
; check-not: setp.nan
; run: --grid 1 --block 4 --arg f32[4]=1,nan,-0,5 --arg f32[4]=2,3,0,nan --arg f32[4]=9 --expect 2:=1,3,-0,5 --arg f32[4]=9 --expect 3:=1,nan,-0,nan
; A number beats a NaN, or the other way round; minus zero is less than zero.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.minnum.f32(float, float)
declare float @llvm.minimum.f32(float, float)

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %numbers, ptr addrspace(1) %nans) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %i
  %pb = getelementptr float, ptr addrspace(1) %b, i32 %i
  %x = load float, ptr addrspace(1) %pa
  %y = load float, ptr addrspace(1) %pb
  %number = call float @llvm.minnum.f32(float %x, float %y)
  %p1 = getelementptr float, ptr addrspace(1) %numbers, i32 %i
  store float %number, ptr addrspace(1) %p1
  %nan = call float @llvm.minimum.f32(float %x, float %y)
  %p2 = getelementptr float, ptr addrspace(1) %nans, i32 %i
  store float %nan, ptr addrspace(1) %p2
  ret void
}
