; Names that the text does not declare, and registers that do not fit their instruction.
; test: compile --arch sm_75
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(i32 %x) {
  call void asm sideeffect "mov.b32 a, 1;", ""() ; error: `a` is not declared
  ret void
}
