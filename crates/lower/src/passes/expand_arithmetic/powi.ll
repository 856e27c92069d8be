; A floating-point number to the power of an integer, by squaring.
define FLOAT @__warpc_powi_FLOAT_iWIDTH(FLOAT %x, iWIDTH %n) {
entry:
  %is.negative = icmp slt iWIDTH %n, 0
  %minus = sub iWIDTH 0, %n
  %power = select i1 %is.negative, iWIDTH %minus, iWIDTH %n
  br label %loop

loop:
  %square = phi FLOAT [ %x, %entry ], [ %square.next, %loop ]
  %product = phi FLOAT [ 1.0, %entry ], [ %product.next, %loop ]
  %left = phi iWIDTH [ %power, %entry ], [ %left.next, %loop ]
  %bit = trunc iWIDTH %left to i1
  %times = fmul FLOAT %product, %square
  %product.next = select i1 %bit, FLOAT %times, FLOAT %product
  %square.next = fmul FLOAT %square, %square
  %left.next = lshr iWIDTH %left, 1
  %more = icmp ne iWIDTH %left.next, 0
  br i1 %more, label %loop, label %end

end:
  %inverse = fdiv FLOAT 1.0, %product.next
  %result = select i1 %is.negative, FLOAT %inverse, FLOAT %product.next
  ret FLOAT %result
}
