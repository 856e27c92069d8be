; test: pass lower_cuda_atomics --atomics cuda
; Sequentially consistent read-modify-writes at system scope are CUDA's; nothing else is.
define i32 @f(ptr %p, i32 %v) {
  %a = atomicrmw volatile nand ptr %p, i32 %v seq_cst, align 4
  %b = cmpxchg weak ptr %p, i32 %a, i32 %v seq_cst seq_cst
  %c = cmpxchg ptr %p, i32 %a, i32 %v seq_cst monotonic
  %d = atomicrmw add ptr %p, i32 %v syncscope("device") seq_cst
  %e = atomicrmw add ptr %p, i32 %v acq_rel
  %f = cmpxchg ptr %p, i32 %d, i32 %e acq_rel seq_cst
  %g = load atomic i32, ptr %p seq_cst, align 4
  store atomic i32 %g, ptr %p seq_cst, align 4
  fence seq_cst
  ret i32 %e
}

; expect ll:
; define i32 @f(ptr %p, i32 %v) {
;   %a = atomicrmw volatile nand ptr %p, i32 %v syncscope("device") monotonic, align 4
;   %b = cmpxchg weak ptr %p, i32 %a, i32 %v syncscope("device") monotonic monotonic
;   %c = cmpxchg ptr %p, i32 %a, i32 %v syncscope("device") monotonic monotonic
;   %d = atomicrmw add ptr %p, i32 %v syncscope("device") seq_cst
;   %e = atomicrmw add ptr %p, i32 %v acq_rel
;   %f = cmpxchg ptr %p, i32 %d, i32 %e acq_rel seq_cst
;   %g = load atomic i32, ptr %p seq_cst, align 4
;   store atomic i32 %g, ptr %p seq_cst, align 4
;   fence seq_cst
;   ret i32 %e
; }
