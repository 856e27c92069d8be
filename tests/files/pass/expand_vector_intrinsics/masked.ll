; test: pass expand_vector_intrinsics
define <2 x i32> @loads(ptr addrspace(1) %p, <2 x i1> %m, <2 x i32> %old) {
  %a = call <2 x i32> @llvm.masked.load.v2i32.p1(ptr addrspace(1) align 8 %p, <2 x i1> %m, <2 x i32> %old)
  ret <2 x i32> %a
}

define void @stores(ptr %p, <2 x i1> %m, <2 x i32> %v) {
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %v, ptr align 8 %p, <2 x i1> %m)
  ret void
}

define <2 x i32> @known(ptr %p, <2 x i32> %v) {
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %v, ptr align 8 %p, <2 x i1> <i1 true, i1 true>)
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %v, ptr align 8 %p, <2 x i1> <i1 false, i1 true>)
  %a = call <2 x i32> @llvm.masked.expandload.v2i32(ptr align 4 %p, <2 x i1> <i1 false, i1 true>, <2 x i32> %v)
  ret <2 x i32> %a
}

define <2 x float> @gathers(<2 x ptr> %p, <2 x i1> %m) {
  %a = call <2 x float> @llvm.masked.gather.v2f32.v2p0(<2 x ptr> align 4 %p, <2 x i1> %m, <2 x float> poison)
  call void @llvm.masked.scatter.v2f32.v2p0(<2 x float> %a, <2 x ptr> align 4 %p, <2 x i1> <i1 true, i1 true>)
  ret <2 x float> %a
}

define void @packs(ptr %p, <2 x i1> %m, <2 x i16> %v) {
  call void @llvm.masked.compressstore.v2i16(<2 x i16> %v, ptr align 4 %p, <2 x i1> %m)
  ret void
}

declare <2 x i32> @llvm.masked.load.v2i32.p1(ptr addrspace(1), <2 x i1>, <2 x i32>)
declare void @llvm.masked.store.v2i32.p0(<2 x i32>, ptr, <2 x i1>)
declare <2 x float> @llvm.masked.gather.v2f32.v2p0(<2 x ptr>, <2 x i1>, <2 x float>)
declare void @llvm.masked.scatter.v2f32.v2p0(<2 x float>, <2 x ptr>, <2 x i1>)
declare <2 x i32> @llvm.masked.expandload.v2i32(ptr, <2 x i1>, <2 x i32>)
declare void @llvm.masked.compressstore.v2i16(<2 x i16>, ptr, <2 x i1>)

; expect ll:
; define <2 x i32> @loads(ptr addrspace(1) %p, <2 x i1> %m, <2 x i32> %old) {
;   %1 = extractelement <2 x i1> %m, i64 0
;   %2 = extractelement <2 x i1> %m, i64 1
;   %3 = extractelement <2 x i32> %old, i64 0
;   br i1 %1, label %4, label %6
;
; 4:                                                ; preds = %0
;   %5 = load i32, ptr addrspace(1) %p, align 8
;   br label %6
;
; 6:                                                ; preds = %4, %0
;   %7 = phi i32 [ %3, %0 ], [ %5, %4 ]
;   %8 = getelementptr i8, ptr addrspace(1) %p, i64 4
;   %9 = extractelement <2 x i32> %old, i64 1
;   br i1 %2, label %10, label %12
;
; 10:                                               ; preds = %6
;   %11 = load i32, ptr addrspace(1) %8, align 4
;   br label %12
;
; 12:                                               ; preds = %10, %6
;   %13 = phi i32 [ %9, %6 ], [ %11, %10 ]
;   %14 = insertelement <2 x i32> poison, i32 %7, i64 0
;   %15 = insertelement <2 x i32> %14, i32 %13, i64 1
;   ret <2 x i32> %15
; }
;
; define void @stores(ptr %p, <2 x i1> %m, <2 x i32> %v) {
;   %1 = extractelement <2 x i1> %m, i64 0
;   %2 = extractelement <2 x i1> %m, i64 1
;   %3 = extractelement <2 x i32> %v, i64 0
;   br i1 %1, label %4, label %5
;
; 4:                                                ; preds = %0
;   store i32 %3, ptr %p, align 8
;   br label %5
;
; 5:                                                ; preds = %4, %0
;   %6 = getelementptr i8, ptr %p, i64 4
;   %7 = extractelement <2 x i32> %v, i64 1
;   br i1 %2, label %8, label %9
;
; 8:                                                ; preds = %5
;   store i32 %7, ptr %6, align 4
;   br label %9
;
; 9:                                                ; preds = %8, %5
;   ret void
; }
;
; define <2 x i32> @known(ptr %p, <2 x i32> %v) {
;   store <2 x i32> %v, ptr %p, align 8
;   %1 = extractelement <2 x i32> %v, i64 0
;   %2 = getelementptr i8, ptr %p, i64 4
;   %3 = extractelement <2 x i32> %v, i64 1
;   store i32 %3, ptr %2, align 4
;   %4 = extractelement <2 x i32> %v, i64 0
;   %5 = extractelement <2 x i32> %v, i64 1
;   %6 = load i32, ptr %p, align 4
;   %7 = getelementptr i8, ptr %p, i64 4
;   %8 = insertelement <2 x i32> poison, i32 %4, i64 0
;   %9 = insertelement <2 x i32> %8, i32 %6, i64 1
;   ret <2 x i32> %9
; }
;
; define <2 x float> @gathers(<2 x ptr> %p, <2 x i1> %m) {
;   %1 = extractelement <2 x i1> %m, i64 0
;   %2 = extractelement <2 x i1> %m, i64 1
;   %3 = extractelement <2 x ptr> %p, i64 0
;   br i1 %1, label %4, label %6
;
; 4:                                                ; preds = %0
;   %5 = load float, ptr %3, align 4
;   br label %6
;
; 6:                                                ; preds = %4, %0
;   %7 = phi float [ poison, %0 ], [ %5, %4 ]
;   %8 = extractelement <2 x ptr> %p, i64 1
;   br i1 %2, label %9, label %11
;
; 9:                                                ; preds = %6
;   %10 = load float, ptr %8, align 4
;   br label %11
;
; 11:                                               ; preds = %9, %6
;   %12 = phi float [ poison, %6 ], [ %10, %9 ]
;   %13 = insertelement <2 x float> poison, float %7, i64 0
;   %14 = insertelement <2 x float> %13, float %12, i64 1
;   %15 = extractelement <2 x ptr> %p, i64 0
;   %16 = extractelement <2 x float> %14, i64 0
;   store float %16, ptr %15, align 4
;   %17 = extractelement <2 x ptr> %p, i64 1
;   %18 = extractelement <2 x float> %14, i64 1
;   store float %18, ptr %17, align 4
;   ret <2 x float> %14
; }
;
; define void @packs(ptr %p, <2 x i1> %m, <2 x i16> %v) {
;   %1 = extractelement <2 x i1> %m, i64 0
;   %2 = extractelement <2 x i1> %m, i64 1
;   %3 = extractelement <2 x i16> %v, i64 0
;   br i1 %1, label %4, label %5
;
; 4:                                                ; preds = %0
;   store i16 %3, ptr %p, align 4
;   br label %5
;
; 5:                                                ; preds = %4, %0
;   %6 = zext i1 %1 to i64
;   %7 = mul i64 %6, 2
;   %8 = getelementptr i8, ptr %p, i64 %7
;   %9 = extractelement <2 x i16> %v, i64 1
;   br i1 %2, label %10, label %11
;
; 10:                                               ; preds = %5
;   store i16 %9, ptr %8, align 2
;   br label %11
;
; 11:                                               ; preds = %10, %5
;   %12 = zext i1 %2 to i64
;   %13 = mul i64 %12, 2
;   %14 = getelementptr i8, ptr %8, i64 %13
;   ret void
; }
;
; declare <2 x i32> @llvm.masked.load.v2i32.p1(ptr addrspace(1), <2 x i1>, <2 x i32>)
;
; declare void @llvm.masked.store.v2i32.p0(<2 x i32>, ptr, <2 x i1>)
;
; declare <2 x float> @llvm.masked.gather.v2f32.v2p0(<2 x ptr>, <2 x i1>, <2 x float>)
;
; declare void @llvm.masked.scatter.v2f32.v2p0(<2 x float>, <2 x ptr>, <2 x i1>)
;
; declare <2 x i32> @llvm.masked.expandload.v2i32(ptr, <2 x i1>, <2 x i32>)
;
; declare void @llvm.masked.compressstore.v2i16(<2 x i16>, ptr, <2 x i1>)
