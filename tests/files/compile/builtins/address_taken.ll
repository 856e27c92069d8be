; test: compile --arch sm_90
; A builtin is replaced where it is called: there is no function whose address could be passed on.
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) constant [1 x ptr] [ptr @__nv_atomic_fetch_add_4_u]
declare i32 @__nv_atomic_fetch_add_4_u(ptr, i32, i32, i32) ; error: the address of a builtin is taken
declare void @__nvvm_membar_gl() ; error: the address of a builtin is taken
declare i32 @__nvvm_atom_add_gen_i(ptr, i32)

define void @call(ptr %f) {
  call void %f()
  ret void
}

define ptx_kernel void @k(ptr %p) {
  call void @call(ptr @__nvvm_membar_gl)
  %old = call i32 @__nvvm_atom_add_gen_i(ptr %p, i32 1)
  %f = load ptr, ptr addrspace(1) @table
  %new = call i32 %f(ptr %p, i32 %old, i32 0, i32 3)
  ret void
}
