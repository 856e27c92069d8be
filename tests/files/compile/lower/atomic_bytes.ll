; test: compile --arch sm_60
; run: --grid 1 --block 32 --arg u8[8]=3,250,7,0,1,2,3,4 --expect 0:u8[8]=43,34,47,40,1,2,3,4
; Threads add to four bytes of one word at once; its neighbours stay.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 3
  %p = getelementptr i8, ptr addrspace(1) %a, i32 %i
  %r = atomicrmw add ptr addrspace(1) %p, i8 5 monotonic
  ret void
}
