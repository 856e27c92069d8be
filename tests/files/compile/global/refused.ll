; Variables that GPUs do not have.
; test: compile --arch sm_75
@t = thread_local global i32 0 ; error: `t` is thread-local
@s = addrspace(3) global i32 5 ; error: initial value of 's' is not allowed in addrspace(3)
@l = addrspace(5) global i32 5 ; error: initial value of 'l' is not allowed in addrspace(5)
@n = addrspace(9) global i32 5 ; error: `n` lies in address space 9, which has no variables

define ptx_kernel void @k() {
  ret void
}
