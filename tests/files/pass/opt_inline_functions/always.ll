; test: pass opt_inline_functions --opt 0
; `alwaysinline` of a function or a call holds at every level and for every linkage; nothing else does at level 0.
define i32 @always(i32 %x) alwaysinline {
  %y = add i32 %x, 1
  ret i32 %y
}

define internal i32 @other(i32 %x) {
  %y = add i32 %x, 2
  ret i32 %y
}

define internal i32 @both(i32 %x) alwaysinline {
  %y = call i32 @always(i32 %x)
  %z = call i32 @other(i32 %y)
  ret i32 %z
}

define ptx_kernel void @k(ptr %p, i32 %a) noinline optnone {
  %1 = call i32 @both(i32 %a)
  %2 = call i32 @other(i32 %1) alwaysinline
  store i32 %2, ptr %p
  ret void
}

; expect ll:
; ; Function Attrs: alwaysinline
; define i32 @always(i32 %x) #0 {
;   %y = add i32 %x, 1
;   ret i32 %y
; }
;
; define internal i32 @other(i32 %x) {
;   %y = add i32 %x, 2
;   ret i32 %y
; }
;
; ; Function Attrs: noinline optnone
; define ptx_kernel void @k(ptr %p, i32 %a) #1 {
;   %1 = add i32 %a, 1
;   %2 = call i32 @other(i32 %1)
;   %3 = add i32 %2, 2
;   store i32 %3, ptr %p
;   ret void
; }
;
; attributes #0 = { alwaysinline }
; attributes #1 = { noinline optnone }
