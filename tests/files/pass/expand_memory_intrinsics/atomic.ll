; test: pass expand_memory_intrinsics
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr, ptr, i32, i32)

define void @f(ptr %to, ptr %from, i32 %size) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr align 4 %to, ptr align 4 %from, i32 %size, i32 4) ; error: copies that are atomic element by element
  ret void
}
