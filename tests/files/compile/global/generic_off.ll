; test: compile --arch sm_90 --generic-to-nvvm off
; check: .visible .global .align 4 .b32 g = 7;
; run: --kernel k --grid 1 --block 1 --arg u32[1]=0 --expect 0:=7
; Without the pass, code generation takes variables of no space for global ones.
target triple = "nvptx64-nvidia-cuda"

@g = global i32 7

define ptx_kernel void @k(ptr %out) {
  %a = load volatile i32, ptr @g
  store i32 %a, ptr %out
  ret void
}
