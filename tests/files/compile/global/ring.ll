; test: compile --arch sm_75
@a = global ptr @b ; error: Circular dependency found in global variable set
@b = global ptr @c
@c = global ptr @a

define ptx_kernel void @k() {
  ret void
}
