; test: pass expand_arithmetic
define float @exact(float %x, float %y) {
  %r = frem float %x, %y
  ret float %r
}

define <2 x half> @narrow(<2 x half> %x, <2 x half> %y) {
  %r = frem <2 x half> %x, %y
  ret <2 x half> %r
}

define double @fast(double %x, double %y) {
  %r = frem afn double %x, %y
  %s = frem fast double %r, %y
  ret double %s
}

; expect ll:
; define float @exact(float %x, float %y) {
;   %1 = call float @__warpc_frem_float(float %x, float %y)
;   ret float %1
; }
;
; define <2 x half> @narrow(<2 x half> %x, <2 x half> %y) {
;   %1 = extractelement <2 x half> %x, i64 0
;   %2 = extractelement <2 x half> %y, i64 0
;   %3 = fpext half %1 to float
;   %4 = fpext half %2 to float
;   %5 = call float @__warpc_frem_float(float %3, float %4)
;   %6 = fptrunc float %5 to half
;   %7 = extractelement <2 x half> %x, i64 1
;   %8 = extractelement <2 x half> %y, i64 1
;   %9 = fpext half %7 to float
;   %10 = fpext half %8 to float
;   %11 = call float @__warpc_frem_float(float %9, float %10)
;   %12 = fptrunc float %11 to half
;   %13 = insertelement <2 x half> poison, half %6, i64 0
;   %14 = insertelement <2 x half> %13, half %12, i64 1
;   ret <2 x half> %14
; }
;
; define double @fast(double %x, double %y) {
;   %1 = fdiv afn double %x, %y
;   %2 = call double @llvm.trunc.f64(double %1)
;   %3 = fneg double %2
;   %4 = call double @llvm.fma.f64(double %3, double %y, double %x)
;   %5 = call double @llvm.fabs.f64(double %y)
;   %6 = fcmp oeq double %5, 0x7FF0000000000000
;   %7 = select i1 %6, double %x, double %4
;   %8 = fdiv afn double %7, %y
;   %9 = call double @llvm.trunc.f64(double %8)
;   %10 = fneg double %9
;   %11 = call double @llvm.fma.f64(double %10, double %y, double %7)
;   ret double %11
; }
;
; declare double @llvm.trunc.f64(double)
;
; declare double @llvm.fma.f64(double, double, double)
;
; declare double @llvm.fabs.f64(double)
;
; define internal float @__warpc_frem_float(float %x, float %y) {
; entry:
;   %ax = call float @llvm.fabs.f32(float %x)
;   %ay = call float @llvm.fabs.f32(float %y)
;   %is.finite = fcmp olt float %ax, 0x7FF0000000000000
;   %is.divisor = fcmp ogt float %ay, 0.000000e+00
;   %is.defined = and i1 %is.finite, %is.divisor
;   br i1 %is.defined, label %compare, label %nan
;
; nan:                                              ; preds = %entry
;   ret float 0x7FF8000000000000
;
; compare:                                          ; preds = %entry
;   %is.less = fcmp olt float %ax, %ay
;   br i1 %is.less, label %unchanged, label %divide
;
; unchanged:                                        ; preds = %compare
;   ret float %x
;
; divide:                                           ; preds = %compare
;   %q = call float @llvm.nvvm.div.rn.f(float %ax, float %ay)
;   %is.near = fcmp olt float %q, 0x4160000000000000
;   br i1 %is.near, label %near, label %far
;
; near:                                             ; preds = %divide
;   %whole = call float @llvm.trunc.f32(float %q)
;   %minus = fneg float %whole
;   %r.low = call float @llvm.fma.f32(float %minus, float %ay, float %ax)
;   %is.below = fcmp olt float %r.low, 0.000000e+00
;   %r.up = fadd float %r.low, %ay
;   %r.near = select i1 %is.below, float %r.up, float %r.low
;   %near.signed = call float @llvm.copysign.f32(float %r.near, float %x)
;   ret float %near.signed
;
; far:                                              ; preds = %divide
;   %bits.x = bitcast float %ax to i32
;   %bits.y = bitcast float %ay to i32
;   %exp.x = lshr i32 %bits.x, 23
;   %exp.y.field = lshr i32 %bits.y, 23
;   %fraction.x = and i32 %bits.x, 8388607
;   %fraction.y = and i32 %bits.y, 8388607
;   %m.x = or i32 %fraction.x, 8388608
;   %is.normal = icmp ne i32 %exp.y.field, 0
;   %implied = select i1 %is.normal, i32 8388608, i32 0
;   %m.y = or i32 %fraction.y, %implied
;   %exp.y = select i1 %is.normal, i32 %exp.y.field, i32 1
;   %distance = sub i32 %exp.x, %exp.y
;   %m.wide = zext i32 %m.x to i64
;   %d.wide = zext i32 %m.y to i64
;   br label %loop
;
; loop:                                             ; preds = %loop, %far
;   %left = phi i32 [ %distance, %far ], [ %left.next, %loop ]
;   %m = phi i64 [ %m.wide, %far ], [ %m.next, %loop ]
;   %step = call i32 @llvm.umin.i32(i32 %left, i32 40)
;   %step.wide = zext i32 %step to i64
;   %shifted = shl i64 %m, %step.wide
;   %m.next = urem i64 %shifted, %d.wide
;   %left.next = sub i32 %left, %step
;   %more = icmp ne i32 %left.next, 0
;   br i1 %more, label %loop, label %join
;
; join:                                             ; preds = %loop
;   %m.end = trunc i64 %m.next to i32
;   %zeros = call i32 @llvm.ctlz.i32(i32 %m.end, i1 false)
;   %room = sub i32 %zeros, 8
;   %most = sub i32 %exp.y, 1
;   %up = call i32 @llvm.umin.i32(i32 %room, i32 %most)
;   %m.normal = shl i32 %m.end, %up
;   %exp.end = sub i32 %most, %up
;   %field = shl i32 %exp.end, 23
;   %bits.sum = add i32 %field, %m.normal
;   %is.zero = icmp eq i32 %m.end, 0
;   %bits.end = select i1 %is.zero, i32 0, i32 %bits.sum
;   %r.far = bitcast i32 %bits.end to float
;   %far.signed = call float @llvm.copysign.f32(float %r.far, float %x)
;   ret float %far.signed
; }
;
; declare float @llvm.fabs.f32(float)
;
; declare float @llvm.nvvm.div.rn.f(float, float)
;
; declare float @llvm.trunc.f32(float)
;
; declare float @llvm.fma.f32(float, float, float)
;
; declare float @llvm.copysign.f32(float, float)
;
; declare i32 @llvm.umin.i32(i32, i32)
;
; declare i32 @llvm.ctlz.i32(i32, i1)
