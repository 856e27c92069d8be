; test: pass expand_collectives --arch sm_90
; Only integers are reduced here: floating-point numbers become integers in the same order.
declare float @llvm.nvvm.redux.sync.fmax(float, i32)
declare float @llvm.nvvm.redux.sync.fmin.NaN(float, i32)
declare i32 @llvm.nvvm.redux.sync.xor(i32, i32)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32)

define float @largest(float %value, i32 %mask) {
  %r = call float @llvm.nvvm.redux.sync.fmax(float %value, i32 %mask)
  ret float %r
}

define float @smallest(float %value, i32 %mask) {
  %r = call float @llvm.nvvm.redux.sync.fmin.NaN(float %value, i32 %mask)
  ret float %r
}

define i32 @stays(i32 %value, i32 %mask) {
  %r = call i32 @llvm.nvvm.redux.sync.xor(i32 %value, i32 %mask)
  %pair = call { i32, i1 } @llvm.nvvm.elect.sync(i32 %mask)
  ret i32 %r
}

; expect ll:
; declare float @llvm.nvvm.redux.sync.fmax(float, i32)
;
; declare float @llvm.nvvm.redux.sync.fmin.NaN(float, i32)
;
; declare i32 @llvm.nvvm.redux.sync.xor(i32, i32)
;
; declare { i32, i1 } @llvm.nvvm.elect.sync(i32)
;
; define float @largest(float %value, i32 %mask) {
;   %1 = bitcast float %value to i32
;   %2 = ashr i32 %1, 31
;   %3 = and i32 %2, 2147483647
;   %4 = xor i32 %1, %3
;   %5 = fcmp uno float %value, %value
;   %6 = select i1 %5, i32 -2147483648, i32 %4
;   %7 = call i32 @llvm.nvvm.redux.sync.max(i32 %6, i32 %mask)
;   %8 = icmp eq i32 %7, -2147483648
;   %9 = ashr i32 %7, 31
;   %10 = and i32 %9, 2147483647
;   %11 = xor i32 %7, %10
;   %12 = select i1 %8, i32 2147483647, i32 %11
;   %13 = bitcast i32 %12 to float
;   ret float %13
; }
;
; define float @smallest(float %value, i32 %mask) {
;   %1 = bitcast float %value to i32
;   %2 = ashr i32 %1, 31
;   %3 = and i32 %2, 2147483647
;   %4 = xor i32 %1, %3
;   %5 = fcmp uno float %value, %value
;   %6 = select i1 %5, i32 -2147483648, i32 %4
;   %7 = call i32 @llvm.nvvm.redux.sync.min(i32 %6, i32 %mask)
;   %8 = icmp eq i32 %7, -2147483648
;   %9 = ashr i32 %7, 31
;   %10 = and i32 %9, 2147483647
;   %11 = xor i32 %7, %10
;   %12 = select i1 %8, i32 2147483647, i32 %11
;   %13 = bitcast i32 %12 to float
;   ret float %13
; }
;
; define i32 @stays(i32 %value, i32 %mask) {
;   %r = call i32 @llvm.nvvm.redux.sync.xor(i32 %value, i32 %mask)
;   %pair = call { i32, i1 } @llvm.nvvm.elect.sync(i32 %mask)
;   ret i32 %r
; }
;
; declare i32 @llvm.nvvm.redux.sync.max(i32, i32)
;
; declare i32 @llvm.nvvm.redux.sync.min(i32, i32)
