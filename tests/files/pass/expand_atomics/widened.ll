; test: pass expand_atomics --arch sm_90
; Bitwise operations on bytes and short integers are one operation on their word; the rest of these need no loop
; either.
define i8 @or(ptr addrspace(1) %p, i8 %v) {
  %a = atomicrmw or ptr addrspace(1) %p, i8 %v syncscope("block") release
  ret i8 %a
}

define void @and(ptr addrspace(3) %p, i16 %v) {
  %a = atomicrmw and ptr addrspace(3) %p, i16 %v seq_cst, align 4
  ret void
}

define float @minus(ptr %p, float %v) {
  %a = atomicrmw fsub ptr %p, float %v acquire
  ret float %a
}

define <2 x float> @vector(ptr %p, <2 x ptr> %v) {
  %a = load atomic <2 x float>, ptr %p acquire, align 8
  store atomic <2 x ptr> %v, ptr %p release, align 16
  ret <2 x float> %a
}

; expect ll:
; define i8 @or(ptr addrspace(1) %p, i8 %v) {
;   %AlignedAddr = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %p, i64 -4)
;   %1 = ptrtoint ptr addrspace(1) %p to i64
;   %PtrLSB = and i64 %1, 3
;   %2 = trunc i64 %PtrLSB to i32
;   %ShiftAmt = shl i32 %2, 3
;   %Mask = shl i32 255, %ShiftAmt
;   %Inv_Mask = xor i32 %Mask, -1
;   %3 = zext i8 %v to i32
;   %ValOperand_Shifted = shl i32 %3, %ShiftAmt
;   %4 = atomicrmw or ptr addrspace(1) %AlignedAddr, i32 %ValOperand_Shifted syncscope("block") release, align 4
;   %shifted = lshr i32 %4, %ShiftAmt
;   %extracted = trunc i32 %shifted to i8
;   ret i8 %extracted
; }
;
; define void @and(ptr addrspace(3) %p, i16 %v) {
;   %1 = zext i16 %v to i32
;   %AndOperand = or i32 %1, -65536
;   %2 = atomicrmw and ptr addrspace(3) %p, i32 %AndOperand seq_cst, align 4
;   %extracted = trunc i32 %2 to i16
;   ret void
; }
;
; define float @minus(ptr %p, float %v) {
;   %1 = fneg float %v
;   %2 = atomicrmw fadd ptr %p, float %1 acquire
;   ret float %2
; }
;
; define <2 x float> @vector(ptr %p, <2 x ptr> %v) {
;   %1 = load atomic i64, ptr %p acquire, align 8
;   %2 = bitcast i64 %1 to <2 x float>
;   %3 = ptrtoint <2 x ptr> %v to <2 x i64>
;   %4 = bitcast <2 x i64> %3 to i128
;   store atomic i128 %4, ptr %p release, align 16
;   ret <2 x float> %2
; }
;
; declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)
