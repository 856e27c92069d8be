; test: compile --arch sm_75
; check: .entry k
; check: mad.lo.s64
; run: --grid 1 --block 1 --arg u32[8]=iota --arg u64[2]=3,0 --arg u32[4]=0 --expect 2:=3,4,2,7
; Of an index that is wider than an address the lowest bits count.
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) global [8 x i32] [i32 0, i32 10, i32 20, i32 30, i32 40, i32 50, i32 60, i32 70]
@places = addrspace(1) global [2 x ptr addrspace(1)] [ptr addrspace(1) getelementptr (i32, ptr addrspace(1) @table, i128 5), ptr addrspace(1) getelementptr (i32, ptr addrspace(1) @table, i100 -1)]

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %at, ptr addrspace(1) %out) {
  %i = load i128, ptr addrspace(1) %at
  %p = getelementptr i32, ptr addrspace(1) %in, i128 %i
  %a = load i32, ptr addrspace(1) %p
  store i32 %a, ptr addrspace(1) %out
  %j = trunc i128 %i to i65
  %high = shl i65 %j, 1
  %q = getelementptr [1 x i32], ptr addrspace(1) %p, i100 -2, i65 %j
  %b = load i32, ptr addrspace(1) %q
  %out1 = getelementptr i32, ptr addrspace(1) %out, i128 1
  store i32 %b, ptr addrspace(1) %out1
  %v = insertelement <2 x i128> poison, i128 %i, i32 0
  %w = insertelement <2 x i128> %v, i128 7, i32 1
  %ps = getelementptr i32, ptr addrspace(1) %in, <2 x i128> %w
  %p0 = extractelement <2 x ptr addrspace(1)> %ps, i32 0
  %p1 = extractelement <2 x ptr addrspace(1)> %ps, i32 1
  %before = getelementptr i32, ptr addrspace(1) %p0, i65 -1
  %c = load i32, ptr addrspace(1) %before
  %d = load i32, ptr addrspace(1) %p1
  %out2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  %out3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 %c, ptr addrspace(1) %out2
  store i32 %d, ptr addrspace(1) %out3
  ret void
}
