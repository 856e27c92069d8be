; test: pass lower_builtins --arch sm_80
target triple = "nvptx64-nvidia-cuda"

declare i32 @__nv_atomic_load_4(ptr, i32, i32)
declare void @__nv_atomic_store_4(ptr, i32, i32, i32)
declare void @__nv_atomic_load(ptr, ptr, i32, i32)
declare i64 @__nv_atomic_fetch_add_4_u(ptr, i64, i32, i32)
declare i128 @__nv_atomic_exchange_16(ptr, i128, i32, i32)
declare i32 @__nv_atomic_fetch_nand_4(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_max(ptr, i32, i32, i32)
declare i24 @__nv_atomic_load_n(ptr, i32, i32)
declare void @__nv_atomic_thread_fence(i32, i32)
declare float @__nv_atomic_fetch_min(ptr, float, i32, i32)
declare i8 @__nv_atomic_fetch_add(ptr, i8, i32, i32)
declare i32 @__nvvm_atom_add_gen_i(ptr, i32, i32)
declare i64 @__nvvm_atom_max_gen_i(ptr, i64)
declare i128 @__nvvm_atom_cas_gen_128(ptr, i128, i128)
declare <2 x float> @__nvvm_atom_add_gen_f2(ptr, <2 x float>)

define void @f(ptr %p, i32 %n, i128 %q, <2 x float> %v) {
  %a = call i32 @__nv_atomic_load_4(ptr %p, i32 3, i32 3) ; error: a load cannot release (NV3756)
  %b = call i32 @__nv_atomic_load_4(ptr %p, i32 %n, i32 3) ; error: a memory order is not a constant (NV3755)
  %c = call i32 @__nv_atomic_load_4(ptr %p, i32 6, i32 3) ; error: 6 is not a memory order (NV3746)
  %d = call i32 @__nv_atomic_load_4(ptr %p, i32 2, i32 5) ; error: 5 is not a scope (NV3747)
  %e = call i32 @__nv_atomic_load_4(ptr %p, i32 2, i32 %n) ; error: the scope is not a constant (NV3754)
  call void @__nv_atomic_store_4(ptr %p, i32 1, i32 2, i32 3) ; error: a store cannot acquire (NV3757)
  call void @__nv_atomic_load(ptr %p, ptr %p, i32 2, i32 3) ; error: it is not known how large the value is
  %g = call i64 @__nv_atomic_fetch_add_4_u(ptr %p, i64 1, i32 2, i32 3) ; error: argument 2 has type `i64`, not `i32`
  %h = call i128 @__nv_atomic_exchange_16(ptr %p, i128 %q, i32 2, i32 3) ; error: no exchanges of 16 bytes (NV3764)
  %i = call i32 @__nv_atomic_fetch_nand_4(ptr %p, i32 1, i32 2, i32 3) ; error: unexpected atomic builtin function
  %j = call i32 @__nv_atomic_fetch_max(ptr %p, i32 1, i32 2, i32 3) ; error: integers of LLVM have no sign
  %k = call i24 @__nv_atomic_load_n(ptr %p, i32 2, i32 3) ; error: (NV1646)
  call void @__nv_atomic_thread_fence(i32 %n, i32 3) ; error: a memory order is not a constant (NV3755)
  %l = call i32 @__nvvm_atom_add_gen_i(ptr %p, i32 1, i32 1) ; error: it is called with 3 arguments
  %m = call i64 @__nvvm_atom_max_gen_i(ptr %p, i64 1) ; error: argument 2 has type `i64`, not `i32`
  %o = call i128 @__nvvm_atom_cas_gen_128(ptr %p, i128 %q, i128 1) ; error: sm_80 has no such atomic
  %r = call <2 x float> @__nvvm_atom_add_gen_f2(ptr %p, <2 x float> %v) ; error: sm_80 has no such atomic
  call void (ptr, i32) @__nv_atomic_store_4(ptr %p, i32 1) ; error: arguments are missing (NV165)
  %s = call float @__nv_atomic_fetch_min(ptr %p, float 1.0, i32 0, i32 3) ; error: no minima and maxima of floating-point numbers (NV3752)
  %t = call i8 @__nv_atomic_fetch_add(ptr %p, i8 1, i32 0, i32 3) ; error: the object has 1 bytes, not 4 or 8 (NV3748)
  ret void
}
