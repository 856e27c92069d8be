; test: compile --arch sm_90
; check: .func (.param .align 2 .b8 func_retval0[2]) of_bfloat(
; check: abs.bf16 *, *;
; check: .entry pairs
; check: abs.bf16x2 *, *;
; run: --grid 1 --block 1 --arg u16[2]=0xbf80,0xc000 --arg u16[2]=0 --expect 1:=0x3f80,0x4000
; The absolute value of a `bfloat` had another name before LLVM 22.
target triple = "nvptx64-nvidia-cuda"

declare bfloat @llvm.nvvm.abs.bf16(bfloat)
declare <2 x bfloat> @llvm.nvvm.abs.bf16x2(<2 x bfloat>)

define bfloat @of_bfloat(bfloat %x) {
  %r = call bfloat @llvm.nvvm.abs.bf16(bfloat %x)
  ret bfloat %r
}

define ptx_kernel void @pairs(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <2 x bfloat>, ptr addrspace(1) %in
  %r = call <2 x bfloat> @llvm.nvvm.abs.bf16x2(<2 x bfloat> %v)
  store <2 x bfloat> %r, ptr addrspace(1) %out
  ret void
}
