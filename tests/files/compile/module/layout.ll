; test: compile --arch sm_75
; check: .param .b64 .ptr .global .align 1 k_param_0
; check: .param .b64 k_param_2
; check: ld.global.b64
; run: --grid 1 --block 1 --arg u64[2]=5,6 --arg u64[2]=0 --arg u64=3 --expect 1:=6,8
; Generic and global addresses have 64 bits on every GPU, whatever the layout says.
target datalayout = "e-p:32:32:32-i64:64:64-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %p = getelementptr ptr, ptr addrspace(1) %in, i32 1
  %a = load ptr, ptr addrspace(1) %p
  %i = ptrtoint ptr %a to i64
  store i64 %i, ptr addrspace(1) %out
  %b = load i64, ptr addrspace(1) %in
  %s = add i64 %b, %n
  %q = getelementptr ptr, ptr addrspace(1) %out, i32 1
  store i64 %s, ptr addrspace(1) %q
  ret void
}
