; test: compile --arch sm_75
; check: div.rn.f32 *;
; check: div.full.f32 *;
; check: div.approx.f32 *;
; check: rcp.rn.f32 *;
; check: rcp.approx.f32 *;
; check: rsqrt.approx.f32 *;
; check: mul.rn.f32 *, *, 0f3E000000;
; check: div.rn.f32 *, *, 0f40400000;
; check: mul.rn.f32 *, *, 0f3EAAAAAB;
; check: div.rn.f64 *;
; check: rcp.rn.f64 *;
; check: sqrt.rn.f64 *;
; Quotients are rounded to the nearest, unless the IR allows an error. Dividing by a power of two is
; multiplying.
target triple = "nvptx64-nvidia-cuda"

define void @k(ptr %p, float %a, float %b, double %c) {
  %rounded = fdiv float %a, %b
  store volatile float %rounded, ptr %p
  %full = fdiv float %a, %b, !fpmath !0
  store volatile float %full, ptr %p
  %fast = fdiv afn float %a, %b
  store volatile float %fast, ptr %p
  %one = fdiv float 1.0, %b
  store volatile float %one, ptr %p
  %fast_one = fdiv afn float 1.0, %b
  store volatile float %fast_one, ptr %p
  %root = call afn float @llvm.sqrt.f32(float %a)
  %fast_root = fdiv afn float 1.0, %root
  store volatile float %fast_root, ptr %p
  %eighth = fdiv float %a, 8.0
  store volatile float %eighth, ptr %p
  %third = fdiv float %a, 3.0
  store volatile float %third, ptr %p
  %arcp = fdiv arcp float %a, 3.0
  store volatile float %arcp, ptr %p
  %double = fdiv fast double %c, 3.5
  %again = fdiv double %double, %c
  store volatile double %again, ptr %p
  %inverse = fdiv afn double 1.0, %c
  %square = call afn double @llvm.sqrt.f64(double %inverse)
  store volatile double %square, ptr %p
  ret void
}

declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)

!0 = !{float 2.5}
