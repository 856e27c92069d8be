; test: pass lower_builtins --arch sm_80
; Names without a size take it as first argument and pass values behind pointers.
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
;   %1 = call i64 asm sideeffect "ld.acquire.gpu.b64 $0, [$1];", "=l,l,~{memory}"(ptr %p)
;   store i64 %1, ptr %a, align 8
;   %2 = load i32, ptr %a, align 1
;   call void asm sideeffect "st.release.sys.b32 [$0], $1;", "l,r,~{memory}"(ptr %p, i32 %2)
;   %3 = load i32, ptr %a, align 4
;   %4 = call i32 asm sideeffect "atom.acq_rel.cta.exch.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %p, i32 %3)
;   store i32 %4, ptr %b, align 4
;   %5 = load i32, ptr %a, align 4
;   %6 = load i32, ptr %b, align 4
;   %7 = call i32 asm sideeffect "atom.acquire.gpu.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,~{memory}"(ptr %p, i32 %5, i32 %6)
;   %8 = icmp eq i32 %7, %5
;   br i1 %8, label %10, label %9
;
; 9:                                                ; preds = %0
;   store i32 %7, ptr %a, align 4
;   br label %10
;
; 10:                                               ; preds = %9, %0
;   %11 = zext i1 %8 to i8
;   ret i8 %11
; }
;
; define i32 @overloads(ptr %p, float %f) {
;   %1 = call i32 asm sideeffect "ld.acquire.sys.b32 $0, [$1];", "=r,l,~{memory}"(ptr %p)
;   %2 = call i32 asm sideeffect "atom.relaxed.gpu.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %p, i32 %1)
;   %3 = fsub float 0.000000e+00, %f
;   %4 = call float asm sideeffect "atom.relaxed.gpu.add.f32 $0, [$1], $2;", "=f,l,f,~{memory}"(ptr %p, float %3)
;   ret i32 %2
; }
