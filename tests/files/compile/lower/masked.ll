; test: compile --arch sm_75
; run: --grid 1 --block 1 --arg u32[4]=10,20,30,40 --arg u32[4]=1,0,1,1 --arg u32[5]=0 --expect 2:u32[5]=10,7,30,40,87
; Lanes that are off keep what they had; then all are added.
target triple = "nvptx64-nvidia-cuda"

declare <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1), <4 x i1>, <4 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %m, ptr addrspace(1) %o) {
  %w = load <4 x i32>, ptr addrspace(1) %m, align 4
  %mask = icmp ne <4 x i32> %w, zeroinitializer
  %v = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %a, <4 x i1> %mask, <4 x i32> <i32 7, i32 7, i32 7, i32 7>)
  store <4 x i32> %v, ptr addrspace(1) %o, align 4
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 4
  store i32 %s, ptr addrspace(1) %p
  ret void
}
