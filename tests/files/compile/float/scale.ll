; test: compile --arch sm_75
; check: mul.rn.f32 *;
; check: cvt.rzi.f32.f32 *;
; test: compile --arch sm_90
; check: mul.rn.f32 *;
; run: --grid 1 --block 6 --arg f32[6]=1,-3.5,1.5,inf,1e-45,-0 --arg s32[6]=-149,4,-149,3,149,5 \
;   --arg f32[6]=9 --expect 2:=1e-45,-56,3e-45,inf,1,-0 \
;   --arg f32[6]=9 --expect 3:=0.5,-0.875,0.75,inf,0.5,-0 --arg s32[6]=9 --expect 4:=1,2,1,0,-148,0 \
;   --arg f32[6]=9 --expect 5:=0,-0.5,0.5,0,1e-45,-0 --arg f32[6]=9 --expect 6:=1,-3,1,inf,0,-0
; ldexp, frexp, modf.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.ldexp.f32.i32(float, i32)
declare { float, i32 } @llvm.frexp.f32.i32(float)
declare { float, float } @llvm.modf.f32(float)

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %n, ptr addrspace(1) %o1, ptr addrspace(1) %o2, ptr addrspace(1) %o3, ptr addrspace(1) %o4, ptr addrspace(1) %o5) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %i
  %pn = getelementptr i32, ptr addrspace(1) %n, i32 %i
  %x = load float, ptr addrspace(1) %pa
  %e = load i32, ptr addrspace(1) %pn
  %scaled = call float @llvm.ldexp.f32.i32(float %x, i32 %e)
  %p1 = getelementptr float, ptr addrspace(1) %o1, i32 %i
  store float %scaled, ptr addrspace(1) %p1
  %both = call { float, i32 } @llvm.frexp.f32.i32(float %x)
  %fraction = extractvalue { float, i32 } %both, 0
  %exponent = extractvalue { float, i32 } %both, 1
  %p2 = getelementptr float, ptr addrspace(1) %o2, i32 %i
  store float %fraction, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %o3, i32 %i
  store i32 %exponent, ptr addrspace(1) %p3
  %parts = call { float, float } @llvm.modf.f32(float %x)
  %rest = extractvalue { float, float } %parts, 0
  %whole = extractvalue { float, float } %parts, 1
  %p4 = getelementptr float, ptr addrspace(1) %o4, i32 %i
  store float %rest, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %o5, i32 %i
  store float %whole, ptr addrspace(1) %p5
  ret void
}
