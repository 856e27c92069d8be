; test: pass lower_builtins --arch sm_90
; Orders: 0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst.
; Scopes: 0 thread, 1 block, 2 cluster, 3 device, 4 system.
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(3) global [64 x i32] poison

declare i8 @__nv_atomic_load_1(ptr, i32, i32)
declare i16 @__nv_atomic_load_2(ptr, i32, i32)
declare i32 @__nv_atomic_load_4(ptr, i32, i32)
declare i64 @__nv_atomic_load_8(ptr, i32, i32)
declare i128 @__nv_atomic_load_16(ptr, i32, i32)
declare void @__nv_atomic_store_1(ptr, i8, i32, i32)
declare void @__nv_atomic_store_2(ptr, i16, i32, i32)
declare void @__nv_atomic_store_16(ptr, i128, i32, i32)
declare i32 @__nv_atomic_fetch_add_4_u(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_add_4_s(ptr, i32, i32, i32)
declare double @__nv_atomic_fetch_add_8_f(ptr, double, i32, i32)
declare i64 @__nv_atomic_fetch_sub_8_u(ptr, i64, i32, i32)
declare float @__nv_atomic_fetch_sub_4_f(ptr, float, i32, i32)
declare i64 @__nv_atomic_fetch_min_8_s(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_or_4(ptr, i32, i32, i32)
declare i128 @__nv_atomic_exchange_16(ptr, i128, i32, i32)
declare i1 @__nv_atomic_compare_exchange_4(ptr, ptr, i32, i1, i32, i32, i32)
declare void @__nv_atomic_thread_fence(i32, i32)

define i128 @loads(ptr %p) {
  %a = call i8 @__nv_atomic_load_1(ptr %p, i32 2, i32 3)
  %b = call i16 @__nv_atomic_load_2(ptr %p, i32 1, i32 2)
  %c = call i32 @__nv_atomic_load_4(ptr %p, i32 5, i32 4)
  %d = call i64 @__nv_atomic_load_8(ptr %p, i32 0, i32 1)
  %e = call i128 @__nv_atomic_load_16(ptr %p, i32 2, i32 0)
  ret i128 %e
}

define void @stores(ptr %p, i8 %a, i16 %b, i128 %c) {
  call void @__nv_atomic_store_1(ptr %p, i8 %a, i32 3, i32 3)
  call void @__nv_atomic_store_2(ptr %p, i16 %b, i32 5, i32 3)
  call void @__nv_atomic_store_16(ptr %p, i128 %c, i32 0, i32 4)
  ret void
}

define i128 @updates(ptr %p, i32 %i, i64 %l, float %f, double %d, i128 %q) {
  %a = call i32 @__nv_atomic_fetch_add_4_u(ptr %p, i32 %i, i32 5, i32 3)
  %b = call i32 @__nv_atomic_fetch_add_4_s(ptr %p, i32 %i, i32 4, i32 3)
  %c = call double @__nv_atomic_fetch_add_8_f(ptr %p, double %d, i32 0, i32 3)
  %e = call i64 @__nv_atomic_fetch_sub_8_u(ptr %p, i64 %l, i32 3, i32 3)
  %g = call float @__nv_atomic_fetch_sub_4_f(ptr %p, float %f, i32 2, i32 3)
  %h = call i64 @__nv_atomic_fetch_min_8_s(ptr %p, i64 %l, i32 2, i32 3)
  %k = call i128 @__nv_atomic_exchange_16(ptr %p, i128 %q, i32 5, i32 2)
  ret i128 %k
}

; A space that is plain to see is printed.
define i32 @shared(i64 %at, ptr addrspace(1) %p) {
  %slot = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @table to ptr), i64 %at
  %a = call i32 @__nv_atomic_fetch_or_4(ptr %slot, i32 1, i32 0, i32 1)
  %b = call i32 @__nv_atomic_fetch_or_4(ptr addrspace(1) %p, i32 1, i32 0, i32 1)
  ret i32 %a
}

; What a failed swap found goes to `expected`; the release and the acquire both hold.
define i1 @swap(ptr %p, ptr %expected, i32 %v) {
  %ok = call i1 @__nv_atomic_compare_exchange_4(ptr %p, ptr %expected, i32 %v, i1 false, i32 3, i32 2, i32 3)
  ret i1 %ok
}

define i32 @swap_with_a_variable(ptr %p, i32 %e, i32 %v) {
  %expected = alloca i32
  store i32 %e, ptr %expected
  %ok = call i1 @__nv_atomic_compare_exchange_4(ptr %p, ptr %expected, i32 %v, i1 true, i32 5, i32 0, i32 3)
  %found = load i32, ptr %expected
  ret i32 %found
}

define void @fences() {
  call void @__nv_atomic_thread_fence(i32 4, i32 3)
  call void @__nv_atomic_thread_fence(i32 2, i32 2)
  ret void
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; @table = addrspace(3) global [64 x i32] poison
;
; declare i8 @__nv_atomic_load_1(ptr, i32, i32)
;
; declare i16 @__nv_atomic_load_2(ptr, i32, i32)
;
; declare i32 @__nv_atomic_load_4(ptr, i32, i32)
;
; declare i64 @__nv_atomic_load_8(ptr, i32, i32)
;
; declare i128 @__nv_atomic_load_16(ptr, i32, i32)
;
; declare void @__nv_atomic_store_1(ptr, i8, i32, i32)
;
; declare void @__nv_atomic_store_2(ptr, i16, i32, i32)
;
; declare void @__nv_atomic_store_16(ptr, i128, i32, i32)
;
; declare i32 @__nv_atomic_fetch_add_4_u(ptr, i32, i32, i32)
;
; declare i32 @__nv_atomic_fetch_add_4_s(ptr, i32, i32, i32)
;
; declare double @__nv_atomic_fetch_add_8_f(ptr, double, i32, i32)
;
; declare i64 @__nv_atomic_fetch_sub_8_u(ptr, i64, i32, i32)
;
; declare float @__nv_atomic_fetch_sub_4_f(ptr, float, i32, i32)
;
; declare i64 @__nv_atomic_fetch_min_8_s(ptr, i64, i32, i32)
;
; declare i32 @__nv_atomic_fetch_or_4(ptr, i32, i32, i32)
;
; declare i128 @__nv_atomic_exchange_16(ptr, i128, i32, i32)
;
; declare i1 @__nv_atomic_compare_exchange_4(ptr, ptr, i32, i1, i32, i32, i32)
;
; declare void @__nv_atomic_thread_fence(i32, i32)
;
; define i128 @loads(ptr %p) {
;   %1 = load atomic i8, ptr %p syncscope("device") acquire, align 1
;   %2 = load atomic i16, ptr %p syncscope("cluster") acquire, align 2
;   %3 = load atomic i32, ptr %p seq_cst, align 4
;   %4 = load atomic i64, ptr %p syncscope("block") monotonic, align 8
;   %5 = load atomic i128, ptr %p syncscope("block") acquire, align 16
;   ret i128 %5
; }
;
; define void @stores(ptr %p, i8 %a, i16 %b, i128 %c) {
;   store atomic i8 %a, ptr %p syncscope("device") release, align 1
;   store atomic i16 %b, ptr %p syncscope("device") seq_cst, align 2
;   store atomic i128 %c, ptr %p monotonic, align 16
;   ret void
; }
;
; define i128 @updates(ptr %p, i32 %i, i64 %l, float %f, double %d, i128 %q) {
;   %1 = atomicrmw add ptr %p, i32 %i syncscope("device") seq_cst, align 4
;   %2 = atomicrmw add ptr %p, i32 %i syncscope("device") acq_rel, align 4
;   %3 = atomicrmw fadd ptr %p, double %d syncscope("device") monotonic, align 8
;   %4 = sub i64 0, %l
;   %5 = atomicrmw add ptr %p, i64 %4 syncscope("device") release, align 8
;   %6 = fsub float 0.000000e+00, %f
;   %7 = atomicrmw fadd ptr %p, float %6 syncscope("device") acquire, align 4
;   %8 = atomicrmw min ptr %p, i64 %l syncscope("device") acquire, align 8
;   %9 = atomicrmw xchg ptr %p, i128 %q syncscope("cluster") seq_cst, align 16
;   ret i128 %9
; }
;
; define i32 @shared(i64 %at, ptr addrspace(1) %p) {
;   %slot = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @table to ptr), i64 %at
;   %1 = getelementptr inbounds i32, ptr addrspace(3) @table, i64 %at
;   %2 = atomicrmw or ptr addrspace(3) %1, i32 1 syncscope("block") monotonic, align 4
;   %3 = atomicrmw or ptr addrspace(1) %p, i32 1 syncscope("block") monotonic, align 4
;   ret i32 %2
; }
;
; define i1 @swap(ptr %p, ptr %expected, i32 %v) {
;   %1 = load i32, ptr %expected, align 4
;   %2 = cmpxchg ptr %p, i32 %1, i32 %v syncscope("device") acq_rel acquire, align 4
;   %3 = extractvalue { i32, i1 } %2, 0
;   %4 = extractvalue { i32, i1 } %2, 1
;   br i1 %4, label %6, label %5
;
; 5:                                                ; preds = %0
;   store i32 %3, ptr %expected, align 4
;   br label %6
;
; 6:                                                ; preds = %5, %0
;   ret i1 %4
; }
;
; define i32 @swap_with_a_variable(ptr %p, i32 %e, i32 %v) {
;   %expected = alloca i32
;   store i32 %e, ptr %expected
;   %1 = load i32, ptr %expected, align 4
;   %2 = cmpxchg ptr %p, i32 %1, i32 %v syncscope("device") seq_cst seq_cst, align 4
;   %3 = extractvalue { i32, i1 } %2, 0
;   %4 = extractvalue { i32, i1 } %2, 1
;   store i32 %3, ptr %expected, align 4
;   %found = load i32, ptr %expected
;   ret i32 %found
; }
;
; define void @fences() {
;   fence syncscope("device") acq_rel
;   fence syncscope("cluster") seq_cst
;   ret void
; }
