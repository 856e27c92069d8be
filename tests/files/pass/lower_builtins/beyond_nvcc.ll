; test: pass lower_builtins --arch sm_90
; Rows of the table whose types nvcc's front end refuses, or makes PTX of that ptxas refuses: signed sums of 8
; bytes are the unsigned ones; minima and maxima of floating-point numbers become loops later.
target triple = "nvptx64-nvidia-cuda"

declare i64 @__nv_atomic_fetch_add_8_s(ptr, i64, i32, i32)
declare i64 @__nv_atomic_fetch_sub_8_s(ptr, i64, i32, i32)
declare float @__nv_atomic_fetch_min_4_f(ptr, float, i32, i32)
declare double @__nv_atomic_fetch_max_8_f(ptr, double, i32, i32)

define double @f(ptr %p, i64 %v, float %f, double %d) {
  %a = call i64 @__nv_atomic_fetch_add_8_s(ptr %p, i64 %v, i32 0, i32 3)
  %b = call i64 @__nv_atomic_fetch_sub_8_s(ptr %p, i64 %a, i32 2, i32 0)
  %c = call float @__nv_atomic_fetch_min_4_f(ptr %p, float %f, i32 5, i32 4)
  %e = call double @__nv_atomic_fetch_max_8_f(ptr %p, double %d, i32 1, i32 1)
  ret double %e
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; declare i64 @__nv_atomic_fetch_add_8_s(ptr, i64, i32, i32)
;
; declare i64 @__nv_atomic_fetch_sub_8_s(ptr, i64, i32, i32)
;
; declare float @__nv_atomic_fetch_min_4_f(ptr, float, i32, i32)
;
; declare double @__nv_atomic_fetch_max_8_f(ptr, double, i32, i32)
;
; define double @f(ptr %p, i64 %v, float %f, double %d) {
;   %1 = atomicrmw add ptr %p, i64 %v syncscope("device") monotonic, align 8
;   %2 = sub i64 0, %1
;   %3 = atomicrmw add ptr %p, i64 %2 syncscope("block") acquire, align 8
;   %4 = atomicrmw fmin ptr %p, float %f seq_cst, align 4
;   %5 = atomicrmw fmax ptr %p, double %d syncscope("block") acquire, align 8
;   ret double %5
; }
