; Variables that PTX cannot express.
; test: compile --arch sm_75
@d = global i64 sub (i64 ptrtoint (ptr @x to i64), i64 ptrtoint (ptr @y to i64)) ; error: this initial value is not known when the program is linked
@x = global i32 0
@y = global i32 0
@sh = addrspace(3) global i32 undef
@p = global ptr addrspace(3) @sh ; error: this initial value is not known when the program is linked
@va = alias i32, ptr @x ; error: `va` stands for something that PTX has no second names for

define ptx_kernel void @k() {
  ret void
}
