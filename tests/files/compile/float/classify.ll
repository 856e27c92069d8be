; test: compile --arch sm_75
; check: abs.f32 *;
; check: setp.num.f32 *;
; run: --grid 1 --block 10 --arg u32[10]=0x7f800001,0x7fc00000,0xff800000,0xbf800000,0x80000001,0x80000000,0,1,0x3f800000,0x7f800000 --arg u32[10]=99 \
;   --expect 1:=6,4,1,0,0,0,0,2,0,1
; Bit 0: infinite. Bit 1: signalling or positive and denormal. Bit 2: NaN.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i1 @llvm.is.fpclass.f32(float, i32)

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load float, ptr addrspace(1) %pa
  %infinite = call i1 @llvm.is.fpclass.f32(float %x, i32 516)
  %odd = call i1 @llvm.is.fpclass.f32(float %x, i32 129)
  %number = call i1 @llvm.is.fpclass.f32(float %x, i32 1020)
  %nan = xor i1 %number, true
  %b0 = select i1 %infinite, i32 1, i32 0
  %b1 = select i1 %odd, i32 2, i32 0
  %b2 = select i1 %nan, i32 4, i32 0
  %b01 = or i32 %b0, %b1
  %all = or i32 %b01, %b2
  %po = getelementptr i32, ptr addrspace(1) %o, i32 %i
  store i32 %all, ptr addrspace(1) %po
  ret void
}
