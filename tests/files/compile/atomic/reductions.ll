; test: compile --arch sm_60
; check: red.gpu.global.add.u32
; check: red.gpu.global.max.s64
; check: red.gpu.global.add.f64
; check: red.gpu.global.add.noftz.f16x2
; check: red.gpu.global.or.b32
; check: atom.gpu.global.exch.b32
; check: atom.gpu.global.add.u32
; test: compile --arch sm_90
; check: red.relaxed.gpu.global.add.u32
; check: red.release.gpu.global.max.s64
; check: red.relaxed.gpu.global.add.f64
; check: red.relaxed.gpu.global.add.noftz.f16x2
; check: red.relaxed.gpu.global.or.b32
; check: atom.relaxed.gpu.global.exch.b32
; check: atom.acquire.gpu.global.add.u32
; check: red.relaxed.gpu.global.add.noftz.bf16
; An operation whose result nobody wants is a reduction, unless it acquires.
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr addrspace(1) %p, <2 x half> %h, bfloat %b) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") monotonic
  %c = atomicrmw max ptr addrspace(1) %p, i64 1 syncscope("device") release
  %d = atomicrmw fsub ptr addrspace(1) %p, double 1.0 syncscope("device") monotonic
  %e = atomicrmw fadd ptr addrspace(1) %p, <2 x half> %h syncscope("device") monotonic
  %f = atomicrmw or ptr addrspace(1) %p, i8 1 syncscope("device") monotonic
  %g = atomicrmw xchg ptr addrspace(1) %p, float 1.0 syncscope("device") monotonic
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") acquire
  %j = atomicrmw fadd ptr addrspace(1) %p, bfloat %b syncscope("device") monotonic
  ret void
}
