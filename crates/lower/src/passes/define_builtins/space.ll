; Which space an address is in, and addresses between spaces.

define i32 @__nv_isGlobal_impl(ptr %address) {
  %is = call i1 @llvm.nvvm.isspacep.global(ptr %address)
  %result = zext i1 %is to i32
  ret i32 %result
}

define i32 @__nv_isShared_impl(ptr %address) {
  %is = call i1 @llvm.nvvm.isspacep.shared(ptr %address)
  %result = zext i1 %is to i32
  ret i32 %result
}

define i32 @__nv_isConstant_impl(ptr %address) {
  %is = call i1 @llvm.nvvm.isspacep.const(ptr %address)
  %result = zext i1 %is to i32
  ret i32 %result
}

define i32 @__nv_isLocal_impl(ptr %address) {
  %is = call i1 @llvm.nvvm.isspacep.local(ptr %address)
  %result = zext i1 %is to i32
  ret i32 %result
}

; LLVM has no intrinsic for the space of kernel parameters.
define i32 @__nv_isGridConstant_impl(ptr %address) {
  %result = call i32 asm "{\0A\09.reg .pred p;\0A\09isspacep.param p, $1;\0A\09selp.u32 $0, 1, 0, p;\0A\09}", "=r,l"(ptr %address)
  ret i32 %result
}

define i64 @__nv_cvta_generic_to_global_impl(ptr %address) {
  %there = addrspacecast ptr %address to ptr addrspace(1)
  %result = ptrtoint ptr addrspace(1) %there to i64
  ret i64 %result
}

define i64 @__nv_cvta_generic_to_shared_impl(ptr %address) {
  %there = addrspacecast ptr %address to ptr addrspace(3)
  %result = ptrtoint ptr addrspace(3) %there to i64
  ret i64 %result
}

define i64 @__nv_cvta_generic_to_constant_impl(ptr %address) {
  %there = addrspacecast ptr %address to ptr addrspace(4)
  %result = ptrtoint ptr addrspace(4) %there to i64
  ret i64 %result
}

define i64 @__nv_cvta_generic_to_local_impl(ptr %address) {
  %there = addrspacecast ptr %address to ptr addrspace(5)
  %result = ptrtoint ptr addrspace(5) %there to i64
  ret i64 %result
}

define ptr @__nv_cvta_global_to_generic_impl(i64 %address) {
  %there = inttoptr i64 %address to ptr addrspace(1)
  %result = addrspacecast ptr addrspace(1) %there to ptr
  ret ptr %result
}

define ptr @__nv_cvta_shared_to_generic_impl(i64 %address) {
  %there = inttoptr i64 %address to ptr addrspace(3)
  %result = addrspacecast ptr addrspace(3) %there to ptr
  ret ptr %result
}

define ptr @__nv_cvta_constant_to_generic_impl(i64 %address) {
  %there = inttoptr i64 %address to ptr addrspace(4)
  %result = addrspacecast ptr addrspace(4) %there to ptr
  ret ptr %result
}

define ptr @__nv_cvta_local_to_generic_impl(i64 %address) {
  %there = inttoptr i64 %address to ptr addrspace(5)
  %result = addrspacecast ptr addrspace(5) %there to ptr
  ret ptr %result
}

declare i1 @llvm.nvvm.isspacep.global(ptr)
declare i1 @llvm.nvvm.isspacep.shared(ptr)
declare i1 @llvm.nvvm.isspacep.const(ptr)
declare i1 @llvm.nvvm.isspacep.local(ptr)
