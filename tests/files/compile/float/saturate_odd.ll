; test: compile --arch sm_75
; check: min.u64 *, *, 9223372036854775807;
; check: max.s64 *, *, -4611686018427387904;
; check: min.s64 *, *, 4611686018427387903;
; run: --grid 1 --block 4 --arg f64[4]=-1e30,-2.5,1e30,nan --arg u64[4]=1 --expect 1:=0,0,9223372036854775807,0 \
;   --arg s64[4]=1 --expect 2:=-4611686018427387904,-2,4611686018427387903,0
; The ends of integers of 63 bits: the unsigned one is the largest signed number of 64 bits, and computing it must not overflow.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i63 @llvm.fptoui.sat.i63.f64(double)
declare i63 @llvm.fptosi.sat.i63.f64(double)

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %unsigned, ptr addrspace(1) %signed) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr double, ptr addrspace(1) %in, i32 %i
  %x = load double, ptr addrspace(1) %at
  %u = call i63 @llvm.fptoui.sat.i63.f64(double %x)
  %uw = zext i63 %u to i64
  %ut = getelementptr i64, ptr addrspace(1) %unsigned, i32 %i
  store i64 %uw, ptr addrspace(1) %ut
  %s = call i63 @llvm.fptosi.sat.i63.f64(double %x)
  %sw = sext i63 %s to i64
  %st = getelementptr i64, ptr addrspace(1) %signed, i32 %i
  store i64 %sw, ptr addrspace(1) %st
  ret void
}
