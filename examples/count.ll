; Counts the threads of a launch: one atomic with a memory order and a scope, which can be followed through every
; stage. `examples/count.sass` is the same kernel in machine code.

; run: --grid 4 --block 256 --arg u32[1]=0 --print 0

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @count(ptr addrspace(1) %counter) {
  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 syncscope("device") acq_rel
  ret void
}
