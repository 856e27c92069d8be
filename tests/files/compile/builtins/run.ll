; test: compile --arch sm_75
; check: brev.b32
; check: vote.sync.ballot.b32
; check: shfl.sync.bfly.b32
; check-not: call
; run: --grid 1 --block 4 --arg u32[4]=iota --arg u32[12]=0 --expect 1:=0,2147483648,1073741824,3221225472,12,12,12,12,1,0,3,2
target triple = "nvptx64-nvidia-cuda"

declare i32 @__nvvm_brev32(i32)
declare i32 @__nvvm_vote_ballot_sync(i32, i32)
declare i32 @__nvvm_shfl_bfly_sync(i32, i32, i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load i32, ptr addrspace(1) %at
  %r = call i32 @__nvvm_brev32(i32 %x)
  %big = and i32 %x, 2
  %v = call i32 @__nvvm_vote_ballot_sync(i32 15, i32 %big)
  %s = call i32 @__nvvm_shfl_bfly_sync(i32 15, i32 %x, i32 1, i32 31)
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %r, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i32 4
  store i32 %v, ptr addrspace(1) %q
  %t = getelementptr i32, ptr addrspace(1) %p, i32 8
  store i32 %s, ptr addrspace(1) %t
  ret void
}
