; test: compile --arch sm_75
; check: .entry signs
; check: shr.u32 *, *, 5;
; check: cvt.u64.u32
; check-not: setp.lt
; check-not: cvt.s64
; check: .entry short
; check: mul.wide.u32
; check: rem.u32
; run: --kernel signs --grid 1 --block 64 --arg u64[64]=0 --expect 0:=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
; run: --kernel short --grid 1 --block 4 --arg u32[1]=0xffffffff --arg u64[4]=0 --expect 1:=0,1,0,0xffffffff
; Numbers of threads are small and not negative: what is computed from them needs no sign.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @signs(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sdiv i32 %t, 32
  %l = sext i32 %w to i64
  %negative = icmp slt i64 %l, 0
  %r = select i1 %negative, i64 99, i64 %l
  %p = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %r, ptr addrspace(1) %p
  ret void
}

; 64 bits of which 32 are used.
define ptx_kernel void @short(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %l = sext i32 %t to i64
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %l
  %a = load i32, ptr addrspace(1) %in
  %b = zext i32 %a to i64
  %c = add i64 %l, 1
  %m = mul i64 %b, %c
  %s = lshr i64 %m, 32
  %n = add i64 %s, 1
  %r = urem i64 %b, %n
  %last = icmp eq i64 %l, 3
  %x = select i1 %last, i64 %b, i64 %r
  store i64 %x, ptr addrspace(1) %p
  ret void
}
