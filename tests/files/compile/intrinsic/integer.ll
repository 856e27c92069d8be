; test: compile --arch sm_75
; check: .entry counts
; check: popc.b32
; check: clz.b32
; check: brev.b32
; check: .entry turns
; check: prmt.b32 *, *, 0, 291;
; check: shf.l.wrap.b32
; check: .entry limits
; check: add.sat.s32
; check: min.s32
; check: max.u32
; run: --kernel counts --grid 1 --block 1 --arg u32[1]=0x00f0 --arg u32[6]=0 --expect 1:=4,24,4,0xf000000,4,8
; run: --kernel turns --grid 1 --block 1 --arg u32[1]=0x12345678 --arg u32[3]=0 --expect 1:=0x78563412,0x34567812,0x56781234
; run: --kernel limits --grid 1 --block 1 --arg s32[2]=2147483647,5 --arg s32[6]=0 --expect 1:=2147483647,5,2147483647,-2147483644,1,1
; Bits, rotations, extremes, saturation, overflow.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i16 @llvm.cttz.i16(i16, i1)
declare i16 @llvm.ctlz.i16(i16, i1)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i32 @llvm.scmp.i32.i32(i32, i32)

define ptx_kernel void @counts(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load i32, ptr addrspace(1) %in
  %ones = call i32 @llvm.ctpop.i32(i32 %a)
  store i32 %ones, ptr addrspace(1) %out
  %lead = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %p1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %lead, ptr addrspace(1) %p1
  %trail = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  %p2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %trail, ptr addrspace(1) %p2
  %turned = call i32 @llvm.bitreverse.i32(i32 %a)
  %p3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 %turned, ptr addrspace(1) %p3
  %short = trunc i32 %a to i16
  %t16 = call i16 @llvm.cttz.i16(i16 %short, i1 true)
  %t = zext i16 %t16 to i32
  %p4 = getelementptr i32, ptr addrspace(1) %out, i64 4
  store i32 %t, ptr addrspace(1) %p4
  %l16 = call i16 @llvm.ctlz.i16(i16 %short, i1 false)
  %l = zext i16 %l16 to i32
  %p5 = getelementptr i32, ptr addrspace(1) %out, i64 5
  store i32 %l, ptr addrspace(1) %p5
  ret void
}

define ptx_kernel void @turns(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load i32, ptr addrspace(1) %in
  %swapped = call i32 @llvm.bswap.i32(i32 %a)
  store i32 %swapped, ptr addrspace(1) %out
  %left = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 8)
  %p1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %left, ptr addrspace(1) %p1
  %right = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 16)
  %p2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %right, ptr addrspace(1) %p2
  ret void
}

define ptx_kernel void @limits(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load i32, ptr addrspace(1) %in
  %pb = getelementptr i32, ptr addrspace(1) %in, i64 1
  %b = load i32, ptr addrspace(1) %pb
  %sum = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  store i32 %sum, ptr addrspace(1) %out
  %least = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %p1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %least, ptr addrspace(1) %p1
  %most = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %p2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %most, ptr addrspace(1) %p2
  %both = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %value = extractvalue { i32, i1 } %both, 0
  %p3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 %value, ptr addrspace(1) %p3
  %wrong = extractvalue { i32, i1 } %both, 1
  %w = zext i1 %wrong to i32
  %p4 = getelementptr i32, ptr addrspace(1) %out, i64 4
  store i32 %w, ptr addrspace(1) %p4
  %order = call i32 @llvm.scmp.i32.i32(i32 %a, i32 %b)
  %p5 = getelementptr i32, ptr addrspace(1) %out, i64 5
  store i32 %order, ptr addrspace(1) %p5
  ret void
}
