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
;   %1 = ptrtoint ptr %p to i64
;   %2 = and i64 %1, 3
;   %3 = sub i64 0, %2
;   %4 = getelementptr i8, ptr %p, i64 %3
;   %5 = trunc i64 %2 to i32
;   %6 = shl i32 %5, 3
;   %7 = shl i32 255, %6
;   %8 = xor i32 %7, -1
;   %9 = load atomic i32, ptr %4 monotonic, align 4
;   br label %10
;
; 10:                                               ; preds = %10, %0
;   %11 = phi i32 [ %9, %0 ], [ %20, %10 ]
;   %12 = lshr i32 %11, %6
;   %13 = trunc i32 %12 to i8
;   %14 = sub i8 %13, %v
;   %15 = zext i8 %14 to i32
;   %16 = shl i32 %15, %6
;   %17 = and i32 %11, %8
;   %18 = or i32 %17, %16
;   %19 = cmpxchg ptr %4, i32 %11, i32 %18 acquire monotonic, align 4
;   %20 = extractvalue { i32, i1 } %19, 0
;   %21 = extractvalue { i32, i1 } %19, 1
;   br i1 %21, label %22, label %10
;
; 22:                                               ; preds = %10
;   %23 = lshr i32 %11, %6
;   %24 = trunc i32 %23 to i8
;   ret i8 %24
; }
;
; define half @aligned(ptr addrspace(3) %p, half %v) {
;   %1 = load atomic i32, ptr addrspace(3) %p monotonic, align 4
;   br label %2
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i32 [ %1, %0 ], [ %12, %2 ]
;   %4 = trunc i32 %3 to i16
;   %5 = bitcast i16 %4 to half
;   %6 = fadd half %5, %v
;   %7 = bitcast half %6 to i16
;   %8 = zext i16 %7 to i32
;   %9 = and i32 %3, -65536
;   %10 = or i32 %9, %8
;   %11 = cmpxchg ptr addrspace(3) %p, i32 %3, i32 %10 monotonic monotonic, align 4
;   %12 = extractvalue { i32, i1 } %11, 0
;   %13 = extractvalue { i32, i1 } %11, 1
;   br i1 %13, label %14, label %2
;
; 14:                                               ; preds = %2
;   %15 = trunc i32 %3 to i16
;   %16 = bitcast i16 %15 to half
;   ret half %16
; }
;
; define i1 @swap(ptr %p, i16 %a, i16 %b) {
;   %1 = ptrtoint ptr %p to i64
;   %2 = and i64 %1, 3
;   %3 = sub i64 0, %2
;   %4 = getelementptr i8, ptr %p, i64 %3
;   %5 = trunc i64 %2 to i32
;   %6 = shl i32 %5, 3
;   %7 = shl i32 65535, %6
;   %8 = xor i32 %7, -1
;   %9 = zext i16 %a to i32
;   %10 = shl i32 %9, %6
;   %11 = zext i16 %b to i32
;   %12 = shl i32 %11, %6
;   %13 = load atomic i32, ptr %4 monotonic, align 4
;   %14 = and i32 %13, %8
;   br label %15
;
; 15:                                               ; preds = %22, %0
;   %16 = phi i32 [ %14, %0 ], [ %23, %22 ]
;   %17 = or i32 %16, %10
;   %18 = or i32 %16, %12
;   %19 = cmpxchg ptr %4, i32 %17, i32 %18 seq_cst acquire, align 4
;   %20 = extractvalue { i32, i1 } %19, 0
;   %21 = extractvalue { i32, i1 } %19, 1
;   br i1 %21, label %25, label %22
;
; 22:                                               ; preds = %15
;   %23 = and i32 %20, %8
;   %24 = icmp ne i32 %23, %16
;   br i1 %24, label %15, label %25
;
; 25:                                               ; preds = %22, %15
;   %26 = lshr i32 %20, %6
;   %27 = trunc i32 %26 to i16
;   %28 = insertvalue { i16, i1 } poison, i16 %27, 0
;   %29 = insertvalue { i16, i1 } %28, i1 %21, 1
;   %s = extractvalue { i16, i1 } %29, 1
;   ret i1 %s
; }
