; test: compile --arch sm_60
; check: .entry sum
; check: .entry wide
; check: add.cc.u64
; check: addc.u64
; run: --kernel sum --grid 1 --block 1 --arg u8[1]=127 --arg u32[3]=0 --expect 1:=0,0xffffffc0,1
; run: --kernel wide --grid 1 --block 1 --arg u64[4]=0xffffffffffffffff,1,1,2 --arg u64[4]=0 --expect 1:=0,4,0x8000000000000000,0
; run: --kernel constants --grid 1 --block 1 --arg u64[2]=0 --expect 0:=0x8000000000,200
; Bits above the width are rubbish until somebody looks at them.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load i7, ptr addrspace(1) %in
  %b = add i7 %a, 1
  %r = zext i7 %b to i32
  store i32 %r, ptr addrspace(1) %out
  %c = shl i7 %a, 6
  %s = sext i7 %c to i32
  %p1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %s, ptr addrspace(1) %p1
  %d = lshr i7 %c, 6
  %t = zext i7 %d to i32
  %p2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %t, ptr addrspace(1) %p2
  ret void
}

define ptx_kernel void @wide(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load i128, ptr addrspace(1) %in, align 8
  %pb = getelementptr i64, ptr addrspace(1) %in, i64 2
  %b = load i128, ptr addrspace(1) %pb, align 8
  %sum = add i128 %a, %b
  store i128 %sum, ptr addrspace(1) %out, align 8
  %up = shl i128 %b, 63
  %masked = and i128 %up, 18446744073709551615
  %pc = getelementptr i64, ptr addrspace(1) %out, i64 2
  store i128 %masked, ptr addrspace(1) %pc, align 8
  ret void
}

; Constants have what the register would have above their width.
define ptx_kernel void @constants(ptr addrspace(1) %out) {
  %a = and i40 -1, -549755813888
  %b = or i40 %a, 0
  %c = zext i40 %b to i64
  store i64 %c, ptr addrspace(1) %out
  %d = add nuw i8 100, 100
  %e = zext i8 %d to i64
  %p1 = getelementptr i64, ptr addrspace(1) %out, i64 1
  store i64 %e, ptr addrspace(1) %p1
  ret void
}
