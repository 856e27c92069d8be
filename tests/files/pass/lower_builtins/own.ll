; test: pass lower_builtins --arch sm_90
; A function with a body is the user's own, whatever its name.
target triple = "nvptx64-nvidia-cuda"

define i32 @__nv_atomic_load_4(ptr %p, i32 %order, i32 %scope) {
  ret i32 7
}

define i32 @f(ptr %p) {
  %a = call i32 @__nv_atomic_load_4(ptr %p, i32 9, i32 9)
  ret i32 %a
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; define i32 @__nv_atomic_load_4(ptr %p, i32 %order, i32 %scope) {
;   ret i32 7
; }
;
; define i32 @f(ptr %p) {
;   %a = call i32 @__nv_atomic_load_4(ptr %p, i32 9, i32 9)
;   ret i32 %a
; }
