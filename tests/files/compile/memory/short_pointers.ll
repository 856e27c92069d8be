; Pointers of 32 bits: parameters, arguments, initial values, the stack.
; test: compile --arch sm_75
; check: .visible .global .align 4 .u32 cp = c;
; check: .param .b32 .ptr .shared .align 1 k_param_0,
; check: .param .b32 .ptr .const .align 8 k_param_1,
; check: mov.b32 %SPL, __local_depot0;
; check: st.param.b32 [param0], *;
; check: alloca.u64 *, *, 8;
; check: cvt.u32.u64 *
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [8 x i32] undef
@c = internal addrspace(4) constant [2 x i32] [i32 1, i32 2]
@cp = addrspace(1) global ptr addrspace(4) @c
define ptx_kernel void @k(ptr addrspace(3) %p, ptr addrspace(4) align 8 %q, ptr addrspace(1) %o) {
  %x = load i32, ptr addrspace(3) %p
  %y = load i32, ptr addrspace(4) %q
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %o
  %l = alloca i32, addrspace(5)
  store i32 5, ptr addrspace(5) %l
  %g = addrspacecast ptr addrspace(5) %l to ptr
  %r = call i32 @f(ptr addrspace(3) @s, ptr addrspace(5) %l, ptr %g)
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define i32 @f(ptr addrspace(3) %p, ptr addrspace(5) %q, ptr %g) noinline {
  store i32 1, ptr addrspace(3) %p
  %v = load i32, ptr addrspace(5) %q
  %w = load i32, ptr %g
  %d = alloca i32, i32 %v, addrspace(5)
  store i32 %w, ptr addrspace(5) %d
  %u = load volatile i32, ptr addrspace(5) %d
  ret i32 %u
}
