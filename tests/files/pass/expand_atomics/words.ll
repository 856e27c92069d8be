; test: pass expand_atomics --arch sm_60
; Narrow values in words: 8 bits on all chips, 16 bits on this one.
define i8 @byte(ptr %p, i8 %v) {
  %a = atomicrmw sub ptr %p, i8 %v acquire
  ret i8 %a
}

define half @aligned(ptr addrspace(3) %p, half %v) {
  %a = atomicrmw fadd ptr addrspace(3) %p, half %v monotonic, align 4
  ret half %a
}

define i1 @swap(ptr %p, i16 %a, i16 %b) {
  %r = cmpxchg weak ptr %p, i16 %a, i16 %b seq_cst acquire
  %s = extractvalue { i16, i1 } %r, 1
  ret i1 %s
}

; expect ll:
; define i8 @byte(ptr %p, i8 %v) {
;   %AlignedAddr = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -4)
;   %1 = ptrtoint ptr %p to i64
;   %PtrLSB = and i64 %1, 3
;   %2 = trunc i64 %PtrLSB to i32
;   %ShiftAmt = shl i32 %2, 3
;   %Mask = shl i32 255, %ShiftAmt
;   %Inv_Mask = xor i32 %Mask, -1
;   %3 = zext i8 %v to i32
;   %ValOperand_Shifted = shl i32 %3, %ShiftAmt
;   %4 = load atomic i32, ptr %AlignedAddr monotonic, align 4
;   br label %atomicrmw.start
;
; atomicrmw.start:                                  ; preds = %atomicrmw.start, %0
;   %loaded = phi i32 [ %4, %0 ], [ %newloaded, %atomicrmw.start ]
;   %new = sub i32 %loaded, %ValOperand_Shifted
;   %5 = and i32 %new, %Mask
;   %unmasked = and i32 %loaded, %Inv_Mask
;   %inserted = or i32 %unmasked, %5
;   %pair = cmpxchg ptr %AlignedAddr, i32 %loaded, i32 %inserted monotonic monotonic, align 4
;   %success = extractvalue { i32, i1 } %pair, 1
;   %newloaded = extractvalue { i32, i1 } %pair, 0
;   br i1 %success, label %atomicrmw.end, label %atomicrmw.start
;
; atomicrmw.end:                                    ; preds = %atomicrmw.start
;   fence seq_cst
;   %shifted = lshr i32 %newloaded, %ShiftAmt
;   %extracted = trunc i32 %shifted to i8
;   ret i8 %extracted
; }
;
; define half @aligned(ptr addrspace(3) %p, half %v) {
;   %1 = load atomic i32, ptr addrspace(3) %p monotonic, align 4
;   br label %atomicrmw.start
;
; atomicrmw.start:                                  ; preds = %atomicrmw.start, %0
;   %loaded = phi i32 [ %1, %0 ], [ %newloaded, %atomicrmw.start ]
;   %extracted = trunc i32 %loaded to i16
;   %2 = bitcast i16 %extracted to half
;   %new = fadd half %2, %v
;   %3 = bitcast half %new to i16
;   %4 = zext i16 %3 to i32
;   %unmasked = and i32 %loaded, -65536
;   %inserted = or i32 %unmasked, %4
;   %pair = cmpxchg ptr addrspace(3) %p, i32 %loaded, i32 %inserted monotonic monotonic, align 4
;   %success = extractvalue { i32, i1 } %pair, 1
;   %newloaded = extractvalue { i32, i1 } %pair, 0
;   br i1 %success, label %atomicrmw.end, label %atomicrmw.start
;
; atomicrmw.end:                                    ; preds = %atomicrmw.start
;   %extracted1 = trunc i32 %newloaded to i16
;   %5 = bitcast i16 %extracted1 to half
;   ret half %5
; }
;
; define i1 @swap(ptr %p, i16 %a, i16 %b) {
;   %AlignedAddr = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -4)
;   %1 = ptrtoint ptr %p to i64
;   %PtrLSB = and i64 %1, 3
;   %2 = trunc i64 %PtrLSB to i32
;   %ShiftAmt = shl i32 %2, 3
;   %Mask = shl i32 65535, %ShiftAmt
;   %Inv_Mask = xor i32 %Mask, -1
;   %3 = zext i16 %b to i32
;   %NewVal_Shifted = shl i32 %3, %ShiftAmt
;   %4 = zext i16 %a to i32
;   %Cmp_Shifted = shl i32 %4, %ShiftAmt
;   fence seq_cst
;   %InitLoaded = load atomic i32, ptr %AlignedAddr monotonic, align 4
;   %InitLoaded_MaskOut = and i32 %InitLoaded, %Inv_Mask
;   br label %partword.cmpxchg.loop
;
; partword.cmpxchg.loop:                            ; preds = %0
;   %Loaded_MaskOut = phi i32 [ %InitLoaded_MaskOut, %0 ]
;   %FullWord_NewVal = or i32 %Loaded_MaskOut, %NewVal_Shifted
;   %FullWord_Cmp = or i32 %Loaded_MaskOut, %Cmp_Shifted
;   %NewCI = cmpxchg ptr %AlignedAddr, i32 %FullWord_Cmp, i32 %FullWord_NewVal monotonic monotonic, align 4
;   %Success = extractvalue { i32, i1 } %NewCI, 1
;   %OldVal = extractvalue { i32, i1 } %NewCI, 0
;   br label %partword.cmpxchg.end
;
; partword.cmpxchg.end:                             ; preds = %partword.cmpxchg.loop
;   fence seq_cst
;   %shifted = lshr i32 %OldVal, %ShiftAmt
;   %extracted = trunc i32 %shifted to i16
;   %5 = insertvalue { i16, i1 } poison, i16 %extracted, 0
;   %6 = insertvalue { i16, i1 } %5, i1 %Success, 1
;   %s = extractvalue { i16, i1 } %6, 1
;   ret i1 %s
; }
;
; declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
