; test: compile --arch sm_75
; check: xor.b32 *, *, -2147483648;
; check: neg.f32 *;
; check: add.rn.f32 *;
; check: and.b32 *, *, 2147483647;
; check: xor.b16 *;
; run: --grid 1 --block 1 --arg u32[4]=0 --arg u32=0xffc01234 --arg u16=0x7e55 --expect 0:=0x7fc01234,0x7fffffff,0x7fc01234,0xfe55
; Only the sign changes, of a NaN too, unless arithmetic follows: then nobody sees.
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.fabs.f32(float)

define ptx_kernel void @k(ptr addrspace(1) %out, float %x, half %h) {
  %other = fneg float %x
  store float %other, ptr addrspace(1) %out
  %taken = fneg float %x
  %sum = fadd float %taken, 1.0
  %p1 = getelementptr float, ptr addrspace(1) %out, i64 1
  store float %sum, ptr addrspace(1) %p1
  %size = call float @llvm.fabs.f32(float %x)
  %p2 = getelementptr float, ptr addrspace(1) %out, i64 2
  store float %size, ptr addrspace(1) %p2
  %short = fneg half %h
  %p3 = getelementptr float, ptr addrspace(1) %out, i64 3
  store half %short, ptr addrspace(1) %p3
  ret void
}
