; What cannot be compiled is named with what would work.
; test: compile --arch sm_80
target triple = "nvptx64-nvidia-cuda"
declare i128 @__nv_atomic_exchange_16(ptr, i128, i32, i32)
declare i128 @__nvvm_atom_xchg_gen_128(ptr, i128)
declare <2 x float> @__nvvm_atom_sys_add_gen_f2(ptr, <2 x float>)
declare i32 @__nv_atomic_load_4(ptr, i32, i32)

define void @f(ptr %p, i128 %q, <2 x float> %v, i32 %order) {
  %a = call i128 @__nv_atomic_exchange_16(ptr %p, i128 %q, i32 2, i32 3) ; error: no exchanges of 16 bytes (NV3764)
  %b = call i128 @__nvvm_atom_xchg_gen_128(ptr %p, i128 %q) ; error: sm_80 has no such atomic
  %c = call <2 x float> @__nvvm_atom_sys_add_gen_f2(ptr %p, <2 x float> %v) ; error: sm_80 has no such atomic
  %d = call i32 @__nv_atomic_load_4(ptr %p, i32 %order, i32 3) ; error: a memory order is not a constant (NV3755)
  ret void
}
