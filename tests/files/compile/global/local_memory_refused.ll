; test: compile --arch sm_90
; PTX has no local variables outside of functions.
target triple = "nvptx64-nvidia-cuda"

@two = internal addrspace(5) global i32 undef ; error: `two` is in local memory, and not used by one kernel alone
@called = internal addrspace(5) global i32 undef ; error: `called` is in local memory, and not used by one kernel alone

define ptx_kernel void @k() {
  store i32 3, ptr addrspace(5) @two
  ret void
}

define ptx_kernel void @l() {
  store i32 4, ptr addrspace(5) @two
  call void @f()
  ret void
}

define void @f() {
  store i32 4, ptr addrspace(5) @called
  ret void
}
