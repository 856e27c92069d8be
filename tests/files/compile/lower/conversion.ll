; test: compile --arch sm_75
; run: --grid 1 --block 10 --arg u64[20]=0,0,1,0,16777217,0,9007199254740993,0,1099511627776,1,18446744073709551615,18446744073709551615,0,9223372036854775808,0,9223372586610589696,1,9223372586610589696,0,18446744004990074880 --arg u64[10]=0 --expect 1:u64[10]=0,4607182419865370624,4715268811392024576,4845873200560603136,4895412796285517824,13830554457793888256,14402511610461552640,14402511606703456256,14402511606703456257,14280914420530937856
; Integers of 128 bits as numbers, rounded once.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr i128, ptr addrspace(1) %a, i32 %t
  %x = load i128, ptr addrspace(1) %pa
  %f = uitofp i128 %x to float
  %d = sitofp i128 %x to double
  %fb = bitcast float %f to i32
  %db = bitcast double %d to i64
  %fw = zext i32 %fb to i64
  %r = xor i64 %fw, %db
  %po = getelementptr i64, ptr addrspace(1) %o, i32 %t
  store i64 %r, ptr addrspace(1) %po
  ret void
}
