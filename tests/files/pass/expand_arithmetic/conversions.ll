; test: pass expand_arithmetic
; Wide integers from and to floating-point numbers.
define float @from_signed(i128 %a) {
  %f = sitofp i128 %a to float
  ret float %f
}

define <2 x half> @from_unsigned(<2 x i65> %a) {
  %f = uitofp <2 x i65> %a to <2 x half>
  ret <2 x half> %f
}

define i128 @to_signed(double %a) {
  %i = fptosi double %a to i128
  ret i128 %i
}

define i128 @to_unsigned(bfloat %a) {
  %i = fptoui bfloat %a to i128
  ret i128 %i
}

define i128 @saturating(float %a) {
  %i = call i128 @llvm.fptosi.sat.i128.f32(float %a)
  %j = call i128 @llvm.fptoui.sat.i128.f32(float %a)
  %k = xor i128 %i, %j
  ret i128 %k
}

declare i128 @llvm.fptosi.sat.i128.f32(float)
declare i128 @llvm.fptoui.sat.i128.f32(float)

; expect ll:
; define float @from_signed(i128 %a) {
;   %1 = ashr i128 %a, 127
;   %2 = icmp slt i128 %a, 0
;   %3 = xor i128 %a, %1
;   %4 = sub i128 %3, %1
;   %5 = call float @__warpc_uitofp_i128_float(i128 %4)
;   %6 = fneg float %5
;   %7 = select i1 %2, float %6, float %5
;   ret float %7
; }
;
; define <2 x half> @from_unsigned(<2 x i65> %a) {
;   %1 = extractelement <2 x i65> %a, i64 0
;   %2 = zext i65 %1 to i128
;   %3 = call float @__warpc_uitofp_i128_cut(i128 %2)
;   %4 = fptrunc float %3 to half
;   %5 = extractelement <2 x i65> %a, i64 1
;   %6 = zext i65 %5 to i128
;   %7 = call float @__warpc_uitofp_i128_cut(i128 %6)
;   %8 = fptrunc float %7 to half
;   %9 = insertelement <2 x half> poison, half %4, i64 0
;   %10 = insertelement <2 x half> %9, half %8, i64 1
;   ret <2 x half> %10
; }
;
; define i128 @to_signed(double %a) {
;   %1 = call i128 @__warpc_fptoui_double_i128(double %a)
;   %2 = fcmp olt double %a, 0.000000e+00
;   %3 = sub i128 0, %1
;   %4 = select i1 %2, i128 %3, i128 %1
;   ret i128 %4
; }
;
; define i128 @to_unsigned(bfloat %a) {
;   %1 = fpext bfloat %a to float
;   %2 = call i128 @__warpc_fptoui_float_i128(float %1)
;   ret i128 %2
; }
;
; define i128 @saturating(float %a) {
;   %1 = call i128 @__warpc_fptoui_float_i128(float %a)
;   %2 = fcmp olt float %a, 0.000000e+00
;   %3 = sub i128 0, %1
;   %4 = select i1 %2, i128 %3, i128 %1
;   %5 = lshr i128 -1, 1
;   %6 = xor i128 %5, -1
;   %7 = fcmp oge float %a, 0x47E0000000000000
;   %8 = select i1 %7, i128 %5, i128 %4
;   %9 = fcmp ole float %a, 0xC7E0000000000000
;   %10 = select i1 %9, i128 %6, i128 %8
;   %11 = fcmp ord float %a, %a
;   %12 = select i1 %11, i128 %10, i128 0
;   %13 = call i128 @__warpc_fptoui_float_i128(float %a)
;   %14 = fcmp oge float %a, 0x7FF0000000000000
;   %15 = select i1 %14, i128 -1, i128 %13
;   %16 = fcmp ole float %a, 0.000000e+00
;   %17 = select i1 %16, i128 0, i128 %15
;   %18 = fcmp ord float %a, %a
;   %19 = select i1 %18, i128 %17, i128 0
;   %k = xor i128 %12, %19
;   ret i128 %k
; }
;
; define internal i128 @__warpc_fptoui_double_i128(double %x) {
;   %bits = bitcast double %x to i64
;   %field = lshr i64 %bits, 52
;   %exponent = and i64 %field, 2047
;   %fraction = and i64 %bits, 4503599627370495
;   %m = or i64 %fraction, 4503599627370496
;   %is.large = icmp uge i64 %exponent, 1075
;   %up = sub i64 %exponent, 1075
;   %up.least = call i64 @llvm.umin.i64(i64 %up, i64 127)
;   %up.wide = zext i64 %up.least to i128
;   %m.wide = zext i64 %m to i128
;   %large = shl i128 %m.wide, %up.wide
;   %down = sub i64 1075, %exponent
;   %down.least = call i64 @llvm.umin.i64(i64 %down, i64 63)
;   %small = lshr i64 %m, %down.least
;   %small.wide = zext i64 %small to i128
;   %whole = select i1 %is.large, i128 %large, i128 %small.wide
;   ret i128 %whole
; }
;
; declare i64 @llvm.umin.i64(i64, i64)
;
; define internal i128 @__warpc_fptoui_float_i128(float %x) {
;   %bits = bitcast float %x to i32
;   %field = lshr i32 %bits, 23
;   %exponent = and i32 %field, 255
;   %fraction = and i32 %bits, 8388607
;   %m = or i32 %fraction, 8388608
;   %is.large = icmp uge i32 %exponent, 150
;   %up = sub i32 %exponent, 150
;   %up.least = call i32 @llvm.umin.i32(i32 %up, i32 127)
;   %up.wide = zext i32 %up.least to i128
;   %m.wide = zext i32 %m to i128
;   %large = shl i128 %m.wide, %up.wide
;   %down = sub i32 150, %exponent
;   %down.least = call i32 @llvm.umin.i32(i32 %down, i32 31)
;   %small = lshr i32 %m, %down.least
;   %small.wide = zext i32 %small to i128
;   %whole = select i1 %is.large, i128 %large, i128 %small.wide
;   ret i128 %whole
; }
;
; declare i32 @llvm.umin.i32(i32, i32)
;
; define internal float @__warpc_uitofp_i128_cut(i128 %x) {
; entry:
;   %is.zero = icmp eq i128 %x, 0
;   br i1 %is.zero, label %zero, label %convert
;
; zero:                                             ; preds = %entry
;   ret float 0.000000e+00
;
; convert:                                          ; preds = %entry
;   %zeros = call i128 @llvm.ctlz.i128(i128 %x, i1 false)
;   %normal = shl i128 %x, %zeros
;   %high = lshr i128 %normal, 112
;   %kept = trunc i128 %high to i64
;   %low = shl i128 %normal, 16
;   %is.inexact = icmp ne i128 %low, 0
;   %sticky = zext i1 %is.inexact to i64
;   %rounded = or i64 %kept, %sticky
;   %f = uitofp i64 %rounded to float
;   %zeros.short = trunc i128 %zeros to i32
;   %exponent = sub i32 112, %zeros.short
;   %first = ashr i32 %exponent, 1
;   %second = sub i32 %exponent, %first
;   %first.biased = add i32 %first, 127
;   %second.biased = add i32 %second, 127
;   %first.bits = shl i32 %first.biased, 23
;   %second.bits = shl i32 %second.biased, 23
;   %first.factor = bitcast i32 %first.bits to float
;   %second.factor = bitcast i32 %second.bits to float
;   %half = fmul float %f, %first.factor
;   %whole = fmul float %half, %second.factor
;   ret float %whole
; }
;
; declare i128 @llvm.ctlz.i128(i128, i1)
;
; define internal float @__warpc_uitofp_i128_float(i128 %x) {
; entry:
;   %is.zero = icmp eq i128 %x, 0
;   br i1 %is.zero, label %zero, label %convert
;
; zero:                                             ; preds = %entry
;   ret float 0.000000e+00
;
; convert:                                          ; preds = %entry
;   %zeros = call i128 @llvm.ctlz.i128(i128 %x, i1 false)
;   %normal = shl i128 %x, %zeros
;   %high = lshr i128 %normal, 64
;   %kept = trunc i128 %high to i64
;   %low = shl i128 %normal, 64
;   %is.inexact = icmp ne i128 %low, 0
;   %sticky = zext i1 %is.inexact to i64
;   %rounded = or i64 %kept, %sticky
;   %f = uitofp i64 %rounded to float
;   %zeros.short = trunc i128 %zeros to i32
;   %exponent = sub i32 64, %zeros.short
;   %first = ashr i32 %exponent, 1
;   %second = sub i32 %exponent, %first
;   %first.biased = add i32 %first, 127
;   %second.biased = add i32 %second, 127
;   %first.bits = shl i32 %first.biased, 23
;   %second.bits = shl i32 %second.biased, 23
;   %first.factor = bitcast i32 %first.bits to float
;   %second.factor = bitcast i32 %second.bits to float
;   %half = fmul float %f, %first.factor
;   %whole = fmul float %half, %second.factor
;   ret float %whole
; }
