; test: compile --arch sm_60
; check: membar.sys;
; check: ld.volatile.global.b32
; check: atom.sys.global.cas.b32
; check: membar.sys;
; test: compile --arch sm_90
; check: fence.sc.sys;
; check: ld.relaxed.sys.global.b32
; check: atom.acquire.sys.global.cas.b32
; check-not: membar
; test: compile --arch sm_90 --atomics cuda
; check: ld.relaxed.gpu.global.b32
; check: atom.relaxed.gpu.global.cas.b32
; check-not: fence
; check-not: sys
; run: --grid 4 --block 64 --arg f32[1]=0 --arg f32[1]=0 --expect 0:=255
; A loop starts from a strong load, and its fences stand once around it. What CUDA means holds for all of it.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %r = mul i32 %b, 64
  %i = add i32 %r, %t
  %f = uitofp i32 %i to float
  %a = atomicrmw fmax ptr addrspace(1) %p, float %f seq_cst
  ret void
}
