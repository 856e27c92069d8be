; test: compile --arch sm_75
; check: .common .global .align 4 .b32 everywhere;
; check: .weak .shared .align 4 .b32 near;
; check: .weak .const .align 4 .b32 fixed;
; run: --grid 1 --block 1 --arg u32[1]=0 --expect 0:=9
; PTX has `.common` in global memory only; elsewhere one of several definitions is taken.
target triple = "nvptx64-nvidia-cuda"

@everywhere = common addrspace(1) global i32 0, align 4
@near = common addrspace(3) global i32 0, align 4
@fixed = common addrspace(4) global i32 0, align 4

define ptx_kernel void @k(ptr addrspace(1) %out) {
  store i32 9, ptr addrspace(3) @near
  %a = load i32, ptr addrspace(3) @near
  %b = load i32, ptr addrspace(4) @fixed
  %c = load i32, ptr addrspace(1) @everywhere
  %s = add i32 %a, %b
  %t = add i32 %s, %c
  store i32 %t, ptr addrspace(1) %out
  ret void
}
