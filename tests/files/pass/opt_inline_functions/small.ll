; test: pass opt_inline_functions
; A small function that others cannot see is copied to each call, and then dropped.
define internal i32 @square(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}

; So is one that each module may have. Returns become branches, values a phi.
define linkonce_odr i32 @clamp(i32 %x) {
  %big = icmp sgt i32 %x, 100
  br i1 %big, label %yes, label %no

yes:
  ret i32 100

no:
  %y = add i32 %x, 1
  ret i32 %y
}

; One that others call stays.
define weak_odr i32 @twice(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
}

define ptx_kernel void @k(ptr %p, i32 %a) {
  %1 = call i32 @square(i32 %a)
  %2 = call i32 @square(i32 %1)
  %3 = call i32 @clamp(i32 %2)
  %4 = call i32 @twice(i32 %3)
  %5 = call i32 @clamp(i32 %4)
  store i32 %5, ptr %p
  ret void
}

; expect ll:
; define weak_odr i32 @twice(i32 %x) {
;   %y = add i32 %x, %x
;   ret i32 %y
; }
;
; define ptx_kernel void @k(ptr %p, i32 %a) {
;   %1 = mul i32 %a, %a
;   %2 = mul i32 %1, %1
;   %3 = icmp sgt i32 %2, 100
;   br i1 %3, label %4, label %5
;
; 4:                                                ; preds = %0
;   br label %7
;
; 5:                                                ; preds = %0
;   %6 = add i32 %2, 1
;   br label %7
;
; 7:                                                ; preds = %5, %4
;   %8 = phi i32 [ 100, %4 ], [ %6, %5 ]
;   %9 = add i32 %8, %8
;   %10 = icmp sgt i32 %9, 100
;   br i1 %10, label %11, label %12
;
; 11:                                               ; preds = %7
;   br label %14
;
; 12:                                               ; preds = %7
;   %13 = add i32 %9, 1
;   br label %14
;
; 14:                                               ; preds = %12, %11
;   %15 = phi i32 [ 100, %11 ], [ %13, %12 ]
;   store i32 %15, ptr %p
;   ret void
; }
