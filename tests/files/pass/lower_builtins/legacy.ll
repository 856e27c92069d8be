; test: pass lower_builtins --arch sm_90
; CUDA's atomics are relaxed; the scope stands in the name.
target triple = "nvptx64-nvidia-cuda"

@counter = addrspace(3) global i32 poison

declare i32 @__nvvm_atom_add_gen_i(ptr, i32)
declare i64 @__nvvm_atom_sys_xchg_gen_ll(ptr, i64)
declare float @__nvvm_atom_add_gen_f(ptr, float)
declare double @__nvvm_atom_cta_add_gen_d(ptr, double)
declare i32 @__nvvm_atom_max_gen_i(ptr, i32)
declare i32 @__nvvm_atom_max_gen_ui(ptr, i32)
declare i32 @__nvvm_atom_cta_inc_gen_ui(ptr, i32)
declare i32 @__nvvm_atom_dec_gen_ui(ptr, i32)
declare i64 @__nvvm_atom_xor_gen_ll(ptr, i64)
declare i16 @__nvvm_atom_cas_gen_us(ptr, i16, i16)
declare i128 @__nvvm_atom_sys_cas_gen_128(ptr, i128, i128)
declare i128 @__nvvm_atom_xchg_gen_128(ptr, i128)

define i32 @integers(ptr %p, i32 %v, i64 %w) {
  %a = call i32 @__nvvm_atom_add_gen_i(ptr %p, i32 %v)
  %b = call i64 @__nvvm_atom_sys_xchg_gen_ll(ptr %p, i64 %w)
  %c = call i32 @__nvvm_atom_max_gen_i(ptr %p, i32 %a)
  %d = call i32 @__nvvm_atom_max_gen_ui(ptr %p, i32 %c)
  %e = call i32 @__nvvm_atom_cta_inc_gen_ui(ptr addrspacecast (ptr addrspace(3) @counter to ptr), i32 %d)
  %f = call i32 @__nvvm_atom_dec_gen_ui(ptr %p, i32 %e)
  %g = call i64 @__nvvm_atom_xor_gen_ll(ptr %p, i64 %b)
  ret i32 %f
}

define double @floats(ptr %p, float %v, double %w) {
  %a = call float @__nvvm_atom_add_gen_f(ptr %p, float %v)
  %b = call double @__nvvm_atom_cta_add_gen_d(ptr %p, double %w)
  ret double %b
}

define i128 @swaps(ptr %p, i16 %s, i128 %v) {
  %a = call i16 @__nvvm_atom_cas_gen_us(ptr %p, i16 %s, i16 1)
  %b = call i128 @__nvvm_atom_sys_cas_gen_128(ptr %p, i128 %v, i128 0)
  %c = call i128 @__nvvm_atom_xchg_gen_128(ptr %p, i128 %b)
  ret i128 %c
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; @counter = addrspace(3) global i32 poison
;
; declare i32 @__nvvm_atom_add_gen_i(ptr, i32)
;
; declare i64 @__nvvm_atom_sys_xchg_gen_ll(ptr, i64)
;
; declare float @__nvvm_atom_add_gen_f(ptr, float)
;
; declare double @__nvvm_atom_cta_add_gen_d(ptr, double)
;
; declare i32 @__nvvm_atom_max_gen_i(ptr, i32)
;
; declare i32 @__nvvm_atom_max_gen_ui(ptr, i32)
;
; declare i32 @__nvvm_atom_cta_inc_gen_ui(ptr, i32)
;
; declare i32 @__nvvm_atom_dec_gen_ui(ptr, i32)
;
; declare i64 @__nvvm_atom_xor_gen_ll(ptr, i64)
;
; declare i16 @__nvvm_atom_cas_gen_us(ptr, i16, i16)
;
; declare i128 @__nvvm_atom_sys_cas_gen_128(ptr, i128, i128)
;
; declare i128 @__nvvm_atom_xchg_gen_128(ptr, i128)
;
; define i32 @integers(ptr %p, i32 %v, i64 %w) {
;   %1 = atomicrmw add ptr %p, i32 %v syncscope("device") monotonic, align 4
;   %2 = atomicrmw xchg ptr %p, i64 %w monotonic, align 8
;   %3 = atomicrmw max ptr %p, i32 %1 syncscope("device") monotonic, align 4
;   %4 = atomicrmw umax ptr %p, i32 %3 syncscope("device") monotonic, align 4
;   %5 = atomicrmw uinc_wrap ptr addrspace(3) @counter, i32 %4 syncscope("block") monotonic, align 4
;   %6 = atomicrmw udec_wrap ptr %p, i32 %5 syncscope("device") monotonic, align 4
;   %7 = atomicrmw xor ptr %p, i64 %2 syncscope("device") monotonic, align 8
;   ret i32 %6
; }
;
; define double @floats(ptr %p, float %v, double %w) {
;   %1 = atomicrmw fadd ptr %p, float %v syncscope("device") monotonic, align 4
;   %2 = atomicrmw fadd ptr %p, double %w syncscope("block") monotonic, align 8
;   ret double %2
; }
;
; define i128 @swaps(ptr %p, i16 %s, i128 %v) {
;   %1 = cmpxchg ptr %p, i16 %s, i16 1 syncscope("device") monotonic monotonic, align 2
;   %2 = extractvalue { i16, i1 } %1, 0
;   %3 = extractvalue { i16, i1 } %1, 1
;   %4 = cmpxchg ptr %p, i128 %v, i128 0 monotonic monotonic, align 16
;   %5 = extractvalue { i128, i1 } %4, 0
;   %6 = extractvalue { i128, i1 } %4, 1
;   %7 = atomicrmw xchg ptr %p, i128 %5 syncscope("device") monotonic, align 16
;   ret i128 %7
; }
