; test: compile --arch sm_75
; run: --kernel up --grid 1 --block 1 --arg u8[12]=1,2,3,4,5,6,7,8,9,10,11,12 --arg u64=9 --expect 0:u8[12]=1,2,1,2,3,4,5,6,7,8,9,12
; run: --kernel down --grid 1 --block 1 --arg u8[12]=1,2,3,4,5,6,7,8,9,10,11,12 --arg u64=9 --expect 0:u8[12]=3,4,5,6,7,8,9,10,11,10,11,12
; run: --kernel fill --grid 1 --block 1 --arg u8[12]=1,2,3,4,5,6,7,8,9,10,11,12 --arg u64=7 --expect 0:u8[12]=9,9,9,9,9,9,9,8,9,10,11,12
; Copies of places that overlap, in both directions, and a size known only at run time.
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)

define ptx_kernel void @up(ptr addrspace(1) %a, i64 %n) {
  %b = getelementptr i8, ptr addrspace(1) %a, i64 2
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 2 %b, ptr addrspace(1) align 2 %a, i64 %n, i1 false)
  ret void
}

define ptx_kernel void @down(ptr addrspace(1) %a, i64 %n) {
  %b = getelementptr i8, ptr addrspace(1) %a, i64 2
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 2 %a, ptr addrspace(1) align 2 %b, i64 %n, i1 false)
  ret void
}

define ptx_kernel void @fill(ptr addrspace(1) %a, i64 %n) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %a, i8 9, i64 %n, i1 false)
  ret void
}
