; The remainder of a division that rounds towards zero, exact for all numbers.
;
; A quotient below LIMIT is a whole number after truncation. It is at most one too large, and the product
; and the remainder are then exact. For larger quotients the fractions are divided as integers: STEP bits of
; the distance of the exponents at a time, so that a shifted fraction fits into 64 bits.
define FLOAT @__warpc_frem_FLOAT(FLOAT %x, FLOAT %y) {
entry:
  %ax = call FLOAT @llvm.fabs.SUFFIX(FLOAT %x)
  %ay = call FLOAT @llvm.fabs.SUFFIX(FLOAT %y)
  %is.finite = fcmp olt FLOAT %ax, 0x7FF0000000000000
  %is.divisor = fcmp ogt FLOAT %ay, 0.0
  %is.defined = and i1 %is.finite, %is.divisor
  br i1 %is.defined, label %compare, label %nan

nan:
  ret FLOAT 0x7FF8000000000000

compare:
  %is.less = fcmp olt FLOAT %ax, %ay
  br i1 %is.less, label %unchanged, label %divide

unchanged:
  ret FLOAT %x

divide:
  %q = call FLOAT @llvm.nvvm.div.rn.LETTER(FLOAT %ax, FLOAT %ay)
  %is.near = fcmp olt FLOAT %q, LIMIT
  br i1 %is.near, label %near, label %far

near:
  %whole = call FLOAT @llvm.trunc.SUFFIX(FLOAT %q)
  %minus = fneg FLOAT %whole
  %r.low = call FLOAT @llvm.fma.SUFFIX(FLOAT %minus, FLOAT %ay, FLOAT %ax)
  %is.below = fcmp olt FLOAT %r.low, 0.0
  %r.up = fadd FLOAT %r.low, %ay
  %r.near = select i1 %is.below, FLOAT %r.up, FLOAT %r.low
  %near.signed = call FLOAT @llvm.copysign.SUFFIX(FLOAT %r.near, FLOAT %x)
  ret FLOAT %near.signed

far:
  %bits.x = bitcast FLOAT %ax to BITS
  %bits.y = bitcast FLOAT %ay to BITS
  %exp.x = lshr BITS %bits.x, FRACTION
  %exp.y.field = lshr BITS %bits.y, FRACTION
  %fraction.x = and BITS %bits.x, MASK
  %fraction.y = and BITS %bits.y, MASK
  ; The quotient is so large that x is normal; y may be denormal.
  %m.x = or BITS %fraction.x, ONE
  %is.normal = icmp ne BITS %exp.y.field, 0
  %implied = select i1 %is.normal, BITS ONE, BITS 0
  %m.y = or BITS %fraction.y, %implied
  %exp.y = select i1 %is.normal, BITS %exp.y.field, BITS 1
  %distance = sub BITS %exp.x, %exp.y
  %m.wide = EXTEND BITS %m.x to i64
  %d.wide = EXTEND BITS %m.y to i64
  br label %loop

loop:
  %left = phi BITS [ %distance, %far ], [ %left.next, %loop ]
  %m = phi i64 [ %m.wide, %far ], [ %m.next, %loop ]
  %step = call BITS @llvm.umin.BITS(BITS %left, BITS STEP)
  %step.wide = EXTEND BITS %step to i64
  %shifted = shl i64 %m, %step.wide
  %m.next = urem i64 %shifted, %d.wide
  %left.next = sub BITS %left, %step
  %more = icmp ne BITS %left.next, 0
  br i1 %more, label %loop, label %join

join:
  ; The remainder is m.next with the exponent of y: bring the highest bit up as far as the exponent allows.
  %m.end = CUT i64 %m.next to BITS
  %zeros = call BITS @llvm.ctlz.BITS(BITS %m.end, i1 false)
  %room = sub BITS %zeros, ABOVE
  %most = sub BITS %exp.y, 1
  %up = call BITS @llvm.umin.BITS(BITS %room, BITS %most)
  %m.normal = shl BITS %m.end, %up
  %exp.end = sub BITS %most, %up
  %field = shl BITS %exp.end, FRACTION
  %bits.sum = add BITS %field, %m.normal
  %is.zero = icmp eq BITS %m.end, 0
  %bits.end = select i1 %is.zero, BITS 0, BITS %bits.sum
  %r.far = bitcast BITS %bits.end to FLOAT
  %far.signed = call FLOAT @llvm.copysign.SUFFIX(FLOAT %r.far, FLOAT %x)
  ret FLOAT %far.signed
}

declare FLOAT @llvm.fabs.SUFFIX(FLOAT)
declare FLOAT @llvm.trunc.SUFFIX(FLOAT)
declare FLOAT @llvm.fma.SUFFIX(FLOAT, FLOAT, FLOAT)
declare FLOAT @llvm.copysign.SUFFIX(FLOAT, FLOAT)
declare FLOAT @llvm.nvvm.div.rn.LETTER(FLOAT, FLOAT)
declare BITS @llvm.umin.BITS(BITS, BITS)
declare BITS @llvm.ctlz.BITS(BITS, i1)
