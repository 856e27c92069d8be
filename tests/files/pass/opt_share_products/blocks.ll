; test: pass opt_share_products
; Equal products of 64 bits in a block become one, which may overflow if one of them may.
define i64 @equal(i64 %x, i64 %y, i64 %z) {
  %a = mul nsw i64 %x, %y
  %b = add i64 %a, %z
  %c = mul i64 %x, %y
  %d = add i64 %c, 5
  %e = xor i64 %b, %d
  ret i64 %e
}

; Other operands, narrower products and other blocks stay.
define i64 @others(i64 %x, i64 %y, i32 %s, i1 %p) {
  %a = mul i64 %x, %y
  %b = mul i64 %x, %x
  %s1 = mul i32 %s, %s
  %s2 = mul i32 %s, %s
  %t = add i32 %s1, %s2
  %u = zext i32 %t to i64
  br i1 %p, label %then, label %end

then:
  %c = mul i64 %x, %y
  br label %end

end:
  %v = phi i64 [ %u, %0 ], [ %c, %then ]
  %w = add i64 %a, %b
  %r = add i64 %v, %w
  ret i64 %r
}

; expect ll:
; define i64 @equal(i64 %x, i64 %y, i64 %z) {
;   %a = mul i64 %x, %y
;   %b = add i64 %a, %z
;   %d = add i64 %a, 5
;   %e = xor i64 %b, %d
;   ret i64 %e
; }
;
; define i64 @others(i64 %x, i64 %y, i32 %s, i1 %p) {
;   %a = mul i64 %x, %y
;   %b = mul i64 %x, %x
;   %s1 = mul i32 %s, %s
;   %s2 = mul i32 %s, %s
;   %t = add i32 %s1, %s2
;   %u = zext i32 %t to i64
;   br i1 %p, label %then, label %end
;
; then:                                             ; preds = %0
;   %c = mul i64 %x, %y
;   br label %end
;
; end:                                              ; preds = %then, %0
;   %v = phi i64 [ %u, %0 ], [ %c, %then ]
;   %w = add i64 %a, %b
;   %r = add i64 %v, %w
;   ret i64 %r
; }
