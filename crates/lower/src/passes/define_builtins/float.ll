; Floating-point operations whose intrinsics have other names or types than the builtins.

define float @__nvvm_fabs_ftz_f(float %x) {
  %result = call float @llvm.nvvm.fabs.ftz.f32(float %x)
  ret float %result
}

define float @__nvvm_fabs_f(float %x) {
  %result = call float @llvm.nvvm.fabs.f32(float %x)
  ret float %result
}

define double @__nvvm_fabs_d(double %x) {
  %result = call double @llvm.nvvm.fabs.f64(double %x)
  ret double %result
}

define float @__nvvm_ex2_approx_ftz_f(float %x) {
  %result = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
  ret float %result
}

define float @__nvvm_ex2_approx_f(float %x) {
  %result = call float @llvm.nvvm.ex2.approx.f32(float %x)
  ret float %result
}

define float @__nvvm_h2f(i16 %bits) {
  %half = bitcast i16 %bits to half
  %result = fpext half %half to float
  ret float %result
}

define float @__ceilf(float %x) {
  %result = call float @llvm.nvvm.ceil.f(float %x)
  ret float %result
}

define float @__floorf(float %x) {
  %result = call float @llvm.nvvm.floor.f(float %x)
  ret float %result
}

define float @__roundf(float %x) {
  %result = call float @llvm.nvvm.round.f(float %x)
  ret float %result
}

define float @__truncf(float %x) {
  %result = call float @llvm.nvvm.trunc.f(float %x)
  ret float %result
}

declare float @llvm.nvvm.fabs.ftz.f32(float)
declare float @llvm.nvvm.fabs.f32(float)
declare double @llvm.nvvm.fabs.f64(double)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare float @llvm.nvvm.ex2.approx.f32(float)
declare float @llvm.nvvm.ceil.f(float)
declare float @llvm.nvvm.floor.f(float)
declare float @llvm.nvvm.round.f(float)
declare float @llvm.nvvm.trunc.f(float)
