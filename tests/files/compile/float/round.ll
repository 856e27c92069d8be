; test: compile --arch sm_60
; check: cvt.rmi.f32.f32 *;
; check: copysign.f32 *;
; test: compile --arch sm_90
; check: cvt.rmi.f32.f32 *;
; run: --grid 1 --block 8 --arg f32[8]=-2.5,-0.5,-0.49999997,0.49999997,0.5,1.5,8388607.5,8388609 \
;   --arg f32[8]=0 --expect 1:=-3,-1,-1,0,0,1,8388607,8388609 \
;   --arg f32[8]=0 --expect 2:=-2,-0,-0,0,0,2,8388608,8388609 \
;   --arg f32[8]=0 --expect 3:=-3,-1,-0,0,1,2,8388608,8388609 \
;   --arg u64[8]=9 --expect 4:=0xfffffffffffffffd,0xffffffffffffffff,0,0,1,2,8388608,8388609
; floor, rint, round and lround.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.floor.f32(float)
declare float @llvm.rint.f32(float)
declare float @llvm.round.f32(float)
declare i64 @llvm.lround.i64.f32(float)

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %floors, ptr addrspace(1) %rints, ptr addrspace(1) %rounds, ptr addrspace(1) %longs) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %at
  %floor = call float @llvm.floor.f32(float %x)
  %p1 = getelementptr float, ptr addrspace(1) %floors, i32 %i
  store float %floor, ptr addrspace(1) %p1
  %rint = call float @llvm.rint.f32(float %x)
  %p2 = getelementptr float, ptr addrspace(1) %rints, i32 %i
  store float %rint, ptr addrspace(1) %p2
  %round = call float @llvm.round.f32(float %x)
  %p3 = getelementptr float, ptr addrspace(1) %rounds, i32 %i
  store float %round, ptr addrspace(1) %p3
  %long = call i64 @llvm.lround.i64.f32(float %x)
  %p4 = getelementptr i64, ptr addrspace(1) %longs, i32 %i
  store i64 %long, ptr addrspace(1) %p4
  ret void
}
