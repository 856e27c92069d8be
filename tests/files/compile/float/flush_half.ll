; test: compile --arch sm_90
; check: add.rn.ftz.f16 *;
; check: mul.rn.ftz.f16x2 *;
; check: fma.rn.ftz.f16 *;
; check: setp.lt.ftz.f16 *;
; check: max.ftz.f16 *;
; check: add.rn.f16 *;
; check: add.rn.ftz.f32 *;
; check: add.rn.ftz.f16 *;
; check: add.rn.f32 *;
; check: add.rn.f16 *;
; check: add.rn.f32 *;
; check: add.rn.f16 *;
; check: add.rn.ftz.f32 *;
; check: add.rn.ftz.f16 *;
; check: add.rn.f32 *;
; run: --kernel all --grid 1 --block 1 --arg u16[4]=0xffff --arg u16=0x0001 --arg u16=0x8001 --expect 0:=0,0,0,0x8000
; `denormal-fp-math` is for all formats, so `half` is flushed by it; what is for `float` alone leaves it as it is.
; `.ftz` takes denormal operands for zeros, too, so both must be allowed. fneg and fabs only change a bit.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @all(ptr addrspace(1) %out, half %a, half %b) #0 {
  %sum = fadd half %a, %a
  store half %sum, ptr addrspace(1) %out
  %v = insertelement <2 x half> <half 0xH0000, half 0xH3C00>, half %a, i32 0
  %product = fmul <2 x half> %v, <half 0xH3C00, half 0xH0000>
  %first = extractelement <2 x half> %product, i32 0
  %fused = call half @llvm.fma.f16(half %a, half 0xH3C00, half %first)
  %p1 = getelementptr half, ptr addrspace(1) %out, i64 1
  store half %fused, ptr addrspace(1) %p1
  %less = fcmp olt half %b, %a
  %word = zext i1 %less to i16
  %p2 = getelementptr i16, ptr addrspace(1) %out, i64 2
  store i16 %word, ptr addrspace(1) %p2
  %most = call half @llvm.maxnum.f16(half %b, half %b)
  %p3 = getelementptr half, ptr addrspace(1) %out, i64 3
  store half %most, ptr addrspace(1) %p3
  ret void
}

define half @for_float(half %a, float %b) #1 {
  %sum = fadd half %a, %a
  %other = fadd float %b, %b
  %bits = fptrunc float %other to half
  %both = call half @llvm.copysign.f16(half %sum, half %bits)
  ret half %both
}

define half @but_float(half %a, float %b) #2 {
  %sum = fadd half %a, %a
  %other = fadd float %b, %b
  %bits = fptrunc float %other to half
  %both = call half @llvm.copysign.f16(half %sum, half %bits)
  ret half %both
}

define half @results_only(half %a, float %b) #3 {
  %sum = fadd half %a, %a
  %other = fadd float %b, %b
  %bits = fptrunc float %other to half
  %both = call half @llvm.copysign.f16(half %sum, half %bits)
  ret half %both
}

define half @newer_for_float(half %a, float %b) denormal_fpenv(float: preservesign) {
  %sum = fadd half %a, %a
  %other = fadd float %b, %b
  %bits = fptrunc float %other to half
  %both = call half @llvm.copysign.f16(half %sum, half %bits)
  ret half %both
}

define half @newer_but_float(half %a, float %b) denormal_fpenv(preservesign, float: ieee) {
  %sum = fadd half %a, %a
  %other = fadd float %b, %b
  %bits = fptrunc float %other to half
  %both = call half @llvm.copysign.f16(half %sum, half %bits)
  ret half %both
}

declare half @llvm.fma.f16(half, half, half)
declare half @llvm.maxnum.f16(half, half)
declare half @llvm.copysign.f16(half, half)

attributes #0 = { "denormal-fp-math"="preserve-sign,preserve-sign" }
attributes #1 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
attributes #2 = { "denormal-fp-math"="preserve-sign" "denormal-fp-math-f32"="ieee" }
attributes #3 = { "denormal-fp-math"="preserve-sign,ieee" }
