; test: pass lower_builtins --arch sm_60
; Before sm_70 there are no orders: volatile accesses, atomics with a scope, and `membar`.
target triple = "nvptx64-nvidia-cuda"

declare i32 @__nv_atomic_load_4(ptr, i32, i32)
declare void @__nv_atomic_store_4(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_max_4_u(ptr, i32, i32, i32)
declare void @__nv_atomic_thread_fence(i32, i32)

define i32 @f(ptr %p, i32 %v) {
  %a = call i32 @__nv_atomic_load_4(ptr %p, i32 2, i32 3) ; warning: there are no memory orders, `membar` is used (NV3762, nvcc's 20305-D)
  call void @__nv_atomic_store_4(ptr %p, i32 %v, i32 5, i32 4) ; warning: 20305-D
  %b = call i32 @__nv_atomic_fetch_max_4_u(ptr %p, i32 %v, i32 4, i32 2) ; warning: on sm_60: there are no
  call void @__nv_atomic_thread_fence(i32 0, i32 1) ; warning: 20305-D
  ret i32 %a
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; declare i32 @__nv_atomic_load_4(ptr, i32, i32)
;
; declare void @__nv_atomic_store_4(ptr, i32, i32, i32)
;
; declare i32 @__nv_atomic_fetch_max_4_u(ptr, i32, i32, i32)
;
; declare void @__nv_atomic_thread_fence(i32, i32)
;
; define i32 @f(ptr %p, i32 %v) {
;   %1 = load atomic i32, ptr %p syncscope("device") acquire, align 4
;   store atomic i32 %v, ptr %p seq_cst, align 4
;   %2 = atomicrmw umax ptr %p, i32 %v syncscope("device") acq_rel, align 4
;   fence syncscope("block") seq_cst
;   ret i32 %1
; }
