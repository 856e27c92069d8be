; The whole part of the absolute value of a floating-point number as integer of WIDTH bits. What does not
; fit gives some integer.
define iWIDTH @__warpc_fptoui_FLOAT_iWIDTH(FLOAT %x) {
  %bits = bitcast FLOAT %x to BITS
  %field = lshr BITS %bits, FRACTION
  %exponent = and BITS %field, EXPONENTS
  %fraction = and BITS %bits, MASK
  %m = or BITS %fraction, ONE
  %is.large = icmp uge BITS %exponent, WHOLE
  ; Up: the fraction has no bits after the point. Down: it has some.
  %up = sub BITS %exponent, WHOLE
  %up.least = call BITS @llvm.umin.BITS(BITS %up, BITS LAST)
  %up.wide = zext BITS %up.least to iWIDTH
  %m.wide = zext BITS %m to iWIDTH
  %large = shl iWIDTH %m.wide, %up.wide
  %down = sub BITS WHOLE, %exponent
  %down.least = call BITS @llvm.umin.BITS(BITS %down, BITS TOP)
  %small = lshr BITS %m, %down.least
  %small.wide = zext BITS %small to iWIDTH
  %whole = select i1 %is.large, iWIDTH %large, iWIDTH %small.wide
  ret iWIDTH %whole
}

declare BITS @llvm.umin.BITS(BITS, BITS)
