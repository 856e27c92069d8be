; test: pass lower_builtins --arch sm_80
; Names without a size take it as first argument and pass values after pointers.
target triple = "nvptx64-nvidia-cuda"

declare void @__nv_atomic_load(i64, ptr, ptr, i32, i32)
declare void @__nv_atomic_store(i64, ptr, ptr, i32)
declare void @__nv_atomic_exchange(i64, ptr, ptr, ptr, i32, i32)
declare i8 @__nv_atomic_compare_exchange(i64, ptr, ptr, ptr, i1, i32, i32, i32)
declare i32 @__nv_atomic_load_n(ptr, i32)
declare i32 @__nv_atomic_fetch_add(ptr, i32, i32, i32)
declare void @__nv_atomic_sub(ptr, float, i32, i32)

define i8 @f(ptr %p, ptr %a, ptr %b) {
  call void @__nv_atomic_load(i64 8, ptr %p, ptr align 8 %a, i32 2, i32 3)
  call void @__nv_atomic_store(i64 4, ptr %p, ptr %a, i32 3)
  call void @__nv_atomic_exchange(i64 4, ptr %p, ptr align 4 %a, ptr align 4 %b, i32 4, i32 1)
  %ok = call i8 @__nv_atomic_compare_exchange(i64 4, ptr %p, ptr align 4 %a, ptr align 4 %b, i1 false, i32 2, i32 0, i32 3)
  ret i8 %ok
}

define i32 @overloads(ptr %p, float %f) {
  %a = call i32 @__nv_atomic_load_n(ptr %p, i32 2)
  %b = call i32 @__nv_atomic_fetch_add(ptr %p, i32 %a, i32 0, i32 3)
  call void @__nv_atomic_sub(ptr %p, float %f, i32 0, i32 3)
  ret i32 %b
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; declare void @__nv_atomic_load(i64, ptr, ptr, i32, i32)
;
; declare void @__nv_atomic_store(i64, ptr, ptr, i32)
;
; declare void @__nv_atomic_exchange(i64, ptr, ptr, ptr, i32, i32)
;
; declare i8 @__nv_atomic_compare_exchange(i64, ptr, ptr, ptr, i1, i32, i32, i32)
;
; declare i32 @__nv_atomic_load_n(ptr, i32)
;
; declare i32 @__nv_atomic_fetch_add(ptr, i32, i32, i32)
;
; declare void @__nv_atomic_sub(ptr, float, i32, i32)
;
; define i8 @f(ptr %p, ptr %a, ptr %b) {
;   %1 = load atomic i64, ptr %p syncscope("device") acquire, align 8
;   store i64 %1, ptr %a, align 8
;   %2 = load i32, ptr %a, align 1
;   store atomic i32 %2, ptr %p release, align 4
;   %3 = load i32, ptr %a, align 4
;   %4 = atomicrmw xchg ptr %p, i32 %3 syncscope("block") acq_rel, align 4
;   store i32 %4, ptr %b, align 4
;   %5 = load i32, ptr %a, align 4
;   %6 = load i32, ptr %b, align 4
;   %7 = cmpxchg ptr %p, i32 %5, i32 %6 syncscope("device") acquire acquire, align 4
;   %8 = extractvalue { i32, i1 } %7, 0
;   %9 = extractvalue { i32, i1 } %7, 1
;   br i1 %9, label %11, label %10
;
; 10:                                               ; preds = %0
;   store i32 %8, ptr %a, align 4
;   br label %11
;
; 11:                                               ; preds = %10, %0
;   %12 = zext i1 %9 to i8
;   ret i8 %12
; }
;
; define i32 @overloads(ptr %p, float %f) {
;   %1 = load atomic i32, ptr %p acquire, align 4
;   %2 = atomicrmw add ptr %p, i32 %1 syncscope("device") monotonic, align 4
;   %3 = fsub float 0.000000e+00, %f
;   %4 = atomicrmw fadd ptr %p, float %3 syncscope("device") monotonic, align 4
;   ret i32 %2
; }
