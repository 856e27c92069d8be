; test: compile --arch sm_75
; What the chip approximates needs `afn`; the rest needs a library.
target triple = "nvptx64-nvidia-cuda"

define void @k(ptr %p, float %a, double %c) {
  %fast = call afn float @llvm.sin.f32(float %a)
  store volatile float %fast, ptr %p
  %sine = call float @llvm.sin.f32(float %a) ; error: needs a library
  store volatile float %sine, ptr %p
  %double = call afn double @llvm.sin.f64(double %c) ; error: needs a library
  store volatile double %double, ptr %p
  %tangent = call afn float @llvm.tan.f32(float %a) ; error: needs a library
  store volatile float %tangent, ptr %p
  call void @llvm.set.rounding(i32 0) ; error: no rounding mode to set
  ret void
}

declare float @llvm.sin.f32(float)
declare float @llvm.tan.f32(float)
declare double @llvm.sin.f64(double)
declare void @llvm.set.rounding(i32)
