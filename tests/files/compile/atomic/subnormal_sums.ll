; test: compile --arch sm_90
; check: .func f(
; check: red.relaxed.gpu.global.add.f32
; check: .func flushes(
; check: red.relaxed.gpu.global.add.f32
; test: compile --arch sm_90 --ptx-version 9.4
; check: .func f(
; check: red.relaxed.gpu.global.add.noftz.f32
; check: .func flushes(
; check: red.relaxed.gpu.global.add.f32
; The exact sum of 32 bits is there from PTX 9.4 on: taken where that is asked for and subnormal numbers count.
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr addrspace(1) %p, float %v) {
  %a = atomicrmw fadd ptr addrspace(1) %p, float %v syncscope("device") monotonic
  ret void
}

define void @flushes(ptr addrspace(1) %p, float %v) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %a = atomicrmw fadd ptr addrspace(1) %p, float %v syncscope("device") monotonic
  ret void
}
