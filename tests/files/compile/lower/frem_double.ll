; test: compile --arch sm_75
; run: --grid 1 --block 8 --arg u64[8]=9218868437227405311,9218868437227405311,4503599627370496,4638387860618067575,13861759897472843383,4607182418800017408,4890909195324358657,9223372036854775808 --arg u64[8]=3,4614256656552045848,3,4591870180066957722,4591870180066957722,9218868437227405312,4607182418800017407,4607182418800017408 --arg u64[8]=0 --expect 2:u64[8]=2,4603405278184315712,1,4588231271568041816,13811603308422817624,4607182418800017408,4420283034264141824,9223372036854775808
; Remainders are exact, however large the quotient is.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr double, ptr addrspace(1) %a, i32 %t
  %x = load double, ptr addrspace(1) %pa
  %pb = getelementptr double, ptr addrspace(1) %b, i32 %t
  %y = load double, ptr addrspace(1) %pb
  %r = frem double %x, %y
  %po = getelementptr double, ptr addrspace(1) %o, i32 %t
  store double %r, ptr addrspace(1) %po
  ret void
}
