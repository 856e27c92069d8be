; test: pass fold_branches
; What remains of questions that were answered: dead code goes, phis become values.
declare void @impossible()

define i32 @f(i32 %x) {
entry:
  %c = icmp sge i32 900, 800
  br i1 %c, label %new, label %old

new:
  %a = add i32 %x, 1
  br label %end

old:
  call void @impossible()
  br label %end

end:
  %r = phi i32 [ %a, %new ], [ 0, %old ]
  %one = phi i32 [ 1, %new ], [ 2, %old ]
  switch i32 %one, label %other [
    i32 1, label %first
    i32 2, label %second
  ]

first:
  ret i32 %r

second:
  br label %other

other:
  %s = phi i32 [ 1, %end ], [ %r, %second ]
  call void @impossible()
  ret i32 %s
}

define i32 @loop(i32 %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %back ]
  %wide = zext i1 true to i32
  %neg = sext i1 true to i32
  %sum = add i32 %wide, %neg
  %skip = icmp ult i32 %sum, 1
  %step = select i1 %skip, i32 %n, i32 7
  br i1 %skip, label %back, label %body

body:
  call void @impossible()
  br label %back

back:
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, 100
  br i1 %more, label %head, label %exit

exit:
  ret i32 %next
}

; One of several equal edges stays.
define i32 @twice(i1 %c) {
entry:
  switch i8 3, label %end [
    i8 3, label %end
    i8 4, label %end
  ]

end:
  %r = phi i32 [ 5, %entry ], [ 5, %entry ], [ 5, %entry ]
  ret i32 %r
}

; These have no one result.
define i32 @not_folded(ptr %p) {
  %a = udiv i32 1, 0
  %b = shl i32 1, 32
  %c = add nsw i8 127, 1
  %d = sdiv i8 -128, -1
  store volatile i32 %a, ptr %p
  store volatile i32 %b, ptr %p
  store volatile i8 %c, ptr %p
  store volatile i8 %d, ptr %p
  ret i32 0
}

; expect ll:
; declare void @impossible()
;
; define i32 @f(i32 %x) {
; entry:
;   br label %new
;
; new:                                              ; preds = %entry
;   %a = add i32 %x, 1
;   br label %end
;
; end:                                              ; preds = %new
;   br label %first
;
; first:                                            ; preds = %end
;   ret i32 %a
; }
;
; define i32 @loop(i32 %n) {
; entry:
;   br label %head
;
; head:                                             ; preds = %back, %entry
;   %i = phi i32 [ 0, %entry ], [ %next, %back ]
;   br label %back
;
; back:                                             ; preds = %head
;   %next = add i32 %i, %n
;   %more = icmp ult i32 %next, 100
;   br i1 %more, label %head, label %exit
;
; exit:                                             ; preds = %back
;   ret i32 %next
; }
;
; define i32 @twice(i1 %c) {
; entry:
;   br label %end
;
; end:                                              ; preds = %entry
;   ret i32 5
; }
;
; define i32 @not_folded(ptr %p) {
;   %a = udiv i32 1, 0
;   %b = shl i32 1, 32
;   %c = add nsw i8 127, 1
;   %d = sdiv i8 -128, -1
;   store volatile i32 %a, ptr %p
;   store volatile i32 %b, ptr %p
;   store volatile i8 %c, ptr %p
;   store volatile i8 %d, ptr %p
;   ret i32 0
; }
