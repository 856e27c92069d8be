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

; The remainder of a product by a constant of 64 bits: products with its reciprocal.
define i128 @word(i128 %a) {
  %r = urem i128 %a, 18446744073709551557
  ret i128 %r
}

define i100 @small(i100 %a) {
  %q = sdiv i100 %a, -1000000007
  ret i100 %q
}

define i128 @power_with_sign(i128 %a) {
  %q = sdiv i128 %a, 1024
  ret i128 %q
}

; Two words: the routine. More words: one bit after the other.
define i128 @long(i128 %a) {
  %q = udiv i128 %a, 100000000000000000000
  ret i128 %q
}

define i192 @longer(i192 %a, i192 %b) {
  %q = udiv i192 %a, %b
  ret i192 %q
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
;   %11 = extractvalue { i128, i128 } %9, 1
;   %12 = xor i128 %3, %4
;   %13 = xor i128 %10, %12
;   %14 = sub i128 %13, %12
;   %15 = trunc i128 %14 to i100
;   %16 = xor i128 %11, %3
;   %17 = sub i128 %16, %3
;   %18 = trunc i128 %17 to i100
;   %s = add i100 %15, %18
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
; define i128 @word(i128 %a) {
;   %1 = lshr i128 %a, 64
;   %2 = trunc i128 %1 to i64
;   %3 = trunc i128 %a to i64
;   %4 = icmp uge i64 %2, -59
;   %5 = sub i64 %2, -59
;   %6 = select i1 %4, i64 %5, i64 %2
;   %7 = zext i1 %4 to i64
;   %8 = zext i64 %6 to i128
;   %9 = shl i128 %8, 64
;   %10 = zext i64 %3 to i128
;   %11 = or i128 %9, %10
;   %12 = zext i64 %6 to i128
;   %13 = mul i128 59, %12
;   %14 = add i128 %13, %11
;   %15 = lshr i128 %14, 64
;   %16 = trunc i128 %15 to i64
;   %17 = trunc i128 %14 to i64
;   %18 = add i64 %16, 1
;   %19 = mul i64 %18, -59
;   %20 = sub i64 %3, %19
;   %21 = icmp ugt i64 %20, %17
;   %22 = add i64 %20, -59
;   %23 = select i1 %21, i64 %16, i64 %18
;   %24 = select i1 %21, i64 %22, i64 %20
;   %25 = icmp uge i64 %24, -59
;   %26 = zext i1 %25 to i64
;   %27 = add i64 %23, %26
;   %28 = sub i64 %24, -59
;   %29 = select i1 %25, i64 %28, i64 %24
;   %30 = lshr i64 %29, 0
;   %31 = zext i64 %7 to i128
;   %32 = shl i128 %31, 64
;   %33 = zext i64 %27 to i128
;   %34 = or i128 %32, %33
;   %35 = zext i64 %30 to i128
;   ret i128 %35
; }
;
; define i100 @small(i100 %a) {
;   %1 = sext i100 %a to i128
;   %2 = sext i100 -1000000007 to i128
;   %3 = ashr i128 %1, 127
;   %4 = ashr i128 %2, 127
;   %5 = xor i128 %1, %3
;   %6 = sub i128 %5, %3
;   %7 = xor i128 %2, %4
;   %8 = sub i128 %7, %4
;   %9 = lshr i128 %6, 64
;   %10 = trunc i128 %9 to i64
;   %11 = trunc i128 %6 to i64
;   %12 = shl i128 %6, 34
;   %13 = lshr i64 %10, 30
;   %14 = lshr i128 %12, 64
;   %15 = trunc i128 %14 to i64
;   %16 = zext i64 %13 to i128
;   %17 = shl i128 %16, 64
;   %18 = zext i64 %15 to i128
;   %19 = or i128 %17, %18
;   %20 = zext i64 %13 to i128
;   %21 = mul i128 1360296416207249352, %20
;   %22 = add i128 %21, %19
;   %23 = lshr i128 %22, 64
;   %24 = trunc i128 %23 to i64
;   %25 = trunc i128 %22 to i64
;   %26 = add i64 %24, 1
;   %27 = mul i64 %26, -1266874769450467328
;   %28 = sub i64 %15, %27
;   %29 = icmp ugt i64 %28, %25
;   %30 = add i64 %28, -1266874769450467328
;   %31 = select i1 %29, i64 %24, i64 %26
;   %32 = select i1 %29, i64 %30, i64 %28
;   %33 = icmp uge i64 %32, -1266874769450467328
;   %34 = zext i1 %33 to i64
;   %35 = add i64 %31, %34
;   %36 = sub i64 %32, -1266874769450467328
;   %37 = select i1 %33, i64 %36, i64 %32
;   %38 = trunc i128 %12 to i64
;   %39 = zext i64 %37 to i128
;   %40 = shl i128 %39, 64
;   %41 = zext i64 %38 to i128
;   %42 = or i128 %40, %41
;   %43 = zext i64 %37 to i128
;   %44 = mul i128 1360296416207249352, %43
;   %45 = add i128 %44, %42
;   %46 = lshr i128 %45, 64
;   %47 = trunc i128 %46 to i64
;   %48 = trunc i128 %45 to i64
;   %49 = add i64 %47, 1
;   %50 = mul i64 %49, -1266874769450467328
;   %51 = sub i64 %38, %50
;   %52 = icmp ugt i64 %51, %48
;   %53 = add i64 %51, -1266874769450467328
;   %54 = select i1 %52, i64 %47, i64 %49
;   %55 = select i1 %52, i64 %53, i64 %51
;   %56 = icmp uge i64 %55, -1266874769450467328
;   %57 = zext i1 %56 to i64
;   %58 = add i64 %54, %57
;   %59 = sub i64 %55, -1266874769450467328
;   %60 = select i1 %56, i64 %59, i64 %55
;   %61 = lshr i64 %60, 34
;   %62 = zext i64 %35 to i128
;   %63 = shl i128 %62, 64
;   %64 = zext i64 %58 to i128
;   %65 = or i128 %63, %64
;   %66 = zext i64 %61 to i128
;   %67 = xor i128 %3, %4
;   %68 = xor i128 %65, %67
;   %69 = sub i128 %68, %67
;   %70 = trunc i128 %69 to i100
;   ret i100 %70
; }
;
; define i128 @power_with_sign(i128 %a) {
;   %1 = ashr i128 %a, 127
;   %2 = ashr i128 1024, 127
;   %3 = xor i128 %a, %1
;   %4 = sub i128 %3, %1
;   %5 = xor i128 1024, %2
;   %6 = sub i128 %5, %2
;   %7 = lshr i128 %4, 10
;   %8 = and i128 %4, 1023
;   %9 = xor i128 %1, %2
;   %10 = xor i128 %7, %9
;   %11 = sub i128 %10, %9
;   ret i128 %11
; }
;
; define i128 @long(i128 %a) {
;   %1 = call { i128, i128 } @__warpc_udivrem_i128(i128 %a, i128 100000000000000000000)
;   %2 = extractvalue { i128, i128 } %1, 0
;   %3 = extractvalue { i128, i128 } %1, 1
;   ret i128 %2
; }
;
; define i192 @longer(i192 %a, i192 %b) {
;   %1 = call { i192, i192 } @__warpc_udivrem_i192(i192 %a, i192 %b)
;   %2 = extractvalue { i192, i192 } %1, 0
;   %3 = extractvalue { i192, i192 } %1, 1
;   ret i192 %2
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
;   %a.low = trunc i128 %a to i64
;   %b.low = trunc i128 %b to i64
;   %a.above = lshr i128 %a, 64
;   %b.above = lshr i128 %b, 64
;   %a.high = trunc i128 %a.above to i64
;   %b.high = trunc i128 %b.above to i64
;   %high = or i64 %a.high, %b.high
;   %is.short = icmp eq i64 %high, 0
;   br i1 %is.short, label %short, label %long
;
; short:                                            ; preds = %entry
;   %q.short = udiv i64 %a.low, %b.low
;   %r.short = urem i64 %a.low, %b.low
;   %q.short.wide = zext i64 %q.short to i128
;   %r.short.wide = zext i64 %r.short to i128
;   br label %end
;
; long:                                             ; preds = %entry
;   %is.word = icmp eq i64 %b.high, 0
;   %top = select i1 %is.word, i64 %b.low, i64 %b.high
;   %next = select i1 %is.word, i64 0, i64 %b.low
;   %zeros = call i64 @llvm.ctlz.i64(i64 %top, i1 false)
;   %shift = and i64 %zeros, 63
;   %d = call i64 @llvm.fshl.i64(i64 %top, i64 %next, i64 %shift)
;   %d.top = lshr i64 %d, 32
;   %d.rest = and i64 %d, 4294967295
;   %d.short = trunc i64 %d.top to i32
;   %d.float = uitofp i32 %d.short to float
;   %x.float = call float @llvm.nvvm.rcp.approx.ftz.f(float %d.float)
;   %x.scaled = fmul float %x.float, 0x43DFFFFF00000000
;   %x.short = fptoui float %x.scaled to i32
;   %x = zext i32 %x.short to i64
;   %x.rest = mul i64 %x, %d.rest
;   %x.rest.high = lshr i64 %x.rest, 32
;   %x.top = mul i64 %x, %d.top
;   %near = add i64 %x.top, %x.rest.high
;   %missing = sub i64 9223372036854775807, %near
;   %missing.short = lshr i64 %missing, 11
;   %gain = mul i64 %x, %missing.short
;   %gain.high = lshr i64 %gain, 20
;   %x.long = shl i64 %x, 32
;   %y = add i64 %x.long, %gain.high
;   %d.wide = zext i64 %d to i128
;   %y.wide = zext i64 %y to i128
;   %product = mul i128 %y.wide, %d.wide
;   %lack = sub i128 -170141183460469231731687303715884105728, %product
;   %lack.cut = lshr i128 %lack, 24
;   %lack.short = trunc i128 %lack.cut to i64
;   %lack.wide = zext i64 %lack.short to i128
;   %more = mul i128 %y.wide, %lack.wide
;   %more.above = lshr i128 %more, 102
;   %more.short = trunc i128 %more.above to i64
;   %y.double = shl i64 %y, 1
;   %z = add i64 %y.double, %more.short
;   %z.wide = zext i64 %z to i128
;   %z.product = mul i128 %z.wide, %d.wide
;   %z.next = add i128 %z.product, %d.wide
;   %z.above = lshr i128 %z.next, 64
;   %z.high = trunc i128 %z.above to i64
;   %z.sum = add i64 %z.high, %d
;   %z.fits = icmp uge i64 %z.sum, %d
;   %z.bit = zext i1 %z.fits to i64
;   %v = add i64 %z, %z.bit
;   %v.wide = zext i64 %v to i128
;   br i1 %is.word, label %word, label %double
;
; word:                                             ; preds = %long
;   %u2 = call i64 @llvm.fshl.i64(i64 0, i64 %a.high, i64 %shift)
;   %u1 = call i64 @llvm.fshl.i64(i64 %a.high, i64 %a.low, i64 %shift)
;   %u0 = shl i64 %a.low, %shift
;   %upper.h = zext i64 %u2 to i128
;   %upper.l = zext i64 %u1 to i128
;   %upper.above = shl i128 %upper.h, 64
;   %upper.both = or i128 %upper.above, %upper.l
;   %upper.product = mul i128 %v.wide, %upper.h
;   %upper.sum = add i128 %upper.product, %upper.both
;   %upper.cut = lshr i128 %upper.sum, 64
;   %upper.whole = trunc i128 %upper.cut to i64
;   %upper.part = trunc i128 %upper.sum to i64
;   %upper.q0 = add i64 %upper.whole, 1
;   %upper.taken = mul i64 %upper.q0, %d
;   %upper.r0 = sub i64 %u1, %upper.taken
;   %upper.over = icmp ugt i64 %upper.r0, %upper.part
;   %upper.r.back = add i64 %upper.r0, %d
;   %upper.q1 = select i1 %upper.over, i64 %upper.whole, i64 %upper.q0
;   %upper.r1 = select i1 %upper.over, i64 %upper.r.back, i64 %upper.r0
;   %upper.under = icmp uge i64 %upper.r1, %d
;   %upper.bit = zext i1 %upper.under to i64
;   %upper.q = add i64 %upper.q1, %upper.bit
;   %upper.r.less = sub i64 %upper.r1, %d
;   %upper.r = select i1 %upper.under, i64 %upper.r.less, i64 %upper.r1
;   %lower.h = zext i64 %upper.r to i128
;   %lower.l = zext i64 %u0 to i128
;   %lower.above = shl i128 %lower.h, 64
;   %lower.both = or i128 %lower.above, %lower.l
;   %lower.product = mul i128 %v.wide, %lower.h
;   %lower.sum = add i128 %lower.product, %lower.both
;   %lower.cut = lshr i128 %lower.sum, 64
;   %lower.whole = trunc i128 %lower.cut to i64
;   %lower.part = trunc i128 %lower.sum to i64
;   %lower.q0 = add i64 %lower.whole, 1
;   %lower.taken = mul i64 %lower.q0, %d
;   %lower.r0 = sub i64 %u0, %lower.taken
;   %lower.over = icmp ugt i64 %lower.r0, %lower.part
;   %lower.r.back = add i64 %lower.r0, %d
;   %lower.q1 = select i1 %lower.over, i64 %lower.whole, i64 %lower.q0
;   %lower.r1 = select i1 %lower.over, i64 %lower.r.back, i64 %lower.r0
;   %lower.under = icmp uge i64 %lower.r1, %d
;   %lower.bit = zext i1 %lower.under to i64
;   %lower.q = add i64 %lower.q1, %lower.bit
;   %lower.r.less = sub i64 %lower.r1, %d
;   %lower.r = select i1 %lower.under, i64 %lower.r.less, i64 %lower.r1
;   %r.word = lshr i64 %lower.r, %shift
;   %q.upper = zext i64 %upper.q to i128
;   %q.above = shl i128 %q.upper, 64
;   %q.lower = zext i64 %lower.q to i128
;   %q.word = or i128 %q.above, %q.lower
;   %r.word.wide = zext i64 %r.word to i128
;   br label %end
;
; double:                                           ; preds = %long
;   %w1 = lshr i64 %a.high, 1
;   %w0 = call i64 @llvm.fshl.i64(i64 %a.high, i64 %a.low, i64 63)
;   %only.h = zext i64 %w1 to i128
;   %only.l = zext i64 %w0 to i128
;   %only.above = shl i128 %only.h, 64
;   %only.both = or i128 %only.above, %only.l
;   %only.product = mul i128 %v.wide, %only.h
;   %only.sum = add i128 %only.product, %only.both
;   %only.cut = lshr i128 %only.sum, 64
;   %only.whole = trunc i128 %only.cut to i64
;   %only.part = trunc i128 %only.sum to i64
;   %only.q0 = add i64 %only.whole, 1
;   %only.taken = mul i64 %only.q0, %d
;   %only.r0 = sub i64 %w0, %only.taken
;   %only.over = icmp ugt i64 %only.r0, %only.part
;   %only.r.back = add i64 %only.r0, %d
;   %only.q1 = select i1 %only.over, i64 %only.whole, i64 %only.q0
;   %only.r1 = select i1 %only.over, i64 %only.r.back, i64 %only.r0
;   %only.under = icmp uge i64 %only.r1, %d
;   %only.bit = zext i1 %only.under to i64
;   %only.q = add i64 %only.q1, %only.bit
;   %only.r.less = sub i64 %only.r1, %d
;   %only.r = select i1 %only.under, i64 %only.r.less, i64 %only.r1
;   %back = sub i64 63, %shift
;   %q.near = lshr i64 %only.q, %back
;   %has.any = icmp ne i64 %q.near, 0
;   %one = zext i1 %has.any to i64
;   %q.less = sub i64 %q.near, %one
;   %q.less.wide = zext i64 %q.less to i128
;   %taken = mul i128 %q.less.wide, %b
;   %r.more = sub i128 %a, %taken
;   %is.more = icmp uge i128 %r.more, %b
;   %q.bit = zext i1 %is.more to i64
;   %q.double = add i64 %q.less, %q.bit
;   %q.double.wide = zext i64 %q.double to i128
;   %r.less = sub i128 %r.more, %b
;   %r.double = select i1 %is.more, i128 %r.less, i128 %r.more
;   br label %end
;
; end:                                              ; preds = %double, %word, %short
;   %q.end = phi i128 [ %q.short.wide, %short ], [ %q.word, %word ], [ %q.double.wide, %double ]
;   %r.end = phi i128 [ %r.short.wide, %short ], [ %r.word.wide, %word ], [ %r.double, %double ]
;   %half = insertvalue { i128, i128 } poison, i128 %q.end, 0
;   %both = insertvalue { i128, i128 } %half, i128 %r.end, 1
;   ret { i128, i128 } %both
; }
;
; declare i64 @llvm.ctlz.i64(i64, i1)
;
; declare i64 @llvm.fshl.i64(i64, i64, i64)
;
; declare float @llvm.nvvm.rcp.approx.ftz.f(float)
;
; define internal { i192, i192 } @__warpc_udivrem_i192(i192 %a, i192 %b) {
; entry:
;   %high.a = lshr i192 %a, 64
;   %high.b = lshr i192 %b, 64
;   %high = or i192 %high.a, %high.b
;   %is.short = icmp eq i192 %high, 0
;   br i1 %is.short, label %short, label %compare
;
; short:                                            ; preds = %entry
;   %a.short = trunc i192 %a to i64
;   %b.short = trunc i192 %b to i64
;   %q.short = udiv i64 %a.short, %b.short
;   %r.short = urem i64 %a.short, %b.short
;   %q.wide = zext i64 %q.short to i192
;   %r.wide = zext i64 %r.short to i192
;   br label %end
;
; compare:                                          ; preds = %entry
;   %is.less = icmp ult i192 %a, %b
;   br i1 %is.less, label %end, label %align
;
; align:                                            ; preds = %compare
;   %zeros.a = call i192 @llvm.ctlz.i192(i192 %a, i1 false)
;   %zeros.b = call i192 @llvm.ctlz.i192(i192 %b, i1 false)
;   %distance = sub i192 %zeros.b, %zeros.a
;   %first = shl i192 %b, %distance
;   %count = trunc i192 %distance to i32
;   br label %loop
;
; loop:                                             ; preds = %loop, %align
;   %left = phi i32 [ %count, %align ], [ %left.next, %loop ]
;   %d = phi i192 [ %first, %align ], [ %d.next, %loop ]
;   %r = phi i192 [ %a, %align ], [ %r.next, %loop ]
;   %q = phi i192 [ 0, %align ], [ %q.next, %loop ]
;   %fits = icmp uge i192 %r, %d
;   %difference = sub i192 %r, %d
;   %r.next = select i1 %fits, i192 %difference, i192 %r
;   %q.double = shl i192 %q, 1
;   %bit = zext i1 %fits to i192
;   %q.next = or i192 %q.double, %bit
;   %d.next = lshr i192 %d, 1
;   %left.next = sub i32 %left, 1
;   %more = icmp ne i32 %left, 0
;   br i1 %more, label %loop, label %end
;
; end:                                              ; preds = %loop, %compare, %short
;   %q.end = phi i192 [ %q.wide, %short ], [ 0, %compare ], [ %q.next, %loop ]
;   %r.end = phi i192 [ %r.wide, %short ], [ %a, %compare ], [ %r.next, %loop ]
;   %half = insertvalue { i192, i192 } poison, i192 %q.end, 0
;   %both = insertvalue { i192, i192 } %half, i192 %r.end, 1
;   ret { i192, i192 } %both
; }
;
; declare i192 @llvm.ctlz.i192(i192, i1)
