; test: compile --arch sm_75
; check: .global .align 32 .b8 wide[32] = {
; run: --grid 1 --block 1 --arg u64[4]=0 --expect 0:=0xffffffffffffffff,0xb,0,0
; Elements of any width stand bit by bit in initial values.
target triple = "nvptx64-nvidia-cuda"

@wide = addrspace(1) global <2 x i65> <i65 -1, i65 5>

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %v = load volatile i256, ptr addrspace(1) @wide, align 32
  store i256 %v, ptr addrspace(1) %out, align 8
  ret void
}
