; test: pass expand_vector_intrinsics
; Trees where order does not matter.
define i32 @integers(<4 x i32> %v, <3 x i32> %w) {
  %a = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %b = call i32 @llvm.vector.reduce.umax.v3i32(<3 x i32> %w)
  %c = xor i32 %a, %b
  ret i32 %c
}

define float @ordered(float %s, <3 x float> %v) {
  %a = call float @llvm.vector.reduce.fadd.v3f32(float %s, <3 x float> %v)
  ret float %a
}

define float @any_order(float %s, <3 x float> %v) {
  %a = call reassoc nsz float @llvm.vector.reduce.fadd.v3f32(float %s, <3 x float> %v)
  %b = call nnan float @llvm.vector.reduce.fmaximum.v3f32(<3 x float> %v)
  %c = fadd float %a, %b
  ret float %c
}

define <2 x i32> @partial(<2 x i32> %s, <4 x i32> %v) {
  %a = call <2 x i32> @llvm.vector.partial.reduce.add.v2i32.v4i32(<2 x i32> %s, <4 x i32> %v)
  ret <2 x i32> %a
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umax.v3i32(<3 x i32>)
declare float @llvm.vector.reduce.fadd.v3f32(float, <3 x float>)
declare float @llvm.vector.reduce.fmaximum.v3f32(<3 x float>)
declare <2 x i32> @llvm.vector.partial.reduce.add.v2i32.v4i32(<2 x i32>, <4 x i32>)

; expect ll:
; define i32 @integers(<4 x i32> %v, <3 x i32> %w) {
;   %1 = extractelement <4 x i32> %v, i64 0
;   %2 = extractelement <4 x i32> %v, i64 1
;   %3 = extractelement <4 x i32> %v, i64 2
;   %4 = extractelement <4 x i32> %v, i64 3
;   %5 = add i32 %1, %2
;   %6 = add i32 %3, %4
;   %7 = add i32 %5, %6
;   %8 = extractelement <3 x i32> %w, i64 0
;   %9 = extractelement <3 x i32> %w, i64 1
;   %10 = extractelement <3 x i32> %w, i64 2
;   %11 = call i32 @llvm.umax.i32(i32 %8, i32 %9)
;   %12 = call i32 @llvm.umax.i32(i32 %11, i32 %10)
;   %c = xor i32 %7, %12
;   ret i32 %c
; }
;
; define float @ordered(float %s, <3 x float> %v) {
;   %1 = extractelement <3 x float> %v, i64 0
;   %2 = extractelement <3 x float> %v, i64 1
;   %3 = extractelement <3 x float> %v, i64 2
;   %4 = fadd float %s, %1
;   %5 = fadd float %4, %2
;   %6 = fadd float %5, %3
;   ret float %6
; }
;
; define float @any_order(float %s, <3 x float> %v) {
;   %1 = extractelement <3 x float> %v, i64 0
;   %2 = extractelement <3 x float> %v, i64 1
;   %3 = extractelement <3 x float> %v, i64 2
;   %4 = fadd reassoc nsz float %1, %2
;   %5 = fadd reassoc nsz float %4, %3
;   %6 = fadd reassoc nsz float %s, %5
;   %7 = extractelement <3 x float> %v, i64 0
;   %8 = extractelement <3 x float> %v, i64 1
;   %9 = extractelement <3 x float> %v, i64 2
;   %10 = call nnan float @llvm.maximum.f32(float %7, float %8)
;   %11 = call nnan float @llvm.maximum.f32(float %10, float %9)
;   %c = fadd float %6, %11
;   ret float %c
; }
;
; define <2 x i32> @partial(<2 x i32> %s, <4 x i32> %v) {
;   %1 = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> <i32 0, i32 1>
;   %2 = add <2 x i32> %s, %1
;   %3 = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> <i32 2, i32 3>
;   %4 = add <2 x i32> %2, %3
;   ret <2 x i32> %4
; }
;
; declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
;
; declare i32 @llvm.vector.reduce.umax.v3i32(<3 x i32>)
;
; declare float @llvm.vector.reduce.fadd.v3f32(float, <3 x float>)
;
; declare float @llvm.vector.reduce.fmaximum.v3f32(<3 x float>)
;
; declare <2 x i32> @llvm.vector.partial.reduce.add.v2i32.v4i32(<2 x i32>, <4 x i32>)
;
; declare i32 @llvm.umax.i32(i32, i32)
;
; declare float @llvm.maximum.f32(float, float)
