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
declare i32 @__nvvm_atom_add_gen_i(ptr, i32, i32)
declare i64 @__nvvm_atom_max_gen_i(ptr, i64)
declare i128 @__nvvm_atom_cas_gen_128(ptr, i128, i128)
declare <2 x float> @__nvvm_atom_add_gen_f2(ptr, <2 x float>)
declare void @__nv_threadfence_cluster_impl()

define void @f(ptr %p, i32 %n, i128 %q, <2 x float> %v) {
  %a = call i32 @__nv_atomic_load_4(ptr %p, i32 3, i32 3) ; error: unexpected memory order. an atomic load cannot have order release
  %b = call i32 @__nv_atomic_load_4(ptr %p, i32 %n, i32 3) ; error: argument 2, the memory order, is not a constant
  %c = call i32 @__nv_atomic_load_4(ptr %p, i32 6, i32 3) ; error: unexpected memory order. `6` is no memory order
  %d = call i32 @__nv_atomic_load_4(ptr %p, i32 2, i32 5) ; error: unexpected atomic operation scope. `5` is no
  %e = call i32 @__nv_atomic_load_4(ptr %p, i32 2, i32 %n) ; error: argument 3, the scope, is not a constant
  call void @__nv_atomic_store_4(ptr %p, i32 1, i32 2, i32 3) ; error: an atomic store cannot have order acquire
  call void @__nv_atomic_load(ptr %p, ptr %p, i32 2, i32 3) ; error: it is not known how large the value is
  %g = call i64 @__nv_atomic_fetch_add_4_u(ptr %p, i64 1, i32 2, i32 3) ; error: argument 2 has type `i64`, not `i32`
  %h = call i128 @__nv_atomic_exchange_16(ptr %p, i128 %q, i32 2, i32 3) ; error: sm_80 has no `atom.acquire.gpu.exch.b128`
  %i = call i32 @__nv_atomic_fetch_nand_4(ptr %p, i32 1, i32 2, i32 3) ; error: unexpected atomic builtin function
  %j = call i32 @__nv_atomic_fetch_max(ptr %p, i32 1, i32 2, i32 3) ; error: integers of LLVM have no sign
  %k = call i24 @__nv_atomic_load_n(ptr %p, i32 2, i32 3) ; error: unexpected size1
  call void @__nv_atomic_thread_fence(i32 %n, i32 3) ; error: argument 1, the memory order, is not a constant
  %l = call i32 @__nvvm_atom_add_gen_i(ptr %p, i32 1, i32 1) ; error: it is called with 3 arguments
  %m = call i64 @__nvvm_atom_max_gen_i(ptr %p, i64 1) ; error: argument 2 has type `i64`, not `i32`
  %o = call i128 @__nvvm_atom_cas_gen_128(ptr %p, i128 %q, i128 1) ; error: sm_80 has no such atomic
  %r = call <2 x float> @__nvvm_atom_add_gen_f2(ptr %p, <2 x float> %v) ; error: sm_80 has no such atomic
  call void @__nv_threadfence_cluster_impl() ; error: sm_80 has no clusters
  ret void
}
