; What is wrong in inline PTX is named with its line in the text.
; test: compile --arch sm_75
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(i32 %x, i64 %y) {
  call void asm sideeffect "mov.b32 $0, 1;\0Afoo.b32 $0, 1;", "r"(i32 %x) ; error: inline PTX, line 2: there is no instruction `foo`
  call void asm sideeffect "wgmma.fence.sync.aligned;", ""() ; error: `wgmma.fence.sync.aligned` does not exist on sm_75
  call void asm sideeffect "mov.b32 $1, 1;", "r"(i32 %x) ; error: inline assembly has no operand `1`
  call void asm sideeffect "mov.b32 $0, 1;", "r"(i64 %y) ; error: a value of type `i64` does not fit an operand of inline assembly with 32 bits
  call void asm sideeffect "mov.b32 $0, 1;", "n"(i32 %x) ; error: an operand of inline assembly must be a constant here
  call void asm sideeffect "} ret;", ""() ; error: inline PTX
  ret void
}
