; test: compile --arch sm_75 --prec-div off --prec-sqrt off
; check: div.full.f32
; check: sqrt.approx.f32
; check: sqrt.approx.f32
; check: div.rn.f64
; check: sqrt.rn.f64
; check: div.rn.f32
; Without precise division and roots, `float` is approximate; other types stay as they are.
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.sqrt.f32(float)
declare float @llvm.nvvm.sqrt.f(float)
declare double @llvm.sqrt.f64(double)

define void @f(ptr addrspace(1) %p, float %a, float %b) {
  %q = fdiv float %a, %b
  store volatile float %q, ptr addrspace(1) %p
  %s = call float @llvm.sqrt.f32(float %a)
  store volatile float %s, ptr addrspace(1) %p
  %t = call float @llvm.nvvm.sqrt.f(float %b)
  store volatile float %t, ptr addrspace(1) %p
  ret void
}

define void @g(ptr addrspace(1) %p, double %a, double %b) {
  %q = fdiv double %a, %b
  store volatile double %q, ptr addrspace(1) %p
  %s = call double @llvm.sqrt.f64(double %a)
  store volatile double %s, ptr addrspace(1) %p
  ret void
}

define void @h(ptr addrspace(1) %p, half %a, half %b) {
  %q = fdiv half %a, %b
  store volatile half %q, ptr addrspace(1) %p
  ret void
}
