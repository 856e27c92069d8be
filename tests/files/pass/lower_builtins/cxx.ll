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
;   %1 = call i32 asm sideeffect "ld.acquire.gpu.b8 $0, [$1];", "=r,l,~{memory}"(ptr %p)
;   %2 = trunc i32 %1 to i8
;   %3 = call i16 asm sideeffect "ld.acquire.cluster.b16 $0, [$1];", "=h,l,~{memory}"(ptr %p)
;   call void asm sideeffect "fence.sc.sys;", "~{memory}"()
;   %4 = call i32 asm sideeffect "ld.acquire.sys.b32 $0, [$1];", "=r,l,~{memory}"(ptr %p)
;   %5 = call i64 asm sideeffect "ld.relaxed.cta.b64 $0, [$1];", "=l,l,~{memory}"(ptr %p)
;   %6 = call i128 asm sideeffect "ld.acquire.cta.b128 $0, [$1];", "=q,l,~{memory}"(ptr %p)
;   ret i128 %6
; }
;
; define void @stores(ptr %p, i8 %a, i16 %b, i128 %c) {
;   %1 = zext i8 %a to i32
;   call void asm sideeffect "st.release.gpu.b8 [$0], $1;", "l,r,~{memory}"(ptr %p, i32 %1)
;   call void asm sideeffect "fence.sc.gpu;", "~{memory}"()
;   call void asm sideeffect "st.relaxed.gpu.b16 [$0], $1;", "l,h,~{memory}"(ptr %p, i16 %b)
;   call void asm sideeffect "st.relaxed.sys.b128 [$0], $1;", "l,q,~{memory}"(ptr %p, i128 %c)
;   ret void
; }
;
; define i128 @updates(ptr %p, i32 %i, i64 %l, float %f, double %d, i128 %q) {
;   call void asm sideeffect "fence.sc.gpu;", "~{memory}"()
;   %1 = call i32 asm sideeffect "atom.acquire.gpu.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %p, i32 %i)
;   %2 = call i32 asm sideeffect "atom.acq_rel.gpu.add.s32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %p, i32 %i)
;   %3 = call double asm sideeffect "atom.relaxed.gpu.add.f64 $0, [$1], $2;", "=d,l,d,~{memory}"(ptr %p, double %d)
;   %4 = sub i64 0, %l
;   %5 = call i64 asm sideeffect "atom.release.gpu.add.u64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %p, i64 %4)
;   %6 = fsub float 0.000000e+00, %f
;   %7 = call float asm sideeffect "atom.acquire.gpu.add.f32 $0, [$1], $2;", "=f,l,f,~{memory}"(ptr %p, float %6)
;   %8 = call i64 asm sideeffect "atom.acquire.gpu.min.s64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %p, i64 %l)
;   call void asm sideeffect "fence.sc.cluster;", "~{memory}"()
;   %9 = call i128 asm sideeffect "atom.acquire.cluster.exch.b128 $0, [$1], $2;", "=q,l,q,~{memory}"(ptr %p, i128 %q)
;   ret i128 %9
; }
;
; define i32 @shared(i64 %at, ptr addrspace(1) %p) {
;   %slot = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @table to ptr), i64 %at
;   %1 = getelementptr inbounds i32, ptr addrspace(3) @table, i64 %at
;   %2 = call i32 asm sideeffect "atom.relaxed.cta.shared.or.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(3) %1, i32 1)
;   %3 = call i32 asm sideeffect "atom.relaxed.cta.global.or.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(1) %p, i32 1)
;   ret i32 %2
; }
;
; define i1 @swap(ptr %p, ptr %expected, i32 %v) {
;   %1 = load i32, ptr %expected, align 4
;   %2 = call i32 asm sideeffect "atom.acq_rel.gpu.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,~{memory}"(ptr %p, i32 %1, i32 %v)
;   %3 = icmp eq i32 %2, %1
;   br i1 %3, label %5, label %4
;
; 4:                                                ; preds = %0
;   store i32 %2, ptr %expected, align 4
;   br label %5
;
; 5:                                                ; preds = %4, %0
;   ret i1 %3
; }
;
; define i32 @swap_with_a_variable(ptr %p, i32 %e, i32 %v) {
;   %expected = alloca i32
;   store i32 %e, ptr %expected
;   %1 = load i32, ptr %expected, align 4
;   call void asm sideeffect "fence.sc.gpu;", "~{memory}"()
;   %2 = call i32 asm sideeffect "atom.acquire.gpu.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,~{memory}"(ptr %p, i32 %1, i32 %v)
;   %3 = icmp eq i32 %2, %1
;   store i32 %2, ptr %expected, align 4
;   %found = load i32, ptr %expected
;   ret i32 %found
; }
;
; define void @fences() {
;   call void asm sideeffect "fence.acq_rel.gpu;", "~{memory}"()
;   call void asm sideeffect "fence.sc.cluster;", "~{memory}"()
;   ret void
; }
