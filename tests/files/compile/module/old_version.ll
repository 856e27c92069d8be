; test: compile --arch sm_70 --ptx-version 6.0
; check: .version 6.0
; check: vote.any.pred
; check: shfl.bfly.b32
; check: wmma.load.a.sync.row.m16n16k16.global.f16
; check: wmma.mma.sync.row.col.m16n16k16.f16.f16.satfinite
; What an old version spells otherwise is spelled so; what later versions dropped is there.
target triple = "nvptx64-nvidia-cuda"

declare i1 @llvm.nvvm.vote.any(i1)
declare i32 @llvm.nvvm.shfl.bfly.i32(i32, i32, i32)
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p1(ptr addrspace(1))
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16.satfinite(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>)

define ptx_kernel void @k(ptr addrspace(1) %a, i32 %x) {
  %c = icmp eq i32 %x, 3
  %v = call i1 @llvm.nvvm.vote.any(i1 %c)
  %z = zext i1 %v to i32
  %s = call i32 @llvm.nvvm.shfl.bfly.i32(i32 %z, i32 1, i32 31)
  %m = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p1(ptr addrspace(1) %a)
  %h = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %m, 0
  %p = call { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16.satfinite(<2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h)
  %q = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half> } %p, 0
  store <2 x half> %q, ptr addrspace(1) %a
  %b = getelementptr i32, ptr addrspace(1) %a, i64 1
  store i32 %s, ptr addrspace(1) %b
  ret void
}
