; test: pass expand_arithmetic
define float @constants(float %x) {
  %a = call float @llvm.powi.f32.i32(float %x, i32 5)
  %b = call float @llvm.powi.f32.i32(float %a, i32 -2)
  %c = call float @llvm.powi.f32.i32(float %b, i32 0)
  %d = fadd float %b, %c
  ret float %d
}

define half @run_time(half %x, i16 %n) {
  %a = call half @llvm.powi.f16.i16(half %x, i16 %n)
  ret half %a
}

declare float @llvm.powi.f32.i32(float, i32)
declare half @llvm.powi.f16.i16(half, i16)

; expect ll:
; define float @constants(float %x) {
;   %1 = fmul float %x, %x
;   %2 = fmul float %1, %1
;   %3 = fmul float %x, %2
;   %4 = fmul float %3, %3
;   %5 = fdiv float 1.000000e+00, %4
;   %d = fadd float %5, 1.000000e+00
;   ret float %d
; }
;
; define half @run_time(half %x, i16 %n) {
;   %1 = fpext half %x to float
;   %2 = sext i16 %n to i32
;   %3 = call float @__warpc_powi_float_i32(float %1, i32 %2)
;   %4 = fptrunc float %3 to half
;   ret half %4
; }
;
; define internal float @__warpc_powi_float_i32(float %x, i32 %n) {
; entry:
;   %is.negative = icmp slt i32 %n, 0
;   %minus = sub i32 0, %n
;   %power = select i1 %is.negative, i32 %minus, i32 %n
;   br label %loop
;
; loop:                                             ; preds = %loop, %entry
;   %square = phi float [ %x, %entry ], [ %square.next, %loop ]
;   %product = phi float [ 1.000000e+00, %entry ], [ %product.next, %loop ]
;   %left = phi i32 [ %power, %entry ], [ %left.next, %loop ]
;   %bit = trunc i32 %left to i1
;   %times = fmul float %product, %square
;   %product.next = select i1 %bit, float %times, float %product
;   %square.next = fmul float %square, %square
;   %left.next = lshr i32 %left, 1
;   %more = icmp ne i32 %left.next, 0
;   br i1 %more, label %loop, label %end
;
; end:                                              ; preds = %loop
;   %inverse = fdiv float 1.000000e+00, %product.next
;   %result = select i1 %is.negative, float %inverse, float %product.next
;   ret float %result
; }
