; test: pass opt_inline_functions
; Calls that stay: of functions that others may replace or see, that are marked, recursive, variadic, or kernels.
define i32 @visible(i32 %x) {
  ret i32 %x
}

define weak i32 @replaceable(i32 %x) {
  ret i32 %x
}

define internal i32 @marked(i32 %x) noinline {
  ret i32 %x
}

define internal i32 @debugged(i32 %x) noinline optnone {
  ret i32 %x
}

define internal i32 @plain(i32 %x) {
  ret i32 %x
}

define internal i32 @recursive(i32 %x) {
  %y = call i32 @recursive(i32 %x)
  ret i32 %y
}

define internal i32 @even(i32 %x) {
  %y = call i32 @odd(i32 %x)
  ret i32 %y
}

define internal i32 @odd(i32 %x) alwaysinline {
  %y = call i32 @even(i32 %x)
  ret i32 %y
}

define internal i32 @variadic(i32 %x, ...) {
  ret i32 %x
}

define internal float @flushes(float %x) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %y = fadd float %x, %x
  ret float %y
}

define ptx_kernel void @kernel(ptr %p) {
  ret void
}

define ptx_kernel void @k(ptr %p, i32 %a, float %f) {
  %1 = call i32 @visible(i32 %a)
  %2 = call i32 @replaceable(i32 %1)
  %3 = call i32 @marked(i32 %2)
  %4 = call i32 @debugged(i32 %3)
  %5 = call i32 @plain(i32 %4) noinline
  %6 = call i32 @recursive(i32 %5)
  %7 = call i32 @even(i32 %6)
  %8 = call i32 (i32, ...) @variadic(i32 %7, i32 1)
  %9 = call float @flushes(float %f)
  call ptx_kernel void @kernel(ptr %p)
  store i32 %8, ptr %p
  store float %9, ptr %p
  ret void
}

define internal void @not_optimized(ptr %p, i32 %a) noinline optnone {
  %1 = call i32 @plain(i32 %a)
  store i32 %1, ptr %p
  ret void
}

define void @user(ptr %p, i32 %a) {
  call void @not_optimized(ptr %p, i32 %a)
  ret void
}

; expect ll:
; define i32 @visible(i32 %x) {
;   ret i32 %x
; }
;
; define weak i32 @replaceable(i32 %x) {
;   ret i32 %x
; }
;
; ; Function Attrs: noinline
; define internal i32 @marked(i32 %x) #0 {
;   ret i32 %x
; }
;
; ; Function Attrs: noinline optnone
; define internal i32 @debugged(i32 %x) #1 {
;   ret i32 %x
; }
;
; define internal i32 @plain(i32 %x) {
;   ret i32 %x
; }
;
; define internal i32 @recursive(i32 %x) {
;   %y = call i32 @recursive(i32 %x)
;   ret i32 %y
; }
;
; define internal i32 @even(i32 %x) {
;   %y = call i32 @odd(i32 %x)
;   ret i32 %y
; }
;
; ; Function Attrs: alwaysinline
; define internal i32 @odd(i32 %x) #2 {
;   %y = call i32 @even(i32 %x)
;   ret i32 %y
; }
;
; define internal i32 @variadic(i32 %x, ...) {
;   ret i32 %x
; }
;
; define internal float @flushes(float %x) #3 {
;   %y = fadd float %x, %x
;   ret float %y
; }
;
; define ptx_kernel void @kernel(ptr %p) {
;   ret void
; }
;
; define ptx_kernel void @k(ptr %p, i32 %a, float %f) {
;   %1 = call i32 @visible(i32 %a)
;   %2 = call i32 @replaceable(i32 %1)
;   %3 = call i32 @marked(i32 %2)
;   %4 = call i32 @debugged(i32 %3)
;   %5 = call i32 @plain(i32 %4) #0
;   %6 = call i32 @recursive(i32 %5)
;   %7 = call i32 @even(i32 %6)
;   %8 = call i32 (i32, ...) @variadic(i32 %7, i32 1)
;   %9 = call float @flushes(float %f)
;   call ptx_kernel void @kernel(ptr %p)
;   store i32 %8, ptr %p
;   store float %9, ptr %p
;   ret void
; }
;
; ; Function Attrs: noinline optnone
; define internal void @not_optimized(ptr %p, i32 %a) #1 {
;   %1 = call i32 @plain(i32 %a)
;   store i32 %1, ptr %p
;   ret void
; }
;
; define void @user(ptr %p, i32 %a) {
;   call void @not_optimized(ptr %p, i32 %a)
;   ret void
; }
;
; attributes #0 = { noinline }
; attributes #1 = { noinline optnone }
; attributes #2 = { alwaysinline }
; attributes #3 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
