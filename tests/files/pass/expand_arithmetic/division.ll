; test: pass expand_arithmetic
; Wide division: a routine for each width of whole words, shifts for powers of two. Narrow ones stay.
define i128 @unsigned(i128 %a, i128 %b) {
  %q = udiv i128 %a, %b
  %r = urem i128 %a, %b
  %s = add i128 %q, %r
  ret i128 %s
}

define i100 @signed(i100 %a, i100 %b) {
  %q = sdiv i100 %a, %b
  %r = srem i100 %a, %b
  %s = add i100 %q, %r
  ret i100 %s
}

define i128 @powers(i128 %a) {
  %q = udiv i128 %a, 1024
  %r = urem i128 %a, 36893488147419103232
  %s = add i128 %q, %r
  ret i128 %s
}

define i64 @narrow(i64 %a, i64 %b) {
  %q = udiv i64 %a, %b
  ret i64 %q
}

define { i128, i1 } @overflow(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %a, i128 %b)
  ret { i128, i1 } %p
}

declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)

; expect ll:
; define i128 @unsigned(i128 %a, i128 %b) {
;   %1 = call { i128, i128 } @__warpc_udivrem_i128(i128 %a, i128 %b)
;   %2 = extractvalue { i128, i128 } %1, 0
;   %3 = extractvalue { i128, i128 } %1, 1
;   %s = add i128 %2, %3
;   ret i128 %s
; }
;
; define i100 @signed(i100 %a, i100 %b) {
;   %1 = sext i100 %a to i128
;   %2 = sext i100 %b to i128
;   %3 = ashr i128 %1, 127
;   %4 = ashr i128 %2, 127
;   %5 = xor i128 %1, %3
;   %6 = sub i128 %5, %3
;   %7 = xor i128 %2, %4
;   %8 = sub i128 %7, %4
;   %9 = call { i128, i128 } @__warpc_udivrem_i128(i128 %6, i128 %8)
;   %10 = extractvalue { i128, i128 } %9, 0
;   %11 = xor i128 %3, %4
;   %12 = xor i128 %10, %11
;   %13 = sub i128 %12, %11
;   %14 = trunc i128 %13 to i100
;   %15 = extractvalue { i128, i128 } %9, 1
;   %16 = xor i128 %15, %3
;   %17 = sub i128 %16, %3
;   %18 = trunc i128 %17 to i100
;   %s = add i100 %14, %18
;   ret i100 %s
; }
;
; define i128 @powers(i128 %a) {
;   %1 = lshr i128 %a, 10
;   %2 = and i128 %a, 36893488147419103231
;   %s = add i128 %1, %2
;   ret i128 %s
; }
;
; define i64 @narrow(i64 %a, i64 %b) {
;   %q = udiv i64 %a, %b
;   ret i64 %q
; }
;
; define { i128, i1 } @overflow(i128 %a, i128 %b) {
;   %1 = zext i128 %a to i256
;   %2 = zext i128 %b to i256
;   %3 = mul i256 %1, %2
;   %4 = trunc i256 %3 to i128
;   %5 = zext i128 %4 to i256
;   %6 = icmp ne i256 %5, %3
;   %7 = insertvalue { i128, i1 } poison, i128 %4, 0
;   %8 = insertvalue { i128, i1 } %7, i1 %6, 1
;   ret { i128, i1 } %8
; }
;
; define internal { i128, i128 } @__warpc_udivrem_i128(i128 %a, i128 %b) {
; entry:
;   %high.a = lshr i128 %a, 64
;   %high.b = lshr i128 %b, 64
;   %high = or i128 %high.a, %high.b
;   %is.short = icmp eq i128 %high, 0
;   br i1 %is.short, label %short, label %compare
;
; short:                                            ; preds = %entry
;   %a.short = trunc i128 %a to i64
;   %b.short = trunc i128 %b to i64
;   %q.short = udiv i64 %a.short, %b.short
;   %r.short = urem i64 %a.short, %b.short
;   %q.wide = zext i64 %q.short to i128
;   %r.wide = zext i64 %r.short to i128
;   br label %end
;
; compare:                                          ; preds = %entry
;   %is.less = icmp ult i128 %a, %b
;   br i1 %is.less, label %end, label %align
;
; align:                                            ; preds = %compare
;   %zeros.a = call i128 @llvm.ctlz.i128(i128 %a, i1 false)
;   %zeros.b = call i128 @llvm.ctlz.i128(i128 %b, i1 false)
;   %distance = sub i128 %zeros.b, %zeros.a
;   %first = shl i128 %b, %distance
;   %count = trunc i128 %distance to i32
;   br label %loop
;
; loop:                                             ; preds = %loop, %align
;   %left = phi i32 [ %count, %align ], [ %left.next, %loop ]
;   %d = phi i128 [ %first, %align ], [ %d.next, %loop ]
;   %r = phi i128 [ %a, %align ], [ %r.next, %loop ]
;   %q = phi i128 [ 0, %align ], [ %q.next, %loop ]
;   %fits = icmp uge i128 %r, %d
;   %difference = sub i128 %r, %d
;   %r.next = select i1 %fits, i128 %difference, i128 %r
;   %q.double = shl i128 %q, 1
;   %bit = zext i1 %fits to i128
;   %q.next = or i128 %q.double, %bit
;   %d.next = lshr i128 %d, 1
;   %left.next = sub i32 %left, 1
;   %more = icmp ne i32 %left, 0
;   br i1 %more, label %loop, label %end
;
; end:                                              ; preds = %loop, %compare, %short
;   %q.end = phi i128 [ %q.wide, %short ], [ 0, %compare ], [ %q.next, %loop ]
;   %r.end = phi i128 [ %r.wide, %short ], [ %a, %compare ], [ %r.next, %loop ]
;   %half = insertvalue { i128, i128 } poison, i128 %q.end, 0
;   %both = insertvalue { i128, i128 } %half, i128 %r.end, 1
;   ret { i128, i128 } %both
; }
;
; declare i128 @llvm.ctlz.i128(i128, i1)
