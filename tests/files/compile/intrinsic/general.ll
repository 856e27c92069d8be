; test: compile --arch sm_75
; check: .entry hints
; check: prefetch.global.L2
; check-not: call
; check: .entry stops
; check: trap;
; check: exit;
; run: --kernel hints --grid 1 --block 1 --arg u32[1]=3 --arg u32[3]=0 --expect 1:=3,0,4294967295
; What only tells the optimiser something leaves nothing.
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.assume(i1)
declare i32 @llvm.expect.i32(i32, i32)
declare void @llvm.prefetch.p1(ptr addrspace(1), i32, i32, i32)
declare i1 @llvm.is.constant.i32(i32)
declare i32 @llvm.objectsize.i32.p1(ptr addrspace(1), i1, i1, i1)
declare void @llvm.donothing()
declare void @llvm.sideeffect()
declare void @llvm.trap()

define ptx_kernel void @hints(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load i32, ptr addrspace(1) %in
  %small = icmp ult i32 %a, 9
  call void @llvm.assume(i1 %small)
  call void @llvm.donothing()
  call void @llvm.sideeffect()
  call void @llvm.prefetch.p1(ptr addrspace(1) %in, i32 0, i32 1, i32 1)
  %b = call i32 @llvm.expect.i32(i32 %a, i32 3)
  store i32 %b, ptr addrspace(1) %out
  %known = call i1 @llvm.is.constant.i32(i32 %a)
  %k = zext i1 %known to i32
  %p1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %k, ptr addrspace(1) %p1
  %size = call i32 @llvm.objectsize.i32.p1(ptr addrspace(1) %in, i1 false, i1 false, i1 false)
  %p2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %size, ptr addrspace(1) %p2
  ret void
}

define ptx_kernel void @stops(ptr addrspace(1) %in) {
  call void @llvm.trap()
  ret void
}
