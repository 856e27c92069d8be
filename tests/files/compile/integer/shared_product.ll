; test: compile --arch sm_90
; check: mul.lo.s64 *;
; check-not: mad.lo.s64
; run: --grid 1 --block 4 --arg u64[4]=1,2,3,18446744073709551615 --arg u64[8]=0 --expect 1:=6,9,11,14,16,19,18446744073709551612,18446744073709551615
; Equal products of 64 bits are computed once.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr i64, ptr addrspace(1) %a, i32 %t
  %x = load i64, ptr addrspace(1) %pa
  %first = shl i32 %t, 1
  %p = getelementptr i64, ptr addrspace(1) %o, i32 %first
  %m = mul i64 %x, 5
  %s = add i64 %m, 1
  store i64 %s, ptr addrspace(1) %p
  %n = mul i64 %x, 5
  %u = add i64 %n, 4
  %q = getelementptr i64, ptr addrspace(1) %p, i32 1
  store i64 %u, ptr addrspace(1) %q
  ret void
}
