; test: pass lower_cuda_atomics
; Old intrinsics are relaxed at device scope, whatever `--atomics` says; other atomics stay as they are.
declare float @llvm.nvvm.atomic.load.add.f32.p1(ptr addrspace(1), float)
declare double @llvm.nvvm.atomic.load.add.f64.p0(ptr, double)
declare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.load.dec.32.p3(ptr addrspace(3), i32)

define i32 @f(ptr addrspace(1) %g, ptr %p, ptr addrspace(3) %s, i32 %v) {
  %a = call float @llvm.nvvm.atomic.load.add.f32.p1(ptr addrspace(1) %g, float 1.0)
  %b = call double @llvm.nvvm.atomic.load.add.f64.p0(ptr %p, double 1.0)
  %c = call i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr %p, i32 %v)
  %d = call i32 @llvm.nvvm.atomic.load.dec.32.p3(ptr addrspace(3) %s, i32 %c)
  %e = atomicrmw add ptr %p, i32 %d seq_cst
  ret i32 %e
}

; expect ll:
; declare float @llvm.nvvm.atomic.load.add.f32.p1(ptr addrspace(1), float)
;
; declare double @llvm.nvvm.atomic.load.add.f64.p0(ptr, double)
;
; declare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr, i32)
;
; declare i32 @llvm.nvvm.atomic.load.dec.32.p3(ptr addrspace(3), i32)
;
; define i32 @f(ptr addrspace(1) %g, ptr %p, ptr addrspace(3) %s, i32 %v) {
;   %1 = atomicrmw fadd ptr addrspace(1) %g, float 1.000000e+00 syncscope("device") monotonic
;   %2 = atomicrmw fadd ptr %p, double 1.000000e+00 syncscope("device") monotonic
;   %3 = atomicrmw uinc_wrap ptr %p, i32 %v syncscope("device") monotonic
;   %4 = atomicrmw udec_wrap ptr addrspace(3) %s, i32 %3 syncscope("device") monotonic
;   %e = atomicrmw add ptr %p, i32 %4 seq_cst
;   ret i32 %e
; }
