; test: compile --arch sm_75
; check: add.rz.f32 *;
; check: fma.rp.f64 *;
; check: div.rm.f32 *;
; check: sqrt.rn.f32 *;
; check: cvt.rp.f32.f64 *;
; check: cvt.rz.f32.s32 *;
; check: setp.geu.f32 *;
; check: cvt.rmi.f32.f32 *;
; check: cvt.rz.f16.f32 *;
; Rounding is a modifier of the instruction.
target triple = "nvptx64-nvidia-cuda"

define void @k(ptr %p, float %a, float %b, double %c, i32 %i) strictfp {
  %sum = call float @llvm.experimental.constrained.fadd.f32(float %a, float %b, metadata !"round.towardzero", metadata !"fpexcept.ignore") strictfp
  store volatile float %sum, ptr %p
  %fused = call double @llvm.experimental.constrained.fma.f64(double %c, double %c, double %c, metadata !"round.upward", metadata !"fpexcept.strict") strictfp
  store volatile double %fused, ptr %p
  %quotient = call float @llvm.experimental.constrained.fdiv.f32(float %a, float %b, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  store volatile float %quotient, ptr %p
  %root = call float @llvm.experimental.constrained.sqrt.f32(float %a, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  store volatile float %root, ptr %p
  %short = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %c, metadata !"round.upward", metadata !"fpexcept.strict") strictfp
  store volatile float %short, ptr %p
  %number = call float @llvm.experimental.constrained.sitofp.f32.i32(i32 %i, metadata !"round.towardzero", metadata !"fpexcept.strict") strictfp
  store volatile float %number, ptr %p
  %less = call i1 @llvm.experimental.constrained.fcmp.f32(float %a, float %b, metadata !"uge", metadata !"fpexcept.strict") strictfp
  %chosen = select i1 %less, float %a, float %b
  store volatile float %chosen, ptr %p
  %near = call float @llvm.experimental.constrained.rint.f32(float %a, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  store volatile float %near, ptr %p
  %cut = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.towardzero")
  store volatile half %cut, ptr %p
  ret void
}

declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
declare double @llvm.experimental.constrained.fma.f64(double, double, double, metadata, metadata)
declare float @llvm.experimental.constrained.fdiv.f32(float, float, metadata, metadata)
declare float @llvm.experimental.constrained.sqrt.f32(float, metadata, metadata)
declare float @llvm.experimental.constrained.fptrunc.f32.f64(double, metadata, metadata)
declare float @llvm.experimental.constrained.sitofp.f32.i32(i32, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmp.f32(float, float, metadata, metadata)
declare float @llvm.experimental.constrained.rint.f32(float, metadata, metadata)
declare half @llvm.fptrunc.round.f16.f32(float, metadata)
