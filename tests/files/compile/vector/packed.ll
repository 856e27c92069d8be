; test: compile --arch sm_75
; check: .entry bytes
; check: add.s32
; check: xor.b32
; check-not: shr.u32
; test: compile --arch sm_90
; check: .entry halves
; check: add.s16x2
; run: --kernel bytes --grid 1 --block 1 --arg u8[4]=255,127,1,200 --arg u8[4]=1,1,255,100 --arg u8[8]=0 --expect 2:=0,128,0,44,254,126,2,100
; run: --kernel halves --grid 1 --block 1 --arg u16[2]=65535,1 --arg u16[2]=1,65535 --arg u16[4]=0 --expect 2:=0,0,65534,2
; Sums of short elements work on whole registers: carries stay within an element.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @bytes(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out) {
  %a = load <4 x i8>, ptr addrspace(1) %x
  %b = load <4 x i8>, ptr addrspace(1) %y
  %sum = add <4 x i8> %a, %b
  %difference = sub <4 x i8> %a, %b
  store <4 x i8> %sum, ptr addrspace(1) %out
  %next = getelementptr i8, ptr addrspace(1) %out, i64 4
  store <4 x i8> %difference, ptr addrspace(1) %next
  ret void
}

define ptx_kernel void @halves(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out) {
  %a = load <2 x i16>, ptr addrspace(1) %x
  %b = load <2 x i16>, ptr addrspace(1) %y
  %sum = add <2 x i16> %a, %b
  %difference = sub <2 x i16> %a, %b
  store <2 x i16> %sum, ptr addrspace(1) %out
  %next = getelementptr i8, ptr addrspace(1) %out, i64 4
  store <2 x i16> %difference, ptr addrspace(1) %next
  ret void
}
