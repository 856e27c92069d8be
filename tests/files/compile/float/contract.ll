; test: compile --arch sm_75
; check: fma.rn.f32 *;
; check: mul.rn.f32 *;
; check: add.rn.f32 *;
; check: mul.rn.f32 *;
; check: add.f32 *;
; check: fma.rn.f64 *, *, *, 0dC008000000000000;
; check: neg.f64 *;
; check: fma.rn.f64 *;
; test: compile --arch sm_75 --fmad off
; check: mul.rn.f32 *;
; check: add.rn.f32 *;
; check: mul.rn.f64 *;
; check-not: fma
; run: --grid 1 --block 1 --arg f32[1]=0 --arg f32[1]=0 --arg f32[1]=0 --arg f64[2]=0 --arg f32=3 --arg f32=5 --arg f64=7 --expect 0:=20 --expect 1:=20 --expect 2:=20 --expect 3:=46,-42
; A product and a sum become one operation only if both are marked, and if that is allowed at all. What is
; not marked says `.rn`, so that ptxas does not fuse it either.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %both, ptr addrspace(1) %none, ptr addrspace(1) %sum, ptr addrspace(1) %double, float %a, float %b, double %c) {
  %p1 = fmul contract float %a, %b
  %s1 = fadd contract float %p1, %b
  store float %s1, ptr addrspace(1) %both
  %p2 = fmul float %a, %b
  %s2 = fadd float %p2, %b
  store float %s2, ptr addrspace(1) %none
  %p3 = fmul float %b, %a
  %s3 = fadd contract float %p3, %b
  store float %s3, ptr addrspace(1) %sum
  %p4 = fmul contract double %c, %c
  %s4 = fsub contract double %p4, 3.0
  %p5 = fmul contract double %c, %c
  %s5 = fsub contract double %c, %p5
  store double %s4, ptr addrspace(1) %double
  %next = getelementptr double, ptr addrspace(1) %double, i64 1
  store double %s5, ptr addrspace(1) %next
  ret void
}
