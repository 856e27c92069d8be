; test: compile --arch sm_60
; check: mad.lo.s32
; check-not: mul.lo
; test: compile --arch sm_90
; check: .target sm_90
; check: mad.lo.s32 *, *, *, 5;
; run: --grid 1 --block 1 --arg u32[1]=0 --arg u32=6 --arg u32=7 --expect 0:=47
; A product that only a sum needs.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %a, i32 %b) {
  %product = mul i32 %a, %b
  %sum = add i32 %product, 5
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
