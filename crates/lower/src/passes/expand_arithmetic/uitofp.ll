; An unsigned integer of WIDTH bits as floating-point number, rounded to the nearest, ties to even.
;
; The highest KEPT bits below the leading zeros are converted, the last of them set if a lower one is: that
; rounds as the whole integer would. Two factors of half the exponent each stay in range.
define FLOAT @__warpc_uitofp_iWIDTH_NAME(iWIDTH %x) {
entry:
  %is.zero = icmp eq iWIDTH %x, 0
  br i1 %is.zero, label %zero, label %convert

zero:
  ret FLOAT 0.0

convert:
  %zeros = call iWIDTH @llvm.ctlz.iWIDTH(iWIDTH %x, i1 false)
  %normal = shl iWIDTH %x, %zeros
  %high = lshr iWIDTH %normal, DROPPED
  %kept = trunc iWIDTH %high to i64
  %low = shl iWIDTH %normal, KEPT
  %is.inexact = icmp ne iWIDTH %low, 0
  %sticky = zext i1 %is.inexact to i64
  %rounded = or i64 %kept, %sticky
  %f = uitofp i64 %rounded to FLOAT
  %zeros.short = trunc iWIDTH %zeros to BITS
  %exponent = sub BITS DROPPED, %zeros.short
  %first = ashr BITS %exponent, 1
  %second = sub BITS %exponent, %first
  %first.biased = add BITS %first, BIAS
  %second.biased = add BITS %second, BIAS
  %first.bits = shl BITS %first.biased, FRACTION
  %second.bits = shl BITS %second.biased, FRACTION
  %first.factor = bitcast BITS %first.bits to FLOAT
  %second.factor = bitcast BITS %second.bits to FLOAT
  %half = fmul FLOAT %f, %first.factor
  %whole = fmul FLOAT %half, %second.factor
  ret FLOAT %whole
}

declare iWIDTH @llvm.ctlz.iWIDTH(iWIDTH, i1)
