; test: compile --arch sm_90
; check: .entry swapped
; check: prmt.b32 *, *, *, 26369;
; check: .entry of_scalars
; check: st.global.v4.b32 [*], {*, *, *, *};
; check: .entry flags
; check: ld.global.u8
; check: st.global.u8
; run: --kernel swapped --grid 1 --block 1 --arg u8[8]=1,2,3,4,5,6,7,8 --arg u8[4]=0 --expect 1:=6,5,4,3
; run: --kernel of_scalars --grid 1 --block 1 --arg u32[4]=1,2,3,4 --arg u32[4]=0 --expect 1:=4,3,2,9
; run: --kernel variable --grid 1 --block 6 --arg u16[6]=10,11,12,13,14,15 --arg u16[6]=0 --expect 1:=15,14,13,12,11,10
; run: --kernel flags --grid 1 --block 1 --arg u8[1]=0x5a --arg u8[1]=0 --expect 1:=0xa5
; run: --kernel addresses --grid 1 --block 1 --arg u32[8]=iota --arg u32[2]=0 --expect 1:=3,7
; Elements are taken from where they are made; short ones share registers.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @swapped(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <8 x i8>, ptr addrspace(1) %in
  %w = shufflevector <8 x i8> %v, <8 x i8> poison, <4 x i32> <i32 5, i32 4, i32 3, i32 2>
  store <4 x i8> %w, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @of_scalars(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <4 x i32>, ptr addrspace(1) %in
  %a = extractelement <4 x i32> %v, i32 3
  %b = insertelement <4 x i32> poison, i32 %a, i32 0
  %c = shufflevector <4 x i32> %b, <4 x i32> %v, <4 x i32> <i32 0, i32 6, i32 5, i32 poison>
  %d = insertelement <4 x i32> %c, i32 9, i32 3
  store <4 x i32> %d, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @variable(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = load <6 x i16>, ptr addrspace(1) %in, align 4
  %other = sub i32 5, %t
  %e = extractelement <6 x i16> %v, i32 %other
  %w = insertelement <6 x i16> zeroinitializer, i16 %e, i32 %t
  %x = extractelement <6 x i16> %w, i32 %t
  %p = getelementptr i16, ptr addrspace(1) %out, i32 %t
  store i16 %x, ptr addrspace(1) %p
  ret void
}

; Truth values stand bit by bit in memory.
define ptx_kernel void @flags(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <8 x i1>, ptr addrspace(1) %in
  %w = xor <8 x i1> %v, splat (i1 true)
  store <8 x i1> %w, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @addresses(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %p = getelementptr i32, ptr addrspace(1) %in, <2 x i64> <i64 3, i64 7>
  %p0 = extractelement <2 x ptr addrspace(1)> %p, i32 0
  %p1 = extractelement <2 x ptr addrspace(1)> %p, i32 1
  %a = load i32, ptr addrspace(1) %p0
  %b = load i32, ptr addrspace(1) %p1
  store i32 %a, ptr addrspace(1) %out
  %out1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %b, ptr addrspace(1) %out1
  ret void
}
