; test: pass expand_atomics --arch sm_90
; Operations that PTX has stay, the others become loops with the same order and scope.
define i32 @stays(ptr %p, i32 %v, ptr %q, <2 x half> %h) {
  %a = atomicrmw add ptr %p, i32 %v seq_cst
  %b = atomicrmw uinc_wrap ptr %p, i32 %v syncscope("block") monotonic
  %c = atomicrmw fadd ptr %q, <2 x half> %h monotonic
  %d = cmpxchg ptr %q, i16 1, i16 2 acquire monotonic
  %e = add i32 %a, %b
  ret i32 %e
}

define i32 @nand(ptr addrspace(1) %p, i32 %v) {
  %a = atomicrmw nand ptr addrspace(1) %p, i32 %v syncscope("device") acq_rel
  ret i32 %a
}

define i64 @wraps(ptr %p, i64 %v) {
  %a = atomicrmw volatile uinc_wrap ptr %p, i64 %v seq_cst
  %b = atomicrmw udec_wrap ptr %p, i64 %v monotonic
  %c = xor i64 %a, %b
  ret i64 %c
}

define float @maximum(ptr %p, float %v) {
  %a = atomicrmw fmax ptr %p, float %v release
  ret float %a
}

define <2 x half> @pairs(ptr %p, <2 x half> %v) {
  %a = atomicrmw fminimum ptr %p, <2 x half> %v monotonic
  ret <2 x half> %a
}

define i16 @short(ptr %p, i16 %v) {
  %a = atomicrmw umax ptr %p, i16 %v monotonic
  ret i16 %a
}

define i128 @wide(ptr %p, i128 %v) {
  %a = atomicrmw add ptr %p, i128 %v monotonic
  ret i128 %a
}

; expect ll:
; define i32 @stays(ptr %p, i32 %v, ptr %q, <2 x half> %h) {
;   %a = atomicrmw add ptr %p, i32 %v seq_cst
;   %b = atomicrmw uinc_wrap ptr %p, i32 %v syncscope("block") monotonic
;   %c = atomicrmw fadd ptr %q, <2 x half> %h monotonic
;   %d = cmpxchg ptr %q, i16 1, i16 2 acquire monotonic
;   %e = add i32 %a, %b
;   ret i32 %e
; }
;
; define i32 @nand(ptr addrspace(1) %p, i32 %v) {
;   %1 = load atomic i32, ptr addrspace(1) %p syncscope("device") monotonic, align 4
;   br label %2
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i32 [ %1, %0 ], [ %7, %2 ]
;   %4 = and i32 %3, %v
;   %5 = xor i32 %4, -1
;   %6 = cmpxchg ptr addrspace(1) %p, i32 %3, i32 %5 syncscope("device") acq_rel monotonic, align 4
;   %7 = extractvalue { i32, i1 } %6, 0
;   %8 = extractvalue { i32, i1 } %6, 1
;   br i1 %8, label %9, label %2
;
; 9:                                                ; preds = %2
;   ret i32 %3
; }
;
; define i64 @wraps(ptr %p, i64 %v) {
;   %1 = load atomic i64, ptr %p monotonic, align 8
;   br label %2
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i64 [ %1, %0 ], [ %8, %2 ]
;   %4 = add i64 %3, 1
;   %5 = icmp uge i64 %3, %v
;   %6 = select i1 %5, i64 0, i64 %4
;   %7 = cmpxchg volatile ptr %p, i64 %3, i64 %6 seq_cst monotonic, align 8
;   %8 = extractvalue { i64, i1 } %7, 0
;   %9 = extractvalue { i64, i1 } %7, 1
;   br i1 %9, label %10, label %2
;
; 10:                                               ; preds = %2
;   %11 = load atomic i64, ptr %p monotonic, align 8
;   br label %12
;
; 12:                                               ; preds = %12, %10
;   %13 = phi i64 [ %11, %10 ], [ %20, %12 ]
;   %14 = sub i64 %13, 1
;   %15 = icmp eq i64 %13, 0
;   %16 = icmp ugt i64 %13, %v
;   %17 = or i1 %15, %16
;   %18 = select i1 %17, i64 %v, i64 %14
;   %19 = cmpxchg ptr %p, i64 %13, i64 %18 monotonic monotonic, align 8
;   %20 = extractvalue { i64, i1 } %19, 0
;   %21 = extractvalue { i64, i1 } %19, 1
;   br i1 %21, label %22, label %12
;
; 22:                                               ; preds = %12
;   %c = xor i64 %3, %13
;   ret i64 %c
; }
;
; define float @maximum(ptr %p, float %v) {
;   %1 = load atomic i32, ptr %p monotonic, align 4
;   br label %2
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i32 [ %1, %0 ], [ %8, %2 ]
;   %4 = bitcast i32 %3 to float
;   %5 = call float @llvm.maxnum.f32(float %4, float %v)
;   %6 = bitcast float %5 to i32
;   %7 = cmpxchg ptr %p, i32 %3, i32 %6 release monotonic, align 4
;   %8 = extractvalue { i32, i1 } %7, 0
;   %9 = extractvalue { i32, i1 } %7, 1
;   br i1 %9, label %10, label %2
;
; 10:                                               ; preds = %2
;   %11 = bitcast i32 %3 to float
;   ret float %11
; }
;
; define <2 x half> @pairs(ptr %p, <2 x half> %v) {
;   %1 = load atomic i32, ptr %p monotonic, align 4
;   br label %2
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i32 [ %1, %0 ], [ %15, %2 ]
;   %4 = bitcast i32 %3 to <2 x half>
;   %5 = extractelement <2 x half> %4, i64 0
;   %6 = extractelement <2 x half> %4, i64 1
;   %7 = extractelement <2 x half> %v, i64 0
;   %8 = extractelement <2 x half> %v, i64 1
;   %9 = call half @llvm.minimum.f16(half %5, half %7)
;   %10 = call half @llvm.minimum.f16(half %6, half %8)
;   %11 = insertelement <2 x half> poison, half %9, i64 0
;   %12 = insertelement <2 x half> %11, half %10, i64 1
;   %13 = bitcast <2 x half> %12 to i32
;   %14 = cmpxchg ptr %p, i32 %3, i32 %13 monotonic monotonic, align 4
;   %15 = extractvalue { i32, i1 } %14, 0
;   %16 = extractvalue { i32, i1 } %14, 1
;   br i1 %16, label %17, label %2
;
; 17:                                               ; preds = %2
;   %18 = bitcast i32 %3 to <2 x half>
;   ret <2 x half> %18
; }
;
; define i16 @short(ptr %p, i16 %v) {
;   %1 = load atomic i16, ptr %p monotonic, align 2
;   br label %2
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i16 [ %1, %0 ], [ %7, %2 ]
;   %4 = icmp ugt i16 %3, %v
;   %5 = select i1 %4, i16 %3, i16 %v
;   %6 = cmpxchg ptr %p, i16 %3, i16 %5 monotonic monotonic, align 2
;   %7 = extractvalue { i16, i1 } %6, 0
;   %8 = extractvalue { i16, i1 } %6, 1
;   br i1 %8, label %9, label %2
;
; 9:                                                ; preds = %2
;   ret i16 %3
; }
;
; define i128 @wide(ptr %p, i128 %v) {
;   %1 = cmpxchg ptr %p, i128 0, i128 0 monotonic monotonic, align 16
;   %2 = extractvalue { i128, i1 } %1, 0
;   %3 = extractvalue { i128, i1 } %1, 1
;   br label %4
;
; 4:                                                ; preds = %4, %0
;   %5 = phi i128 [ %2, %0 ], [ %8, %4 ]
;   %6 = add i128 %5, %v
;   %7 = cmpxchg ptr %p, i128 %5, i128 %6 monotonic monotonic, align 16
;   %8 = extractvalue { i128, i1 } %7, 0
;   %9 = extractvalue { i128, i1 } %7, 1
;   br i1 %9, label %10, label %4
;
; 10:                                               ; preds = %4
;   ret i128 %5
; }
;
; declare float @llvm.maxnum.f32(float, float)
;
; declare half @llvm.minimum.f16(half, half)
