; test: compile --arch sm_60
; check-not: atom
; test: compile --arch sm_90 -O0
; check-not: atom
; check-not: fence
; run: --grid 1 --block 32 --arg u32[32]=iota --arg u64[32]=0 --expect 0:=3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34
; Memory of the thread itself: plain loads and stores.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = alloca [4 x i32]
  %i = and i32 %t, 3
  %e = getelementptr [4 x i32], ptr %s, i32 0, i32 %i
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %v = load i32, ptr addrspace(1) %g
  store volatile i32 %v, ptr %e
  %a = atomicrmw volatile add ptr %e, i32 1 monotonic
  %b = cmpxchg volatile ptr %e, i32 %a, i32 99 monotonic monotonic
  %f = extractvalue { i32, i1 } %b, 1
  %n = zext i1 %f to i32
  %c = atomicrmw volatile sub ptr %e, i32 -2 monotonic
  %w = load volatile i32, ptr %e
  %r = add i32 %w, %n
  store i32 %r, ptr addrspace(1) %g
  ret void
}
