; Quotient and remainder of unsigned integers of 128 bits. In 64 bits if both fit; else with the reciprocal of the 64 highest
; bits of the divisor (Möller and Granlund, "Improved division by invariant integers"): two digits of 64 bits if the
; divisor is one, else a quotient of one digit, which is at most one too large after the division (Warren, "Hacker's
; Delight", 9-5).
define { i128, i128 } @__warpc_udivrem_i128(i128 %a, i128 %b) {
entry:
  %a.low = trunc i128 %a to i64
  %b.low = trunc i128 %b to i64
  %a.above = lshr i128 %a, 64
  %b.above = lshr i128 %b, 64
  %a.high = trunc i128 %a.above to i64
  %b.high = trunc i128 %b.above to i64
  %high = or i64 %a.high, %b.high
  %is.short = icmp eq i64 %high, 0
  br i1 %is.short, label %short, label %long

short:
  %q.short = udiv i64 %a.low, %b.low
  %r.short = urem i64 %a.low, %b.low
  %q.short.wide = zext i64 %q.short to i128
  %r.short.wide = zext i64 %r.short to i128
  br label %end

long:
  %is.word = icmp eq i64 %b.high, 0
  %top = select i1 %is.word, i64 %b.low, i64 %b.high
  %next = select i1 %is.word, i64 0, i64 %b.low
  %zeros = call i64 @llvm.ctlz.i64(i64 %top, i1 false)
  %shift = and i64 %zeros, 63
  %d = call i64 @llvm.fshl.i64(i64 %top, i64 %next, i64 %shift)

  ; 2^95 / d, less by a relative error of at most 2^-20.
  %d.top = lshr i64 %d, 32
  %d.rest = and i64 %d, 4294967295
  %d.short = trunc i64 %d.top to i32
  %d.float = uitofp i32 %d.short to float
  %x.float = call float @llvm.nvvm.rcp.approx.ftz.f(float %d.float)
  %x.scaled = fmul float %x.float, 0x43DFFFFF00000000
  %x.short = fptoui float %x.scaled to i32
  %x = zext i32 %x.short to i64
  ; 2^127 / d, less by a relative error of 2^-40 and some of 2^-52.
  %x.rest = mul i64 %x, %d.rest
  %x.rest.high = lshr i64 %x.rest, 32
  %x.top = mul i64 %x, %d.top
  %near = add i64 %x.top, %x.rest.high
  %missing = sub i64 9223372036854775807, %near
  %missing.short = lshr i64 %missing, 11
  %gain = mul i64 %x, %missing.short
  %gain.high = lshr i64 %gain, 20
  %x.long = shl i64 %x, 32
  %y = add i64 %x.long, %gain.high
  ; 2^128 / d - 2^64, rounded down, or one less.
  %d.wide = zext i64 %d to i128
  %y.wide = zext i64 %y to i128
  %product = mul i128 %y.wide, %d.wide
  %lack = sub i128 170141183460469231731687303715884105728, %product
  %lack.cut = lshr i128 %lack, 24
  %lack.short = trunc i128 %lack.cut to i64
  %lack.wide = zext i64 %lack.short to i128
  %more = mul i128 %y.wide, %lack.wide
  %more.above = lshr i128 %more, 102
  %more.short = trunc i128 %more.above to i64
  %y.double = shl i64 %y, 1
  %z = add i64 %y.double, %more.short
  ; The reciprocal: rounded down (2^128 - 1) / d - 2^64.
  %z.wide = zext i64 %z to i128
  %z.product = mul i128 %z.wide, %d.wide
  %z.next = add i128 %z.product, %d.wide
  %z.above = lshr i128 %z.next, 64
  %z.high = trunc i128 %z.above to i64
  %z.sum = add i64 %z.high, %d
  %z.fits = icmp uge i64 %z.sum, %d
  %z.bit = zext i1 %z.fits to i64
  %v = add i64 %z, %z.bit
  %v.wide = zext i64 %v to i128
  br i1 %is.word, label %word, label %double

word:
  %u2 = call i64 @llvm.fshl.i64(i64 0, i64 %a.high, i64 %shift)
  %u1 = call i64 @llvm.fshl.i64(i64 %a.high, i64 %a.low, i64 %shift)
  %u0 = shl i64 %a.low, %shift
  %upper.h = zext i64 %u2 to i128
  %upper.l = zext i64 %u1 to i128
  %upper.above = shl i128 %upper.h, 64
  %upper.both = or i128 %upper.above, %upper.l
  %upper.product = mul i128 %v.wide, %upper.h
  %upper.sum = add i128 %upper.product, %upper.both
  %upper.cut = lshr i128 %upper.sum, 64
  %upper.whole = trunc i128 %upper.cut to i64
  %upper.part = trunc i128 %upper.sum to i64
  %upper.q0 = add i64 %upper.whole, 1
  %upper.taken = mul i64 %upper.q0, %d
  %upper.r0 = sub i64 %u1, %upper.taken
  %upper.over = icmp ugt i64 %upper.r0, %upper.part
  %upper.r.back = add i64 %upper.r0, %d
  %upper.q1 = select i1 %upper.over, i64 %upper.whole, i64 %upper.q0
  %upper.r1 = select i1 %upper.over, i64 %upper.r.back, i64 %upper.r0
  %upper.under = icmp uge i64 %upper.r1, %d
  %upper.bit = zext i1 %upper.under to i64
  %upper.q = add i64 %upper.q1, %upper.bit
  %upper.r.less = sub i64 %upper.r1, %d
  %upper.r = select i1 %upper.under, i64 %upper.r.less, i64 %upper.r1
  %lower.h = zext i64 %upper.r to i128
  %lower.l = zext i64 %u0 to i128
  %lower.above = shl i128 %lower.h, 64
  %lower.both = or i128 %lower.above, %lower.l
  %lower.product = mul i128 %v.wide, %lower.h
  %lower.sum = add i128 %lower.product, %lower.both
  %lower.cut = lshr i128 %lower.sum, 64
  %lower.whole = trunc i128 %lower.cut to i64
  %lower.part = trunc i128 %lower.sum to i64
  %lower.q0 = add i64 %lower.whole, 1
  %lower.taken = mul i64 %lower.q0, %d
  %lower.r0 = sub i64 %u0, %lower.taken
  %lower.over = icmp ugt i64 %lower.r0, %lower.part
  %lower.r.back = add i64 %lower.r0, %d
  %lower.q1 = select i1 %lower.over, i64 %lower.whole, i64 %lower.q0
  %lower.r1 = select i1 %lower.over, i64 %lower.r.back, i64 %lower.r0
  %lower.under = icmp uge i64 %lower.r1, %d
  %lower.bit = zext i1 %lower.under to i64
  %lower.q = add i64 %lower.q1, %lower.bit
  %lower.r.less = sub i64 %lower.r1, %d
  %lower.r = select i1 %lower.under, i64 %lower.r.less, i64 %lower.r1
  %r.word = lshr i64 %lower.r, %shift
  %q.upper = zext i64 %upper.q to i128
  %q.above = shl i128 %q.upper, 64
  %q.lower = zext i64 %lower.q to i128
  %q.word = or i128 %q.above, %q.lower
  %r.word.wide = zext i64 %r.word to i128
  br label %end

double:
  %w1 = lshr i64 %a.high, 1
  %w0 = call i64 @llvm.fshl.i64(i64 %a.high, i64 %a.low, i64 63)
  %only.h = zext i64 %w1 to i128
  %only.l = zext i64 %w0 to i128
  %only.above = shl i128 %only.h, 64
  %only.both = or i128 %only.above, %only.l
  %only.product = mul i128 %v.wide, %only.h
  %only.sum = add i128 %only.product, %only.both
  %only.cut = lshr i128 %only.sum, 64
  %only.whole = trunc i128 %only.cut to i64
  %only.part = trunc i128 %only.sum to i64
  %only.q0 = add i64 %only.whole, 1
  %only.taken = mul i64 %only.q0, %d
  %only.r0 = sub i64 %w0, %only.taken
  %only.over = icmp ugt i64 %only.r0, %only.part
  %only.r.back = add i64 %only.r0, %d
  %only.q1 = select i1 %only.over, i64 %only.whole, i64 %only.q0
  %only.r1 = select i1 %only.over, i64 %only.r.back, i64 %only.r0
  %only.under = icmp uge i64 %only.r1, %d
  %only.bit = zext i1 %only.under to i64
  %only.q = add i64 %only.q1, %only.bit
  %only.r.less = sub i64 %only.r1, %d
  %only.r = select i1 %only.under, i64 %only.r.less, i64 %only.r1
  %back = sub i64 63, %shift
  %q.near = lshr i64 %only.q, %back
  %has.any = icmp ne i64 %q.near, 0
  %one = zext i1 %has.any to i64
  %q.less = sub i64 %q.near, %one
  %q.less.wide = zext i64 %q.less to i128
  %taken = mul i128 %q.less.wide, %b
  %r.more = sub i128 %a, %taken
  %is.more = icmp uge i128 %r.more, %b
  %q.bit = zext i1 %is.more to i64
  %q.double = add i64 %q.less, %q.bit
  %q.double.wide = zext i64 %q.double to i128
  %r.less = sub i128 %r.more, %b
  %r.double = select i1 %is.more, i128 %r.less, i128 %r.more
  br label %end

end:
  %q.end = phi i128 [ %q.short.wide, %short ], [ %q.word, %word ], [ %q.double.wide, %double ]
  %r.end = phi i128 [ %r.short.wide, %short ], [ %r.word.wide, %word ], [ %r.double, %double ]
  %half = insertvalue { i128, i128 } poison, i128 %q.end, 0
  %both = insertvalue { i128, i128 } %half, i128 %r.end, 1
  ret { i128, i128 } %both
}

declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
