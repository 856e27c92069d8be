; test: compile --arch sm_75
; check: .entry signed
; check: ld.global.s8
; check: .entry unsigned
; check: ld.global.u8
; check: add.s32
; check: .entry compared
; check: ld.global.u16
; check: setp.lt.u32
; check-not: and.b32
; check-not: cvt.s32.s8
; run: --kernel signed --grid 1 --block 1 --arg u8[1]=200 --arg s32[1]=0 --expect 1:=-55
; run: --kernel unsigned --grid 1 --block 1 --arg u8[1]=200 --arg s32[1]=0 --expect 1:=201
; run: --kernel compared --grid 1 --block 1 --arg u16[1]=65535 --arg u16=65534 --arg s32[1]=1 --expect 2:=0
; A load leaves zeros or the sign above a short integer; nothing need be done about it again.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @signed(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load i8, ptr addrspace(1) %in
  %w = sext i8 %v to i32
  %r = add i32 %w, 1
  store i32 %r, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @unsigned(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load i8, ptr addrspace(1) %in
  %w = zext i8 %v to i32
  %r = add i32 %w, 1
  store i32 %r, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @compared(ptr addrspace(1) %in, i16 %bound, ptr addrspace(1) %out) {
  %v = load i16, ptr addrspace(1) %in
  %less = icmp ult i16 %v, %bound
  %r = zext i1 %less to i32
  store i32 %r, ptr addrspace(1) %out
  ret void
}
