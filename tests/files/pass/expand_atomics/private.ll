; test: pass expand_atomics --arch sm_90
; What only this thread can write needs no atomics, but the fences of their orders stay.
define i32 @stack(i32 %v) {
  %p = alloca i32
  %q = alloca i32
  store i32 1, ptr %p
  %a = atomicrmw add ptr %p, i32 %v syncscope("block") acq_rel
  %c = icmp eq i32 %a, 0
  %r = select i1 %c, ptr %p, ptr %q
  %b = cmpxchg ptr %r, i32 1, i32 2 release acquire
  %s = extractvalue { i32, i1 } %b, 0
  ret i32 %s
}

define i64 @local(ptr addrspace(5) %p, i64 %v) {
  store atomic i64 %v, ptr addrspace(5) %p seq_cst, align 8
  %a = load atomic i64, ptr addrspace(5) %p monotonic, align 8
  ret i64 %a
}

define double @by_value(ptr byval(double) %p) {
  %a = atomicrmw fmax ptr %p, double 1.0 monotonic
  ret double %a
}

define i16 @constant(ptr addrspace(4) %p) {
  %a = load atomic i16, ptr addrspace(4) %p acquire, align 2
  ret i16 %a
}

define i32 @perhaps(ptr %o, i1 %c) {
  %p = alloca i32
  %r = select i1 %c, ptr %p, ptr %o
  %a = atomicrmw add ptr %r, i32 1 monotonic
  ret i32 %a
}

; expect ll:
; define i32 @stack(i32 %v) {
;   %p = alloca i32
;   %q = alloca i32
;   store i32 1, ptr %p
;   fence syncscope("block") release
;   %1 = load i32, ptr %p
;   %2 = add i32 %1, %v
;   store i32 %2, ptr %p
;   fence syncscope("block") acquire
;   %c = icmp eq i32 %1, 0
;   %r = select i1 %c, ptr %p, ptr %q
;   fence release
;   %3 = load i32, ptr %r
;   %4 = icmp eq i32 %3, 1
;   %5 = select i1 %4, i32 2, i32 %3
;   store i32 %5, ptr %r
;   fence acquire
;   %6 = insertvalue { i32, i1 } poison, i32 %3, 0
;   %7 = insertvalue { i32, i1 } %6, i1 %4, 1
;   %s = extractvalue { i32, i1 } %7, 0
;   ret i32 %s
; }
;
; define i64 @local(ptr addrspace(5) %p, i64 %v) {
;   fence seq_cst
;   store i64 %v, ptr addrspace(5) %p, align 8
;   %1 = load i64, ptr addrspace(5) %p, align 8
;   ret i64 %1
; }
;
; define double @by_value(ptr byval(double) %p) {
;   %1 = load double, ptr %p
;   %2 = call double @llvm.maxnum.f64(double %1, double 1.000000e+00)
;   store double %2, ptr %p
;   ret double %1
; }
;
; define i16 @constant(ptr addrspace(4) %p) {
;   %1 = load i16, ptr addrspace(4) %p, align 2
;   fence acquire
;   ret i16 %1
; }
;
; define i32 @perhaps(ptr %o, i1 %c) {
;   %p = alloca i32
;   %r = select i1 %c, ptr %p, ptr %o
;   %a = atomicrmw add ptr %r, i32 1 monotonic
;   ret i32 %a
; }
;
; declare double @llvm.maxnum.f64(double, double)
