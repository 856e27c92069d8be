; test: compile --arch sm_75
; check: .entry signed
; check: mul.wide.s32
; check: .entry unsigned
; check: mul.wide.u32
; check: .entry mixed
; check: mul.lo.s64
; check: .entry high
; check: mul.hi.u64
; check-not: mad.hi.u64
; run: --kernel signed --grid 1 --block 1 --arg s32=-3 --arg s32=7 --arg s64[1]=0 --expect 2:=-21
; run: --kernel unsigned --grid 1 --block 1 --arg u32=0xffffffff --arg u32=0xffffffff --arg u64[1]=0 --expect 2:=0xfffffffe00000002
; run: --kernel mixed --grid 1 --block 1 --arg s32=-1 --arg u32=0xffffffff --arg s64[1]=0 --expect 2:=-4294967295
; run: --kernel high --grid 1 --block 1 --arg u64=0xffffffffffffffff --arg u64=0xffffffffffffffff --arg u64[1]=0 --expect 2:=0xfffffffffffffffe
; Products of short numbers in long ones.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @signed(i32 %a, i32 %b, ptr addrspace(1) %out) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %r = mul i64 %x, %y
  store i64 %r, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @unsigned(i32 %a, i32 %b, ptr addrspace(1) %out) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %p = mul i64 %x, %y
  %r = add i64 %p, 1
  store i64 %r, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @mixed(i32 %a, i32 %b, ptr addrspace(1) %out) {
  %x = sext i32 %a to i64
  %y = zext i32 %b to i64
  %r = mul i64 %x, %y
  store i64 %r, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @high(i64 %a, i64 %b, ptr addrspace(1) %out) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %p = mul i128 %x, %y
  %h = lshr i128 %p, 64
  %r = trunc i128 %h to i64
  store i64 %r, ptr addrspace(1) %out
  ret void
}
