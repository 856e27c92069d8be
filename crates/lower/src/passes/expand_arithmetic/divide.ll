; Quotient and remainder of unsigned integers of WIDTH bits: in 64 bits if both fit, else one bit of the
; quotient after the other, as many as it has.
define { iWIDTH, iWIDTH } @__warpc_udivrem_iWIDTH(iWIDTH %a, iWIDTH %b) {
entry:
  %high.a = lshr iWIDTH %a, 64
  %high.b = lshr iWIDTH %b, 64
  %high = or iWIDTH %high.a, %high.b
  %is.short = icmp eq iWIDTH %high, 0
  br i1 %is.short, label %short, label %compare

short:
  %a.short = trunc iWIDTH %a to i64
  %b.short = trunc iWIDTH %b to i64
  %q.short = udiv i64 %a.short, %b.short
  %r.short = urem i64 %a.short, %b.short
  %q.wide = zext i64 %q.short to iWIDTH
  %r.wide = zext i64 %r.short to iWIDTH
  br label %end

compare:
  %is.less = icmp ult iWIDTH %a, %b
  br i1 %is.less, label %end, label %align

align:
  %zeros.a = call iWIDTH @llvm.ctlz.iWIDTH(iWIDTH %a, i1 false)
  %zeros.b = call iWIDTH @llvm.ctlz.iWIDTH(iWIDTH %b, i1 false)
  %distance = sub iWIDTH %zeros.b, %zeros.a
  %first = shl iWIDTH %b, %distance
  %count = trunc iWIDTH %distance to i32
  br label %loop

loop:
  %left = phi i32 [ %count, %align ], [ %left.next, %loop ]
  %d = phi iWIDTH [ %first, %align ], [ %d.next, %loop ]
  %r = phi iWIDTH [ %a, %align ], [ %r.next, %loop ]
  %q = phi iWIDTH [ 0, %align ], [ %q.next, %loop ]
  %fits = icmp uge iWIDTH %r, %d
  %difference = sub iWIDTH %r, %d
  %r.next = select i1 %fits, iWIDTH %difference, iWIDTH %r
  %q.double = shl iWIDTH %q, 1
  %bit = zext i1 %fits to iWIDTH
  %q.next = or iWIDTH %q.double, %bit
  %d.next = lshr iWIDTH %d, 1
  %left.next = sub i32 %left, 1
  %more = icmp ne i32 %left, 0
  br i1 %more, label %loop, label %end

end:
  %q.end = phi iWIDTH [ %q.wide, %short ], [ 0, %compare ], [ %q.next, %loop ]
  %r.end = phi iWIDTH [ %r.wide, %short ], [ %a, %compare ], [ %r.next, %loop ]
  %half = insertvalue { iWIDTH, iWIDTH } poison, iWIDTH %q.end, 0
  %both = insertvalue { iWIDTH, iWIDTH } %half, iWIDTH %r.end, 1
  ret { iWIDTH, iWIDTH } %both
}

declare iWIDTH @llvm.ctlz.iWIDTH(iWIDTH, i1)
