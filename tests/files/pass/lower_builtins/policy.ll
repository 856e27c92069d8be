; test: pass lower_builtins --arch sm_80
; A cache policy comes in the bundle "L2::cache_hint". It goes where an instruction has no place for it.
target triple = "nvptx64-nvidia-cuda"

@counter = addrspace(3) global i32 poison

declare i32 @__nvvm_atom_add_gen_i(ptr, i32)
declare i32 @__nv_atomic_fetch_add_4_u(ptr, i32, i32, i32)
declare i32 @__nv_atomic_load_4(ptr, i32, i32)

define i32 @f(ptr %p, i32 %v, i64 %policy) {
  %a = call i32 @__nvvm_atom_add_gen_i(ptr %p, i32 %v) [ "L2::cache_hint"(i64 %policy) ]
  %b = call i32 @__nv_atomic_fetch_add_4_u(ptr %p, i32 %a, i32 2, i32 3) [ "L2::cache_hint"(i64 %policy) ]
  %c = call i32 @__nv_atomic_load_4(ptr %p, i32 0, i32 3) [ "L2::cache_hint"(i64 %policy) ]
  %d = call i32 @__nv_atomic_fetch_add_4_u(ptr addrspacecast (ptr addrspace(3) @counter to ptr), i32 %b, i32 2, i32 3) [ "L2::cache_hint"(i64 %policy) ]
  ret i32 %d
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; @counter = addrspace(3) global i32 poison
;
; declare i32 @__nvvm_atom_add_gen_i(ptr, i32)
;
; declare i32 @__nv_atomic_fetch_add_4_u(ptr, i32, i32, i32)
;
; declare i32 @__nv_atomic_load_4(ptr, i32, i32)
;
; define i32 @f(ptr %p, i32 %v, i64 %policy) {
;   %1 = call i32 asm sideeffect "atom.relaxed.gpu.add.L2::cache_hint.u32 $0, [$1], $2, $3;", "=r,l,r,l,~{memory}"(ptr %p, i32 %v, i64 %policy)
;   %2 = call i32 asm sideeffect "atom.acquire.gpu.add.L2::cache_hint.u32 $0, [$1], $2, $3;", "=r,l,r,l,~{memory}"(ptr %p, i32 %1, i64 %policy)
;   %3 = call i32 asm sideeffect "ld.relaxed.gpu.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l,~{memory}"(ptr %p, i64 %policy)
;   %4 = atomicrmw add ptr addrspace(3) @counter, i32 %2 syncscope("device") acquire, align 4
;   ret i32 %4
; }
