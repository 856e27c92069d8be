; test: compile --arch sm_75
; run: --grid 1 --block 8 --arg u64[16]=18446744073709551615,18446744073709551615,18446744073709551615,18446744073709551615,18446744073709551615,18446744073709551615,0,9223372036854775808,5,0,687399551400673280,5421010862427522170,0,1,5097733592125636885,669260594 --arg u64[16]=3,0,18446744073709551615,18446744073709551615,0,1,1,1,7,0,10000000000000000000,0,18446744073709551615,0,9976886081048086339,53 --arg u64[16]=0 --expect 2:u64[16]=12297829382473034410,12297829382473034410,0,0,18446744073709551615,18446744073709551615,0,0,0,0,0,0,0,0,0,0
; Division of 128 bits, signed and unsigned.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr i128, ptr addrspace(1) %a, i32 %t
  %x = load i128, ptr addrspace(1) %pa
  %pb = getelementptr i128, ptr addrspace(1) %b, i32 %t
  %y = load i128, ptr addrspace(1) %pb
  %q = udiv i128 %x, %y
  %m = urem i128 %x, %y
  %sq = sdiv i128 %x, %y
  %sm = srem i128 %x, %y
  %u = xor i128 %q, %m
  %s = xor i128 %sq, %sm
  %r = xor i128 %u, %s
  %po = getelementptr i128, ptr addrspace(1) %o, i32 %t
  store i128 %r, ptr addrspace(1) %po
  ret void
}
