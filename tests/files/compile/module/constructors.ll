; test: compile --arch sm_90
; A GPU has no start of a program.
target triple = "nvptx64-nvidia-cuda"

@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }] ; error: Module has a nontrivial global ctor, which NVPTX does not support.
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }] ; error: Module has a nontrivial global dtor, which NVPTX does not support.

define void @f() {
  ret void
}
