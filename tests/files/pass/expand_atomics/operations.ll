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
;   br label %atomicrmw.start
;
; atomicrmw.start:                                  ; preds = %atomicrmw.start, %0
;   %loaded = phi i32 [ %1, %0 ], [ %newloaded, %atomicrmw.start ]
;   %2 = and i32 %loaded, %v
;   %new = xor i32 %2, -1
;   %pair = cmpxchg ptr addrspace(1) %p, i32 %loaded, i32 %new syncscope("device") acq_rel monotonic, align 4
;   %success = extractvalue { i32, i1 } %pair, 1
;   %newloaded = extractvalue { i32, i1 } %pair, 0
;   br i1 %success, label %atomicrmw.end, label %atomicrmw.start
;
; atomicrmw.end:                                    ; preds = %atomicrmw.start
;   ret i32 %newloaded
; }
;
; define i64 @wraps(ptr %p, i64 %v) {
;   fence seq_cst
;   %1 = load atomic i64, ptr %p monotonic, align 8
;   br label %atomicrmw.start
;
; atomicrmw.start:                                  ; preds = %atomicrmw.start, %0
;   %loaded = phi i64 [ %1, %0 ], [ %newloaded, %atomicrmw.start ]
;   %2 = add i64 %loaded, 1
;   %3 = icmp uge i64 %loaded, %v
;   %new = select i1 %3, i64 0, i64 %2
;   %pair = cmpxchg volatile ptr %p, i64 %loaded, i64 %new acquire monotonic, align 8
;   %success = extractvalue { i64, i1 } %pair, 1
;   %newloaded = extractvalue { i64, i1 } %pair, 0
;   br i1 %success, label %atomicrmw.end, label %atomicrmw.start
;
; atomicrmw.end:                                    ; preds = %atomicrmw.start
;   %4 = load atomic i64, ptr %p monotonic, align 8
;   br label %atomicrmw.start1
;
; atomicrmw.start1:                                 ; preds = %atomicrmw.start1, %atomicrmw.end
;   %loaded3 = phi i64 [ %4, %atomicrmw.end ], [ %newloaded7, %atomicrmw.start1 ]
;   %5 = sub i64 %loaded3, 1
;   %6 = icmp eq i64 %loaded3, 0
;   %7 = icmp ugt i64 %loaded3, %v
;   %8 = or i1 %6, %7
;   %new4 = select i1 %8, i64 %v, i64 %5
;   %pair5 = cmpxchg ptr %p, i64 %loaded3, i64 %new4 monotonic monotonic, align 8
;   %success6 = extractvalue { i64, i1 } %pair5, 1
;   %newloaded7 = extractvalue { i64, i1 } %pair5, 0
;   br i1 %success6, label %atomicrmw.end2, label %atomicrmw.start1
;
; atomicrmw.end2:                                   ; preds = %atomicrmw.start1
;   %c = xor i64 %newloaded, %newloaded7
;   ret i64 %c
; }
;
; define float @maximum(ptr %p, float %v) {
;   %1 = load atomic i32, ptr %p monotonic, align 4
;   br label %atomicrmw.start
;
; atomicrmw.start:                                  ; preds = %atomicrmw.start, %0
;   %loaded = phi i32 [ %1, %0 ], [ %newloaded, %atomicrmw.start ]
;   %2 = bitcast i32 %loaded to float
;   %new = call float @llvm.maxnum.f32(float %2, float %v)
;   %3 = bitcast float %new to i32
;   %pair = cmpxchg ptr %p, i32 %loaded, i32 %3 release monotonic, align 4
;   %success = extractvalue { i32, i1 } %pair, 1
;   %newloaded = extractvalue { i32, i1 } %pair, 0
;   br i1 %success, label %atomicrmw.end, label %atomicrmw.start
;
; atomicrmw.end:                                    ; preds = %atomicrmw.start
;   %4 = bitcast i32 %newloaded to float
;   ret float %4
; }
;
; define <2 x half> @pairs(ptr %p, <2 x half> %v) {
;   %1 = load atomic i32, ptr %p monotonic, align 4
;   br label %atomicrmw.start
;
; atomicrmw.start:                                  ; preds = %atomicrmw.start, %0
;   %loaded = phi i32 [ %1, %0 ], [ %newloaded, %atomicrmw.start ]
;   %2 = bitcast i32 %loaded to <2 x half>
;   %3 = extractelement <2 x half> %2, i64 0
;   %4 = extractelement <2 x half> %2, i64 1
;   %5 = extractelement <2 x half> %v, i64 0
;   %6 = extractelement <2 x half> %v, i64 1
;   %7 = call half @llvm.minimum.f16(half %3, half %5)
;   %8 = call half @llvm.minimum.f16(half %4, half %6)
;   %9 = insertelement <2 x half> poison, half %7, i64 0
;   %new = insertelement <2 x half> %9, half %8, i64 1
;   %10 = bitcast <2 x half> %new to i32
;   %pair = cmpxchg ptr %p, i32 %loaded, i32 %10 monotonic monotonic, align 4
;   %success = extractvalue { i32, i1 } %pair, 1
;   %newloaded = extractvalue { i32, i1 } %pair, 0
;   br i1 %success, label %atomicrmw.end, label %atomicrmw.start
;
; atomicrmw.end:                                    ; preds = %atomicrmw.start
;   %11 = bitcast i32 %newloaded to <2 x half>
;   ret <2 x half> %11
; }
;
; define i16 @short(ptr %p, i16 %v) {
;   %AlignedAddr = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -4)
;   %1 = ptrtoint ptr %p to i64
;   %PtrLSB = and i64 %1, 3
;   %2 = trunc i64 %PtrLSB to i32
;   %ShiftAmt = shl i32 %2, 3
;   %Mask = shl i32 65535, %ShiftAmt
;   %Inv_Mask = xor i32 %Mask, -1
;   %3 = load atomic i32, ptr %AlignedAddr monotonic, align 4
;   br label %atomicrmw.start
;
; atomicrmw.start:                                  ; preds = %atomicrmw.start, %0
;   %loaded = phi i32 [ %3, %0 ], [ %newloaded, %atomicrmw.start ]
;   %shifted = lshr i32 %loaded, %ShiftAmt
;   %extracted = trunc i32 %shifted to i16
;   %4 = icmp ugt i16 %extracted, %v
;   %new = select i1 %4, i16 %extracted, i16 %v
;   %5 = zext i16 %new to i32
;   %new_Shifted = shl i32 %5, %ShiftAmt
;   %unmasked = and i32 %loaded, %Inv_Mask
;   %inserted = or i32 %unmasked, %new_Shifted
;   %pair = cmpxchg ptr %AlignedAddr, i32 %loaded, i32 %inserted monotonic monotonic, align 4
;   %success = extractvalue { i32, i1 } %pair, 1
;   %newloaded = extractvalue { i32, i1 } %pair, 0
;   br i1 %success, label %atomicrmw.end, label %atomicrmw.start
;
; atomicrmw.end:                                    ; preds = %atomicrmw.start
;   %shifted1 = lshr i32 %newloaded, %ShiftAmt
;   %extracted2 = trunc i32 %shifted1 to i16
;   ret i16 %extracted2
; }
;
; define i128 @wide(ptr %p, i128 %v) {
;   %1 = load atomic i128, ptr %p monotonic, align 16
;   br label %atomicrmw.start
;
; atomicrmw.start:                                  ; preds = %atomicrmw.start, %0
;   %loaded = phi i128 [ %1, %0 ], [ %newloaded, %atomicrmw.start ]
;   %new = add i128 %loaded, %v
;   %pair = cmpxchg ptr %p, i128 %loaded, i128 %new monotonic monotonic, align 16
;   %success = extractvalue { i128, i1 } %pair, 1
;   %newloaded = extractvalue { i128, i1 } %pair, 0
;   br i1 %success, label %atomicrmw.end, label %atomicrmw.start
;
; atomicrmw.end:                                    ; preds = %atomicrmw.start
;   ret i128 %newloaded
; }
;
; declare float @llvm.maxnum.f32(float, float)
;
; declare half @llvm.minimum.f16(half, half)
;
; declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
