; test: compile --arch sm_75
; check: cvt.rzi.s32.f32 *;
; check: min.s32 *, *, 127;
; check: selp.b32 *, 3212836864, 0, *;
; test: compile --arch sm_90
; check: cvt.rzi.s32.f32 *;
; run: --grid 1 --block 8 --arg f32[8]=-300,-1.5,0,0.99,1,127.9,1e10,nan --arg s32[8]=0 --expect 1:=-128,-1,0,0,1,127,127,0 \
;   --arg f32[8]=1 --expect 2:=-1,-1,0,0,-1,-1,-1,-1 --arg u64[8]=1 --expect 3:=0,0,0,0,1,127,10000000000,0
; Integers of 8 bits are clamped after the conversion, those of 64 bits take care of NaN; a truth value is
; minus one.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i64 @llvm.fptoui.sat.i64.f32(float)

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %bytes, ptr addrspace(1) %truths, ptr addrspace(1) %longs) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %at
  %byte = call i8 @llvm.fptosi.sat.i8.f32(float %x)
  %word = sext i8 %byte to i32
  %to = getelementptr i32, ptr addrspace(1) %bytes, i32 %i
  store i32 %word, ptr addrspace(1) %to
  %truth = icmp ne i32 %word, 0
  %other = fcmp uno float %x, %x
  %either = or i1 %truth, %other
  %number = sitofp i1 %either to float
  %there = getelementptr float, ptr addrspace(1) %truths, i32 %i
  store float %number, ptr addrspace(1) %there
  %long = call i64 @llvm.fptoui.sat.i64.f32(float %x)
  %last = getelementptr i64, ptr addrspace(1) %longs, i32 %i
  store i64 %long, ptr addrspace(1) %last
  ret void
}
