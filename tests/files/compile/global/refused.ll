; Variables that PTX cannot express.
; test: compile --arch sm_75
@t = thread_local global i32 0 ; error: `t` is thread-local
@s = addrspace(3) global i32 5 ; error: initial value of 's' is not allowed in addrspace(3)
@l = addrspace(5) global i32 5 ; error: `l` lies in address space 5, which has no variables
@d = global i64 sub (i64 ptrtoint (ptr @x to i64), i64 ptrtoint (ptr @y to i64)) ; error: this initial value is not known when the program is linked
@x = global i32 0
@y = global i32 0
@sh = addrspace(3) global i32 undef
@p = global ptr addrspace(3) @sh ; error: this initial value is not known when the program is linked
@va = alias i32, ptr @x ; error: `va` stands for something that PTX has no second names for

define ptx_kernel void @k() {
  ret void
}
