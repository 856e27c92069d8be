; Copies, memory on the heap and the stack.

define void @__nv_memcpy_async_shared_global_4_impl(ptr %to, ptr %from, i32 %bytes) {
  %shared = addrspacecast ptr %to to ptr addrspace(3)
  %global = addrspacecast ptr %from to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %shared, ptr addrspace(1) %global, i32 %bytes)
  ret void
}

define void @__nv_memcpy_async_shared_global_8_impl(ptr %to, ptr %from, i32 %bytes) {
  %shared = addrspacecast ptr %to to ptr addrspace(3)
  %global = addrspacecast ptr %from to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3) %shared, ptr addrspace(1) %global, i32 %bytes)
  ret void
}

; The widest copy goes past the first cache, as nvcc has it.
define void @__nv_memcpy_async_shared_global_16_impl(ptr %to, ptr %from, i32 %bytes) {
  %shared = addrspacecast ptr %to to ptr addrspace(3)
  %global = addrspacecast ptr %from to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %shared, ptr addrspace(1) %global, i32 %bytes)
  ret void
}

; The property is a wish for the cache: the same address without it is right too.
define ptr @__nv_associate_access_property_impl(ptr %address, i64 %property) {
  ret ptr %address
}

define ptr @__gen_nvvm_memcpy_aligned1(ptr %to, ptr %from, i64 %bytes) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %to, ptr align 1 %from, i64 %bytes, i1 false)
  ret ptr %to
}

define ptr @__gen_nvvm_memcpy_aligned2(ptr %to, ptr %from, i64 %bytes) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %to, ptr align 2 %from, i64 %bytes, i1 false)
  ret ptr %to
}

define ptr @__gen_nvvm_memcpy_aligned4(ptr %to, ptr %from, i64 %bytes) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 %bytes, i1 false)
  ret ptr %to
}

define ptr @__gen_nvvm_memcpy_aligned8(ptr %to, ptr %from, i64 %bytes) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 %bytes, i1 false)
  ret ptr %to
}

define ptr @__gen_nvvm_memcpy_aligned16(ptr %to, ptr %from, i64 %bytes) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %from, i64 %bytes, i1 false)
  ret ptr %to
}

define ptr @__gen_nvvm_memset(ptr %to, i32 %value, i64 %bytes) {
  %byte = trunc i32 %value to i8
  call void @llvm.memset.p0.i64(ptr %to, i8 %byte, i64 %bytes, i1 false)
  ret ptr %to
}

; The alignment is only a promise; loads and stores of single bytes need none.
define void @__nvvm_memcpy(ptr %to, ptr %from, i64 %bytes, i32 %align) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}

define void @__nvvm_memset(ptr %to, i8 %byte, i64 %bytes, i32 %align) {
  call void @llvm.memset.p0.i64(ptr %to, i8 %byte, i64 %bytes, i1 false)
  ret void
}

define ptr @_Znwj(i32 %bytes) {
  %wide = zext i32 %bytes to i64
  %new = call ptr @malloc(i64 %wide)
  ret ptr %new
}

define ptr @_Znwm(i64 %bytes) {
  %new = call ptr @malloc(i64 %bytes)
  ret ptr %new
}

define ptr @_Znwy(i64 %bytes) {
  %new = call ptr @malloc(i64 %bytes)
  ret ptr %new
}

define ptr @_Znaj(i32 %bytes) {
  %wide = zext i32 %bytes to i64
  %new = call ptr @malloc(i64 %wide)
  ret ptr %new
}

define ptr @_Znam(i64 %bytes) {
  %new = call ptr @malloc(i64 %bytes)
  ret ptr %new
}

define ptr @_Znay(i64 %bytes) {
  %new = call ptr @malloc(i64 %bytes)
  ret ptr %new
}

define void @_ZdlPv(ptr %old) {
  call void @free(ptr %old)
  ret void
}

define void @_ZdlPvm(ptr %old, i64 %bytes) {
  call void @free(ptr %old)
  ret void
}

define void @_ZdlPvy(ptr %old, i64 %bytes) {
  call void @free(ptr %old)
  ret void
}

define void @_ZdaPv(ptr %old) {
  call void @free(ptr %old)
  ret void
}

define void @_ZdaPvm(ptr %old, i64 %bytes) {
  call void @free(ptr %old)
  ret void
}

define void @_ZdaPvy(ptr %old, i64 %bytes) {
  call void @free(ptr %old)
  ret void
}

define ptr @_alloca(i64 %bytes) {
  %new = alloca i8, i64 %bytes, align 16
  ret ptr %new
}

define ptr @__builtin_alloca(i64 %bytes) {
  %new = alloca i8, i64 %bytes, align 16
  ret ptr %new
}

declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @malloc(i64)
declare void @free(ptr)
