; test: pass expand_memory_intrinsics
; Large and unknown sizes.
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memmove.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.experimental.memset.pattern.p0.i24.i64(ptr, i24, i64, i1)

define void @large(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %from, i64 1050, i1 false)
  ret void
}

define i32 @unknown(ptr %to, ptr %from, i32 %size) {
entry:
  %some = icmp ne i32 %size, 0
  br i1 %some, label %work, label %end

work:
  call void @llvm.memcpy.p0.p0.i32(ptr align 8 %to, ptr align 8 %from, i32 %size, i1 false)
  br label %end

end:
  %r = phi i32 [ 1, %work ], [ 2, %entry ]
  ret i32 %r
}

define void @bytes(ptr %to, ptr %from, i64 %size) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  ret void
}

define void @move(ptr %to, ptr addrspace(1) %from, i64 %size) {
  call void @llvm.memmove.p0.p1.i64(ptr align 4 %to, ptr addrspace(1) align 4 %from, i64 %size, i1 false)
  ret void
}

define void @move_apart(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %size) {
  call void @llvm.memmove.p3.p1.i64(ptr addrspace(3) align 4 %to, ptr addrspace(1) align 4 %from, i64 %size, i1 false)
  ret void
}

define void @set(ptr %to, i8 %byte, i64 %size) {
  call void @llvm.memset.p0.i64(ptr align 4 %to, i8 %byte, i64 %size, i1 false)
  call void @llvm.memset.p0.i64(ptr align 16 %to, i8 %byte, i64 200, i1 false)
  ret void
}

define void @pattern(ptr %to, i24 %value, i64 %count) {
  call void @llvm.experimental.memset.pattern.p0.i24.i64(ptr align 8 %to, i24 %value, i64 %count, i1 false)
  ret void
}

; expect ll:
; declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
;
; declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
;
; declare void @llvm.memmove.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
;
; declare void @llvm.memmove.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
;
; declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
;
; declare void @llvm.experimental.memset.pattern.p0.i24.i64(ptr, i24, i64, i1)
;
; define void @large(ptr %to, ptr %from) {
;   br label %1
;
; 1:                                                ; preds = %1, %0
;   %2 = phi i64 [ 0, %0 ], [ %16, %1 ]
;   %3 = mul i64 %2, 64
;   %4 = getelementptr i8, ptr %to, i64 %3
;   %5 = getelementptr i8, ptr %from, i64 %3
;   %6 = load <4 x i32>, ptr %5, align 16
;   %7 = getelementptr i8, ptr %5, i64 16
;   %8 = load <4 x i32>, ptr %7, align 16
;   %9 = getelementptr i8, ptr %5, i64 32
;   %10 = load <4 x i32>, ptr %9, align 16
;   %11 = getelementptr i8, ptr %5, i64 48
;   %12 = load <4 x i32>, ptr %11, align 16
;   store <4 x i32> %6, ptr %4, align 16
;   %13 = getelementptr i8, ptr %4, i64 16
;   store <4 x i32> %8, ptr %13, align 16
;   %14 = getelementptr i8, ptr %4, i64 32
;   store <4 x i32> %10, ptr %14, align 16
;   %15 = getelementptr i8, ptr %4, i64 48
;   store <4 x i32> %12, ptr %15, align 16
;   %16 = add nuw i64 %2, 1
;   %17 = icmp ult i64 %16, 16
;   br i1 %17, label %1, label %18
;
; 18:                                               ; preds = %1
;   %19 = getelementptr i8, ptr %from, i64 1024
;   %20 = load <4 x i32>, ptr %19, align 16
;   %21 = getelementptr i8, ptr %from, i64 1040
;   %22 = load i64, ptr %21, align 16
;   %23 = getelementptr i8, ptr %from, i64 1048
;   %24 = load i16, ptr %23, align 8
;   %25 = getelementptr i8, ptr %to, i64 1024
;   store <4 x i32> %20, ptr %25, align 16
;   %26 = getelementptr i8, ptr %to, i64 1040
;   store i64 %22, ptr %26, align 16
;   %27 = getelementptr i8, ptr %to, i64 1048
;   store i16 %24, ptr %27, align 8
;   ret void
; }
;
; define i32 @unknown(ptr %to, ptr %from, i32 %size) {
; entry:
;   %some = icmp ne i32 %size, 0
;   br i1 %some, label %work, label %end
;
; work:                                             ; preds = %entry
;   %0 = zext i32 %size to i64
;   %1 = lshr i64 %0, 3
;   %2 = and i64 %0, -8
;   %3 = and i64 %0, 7
;   %4 = icmp ne i64 %1, 0
;   br i1 %4, label %5, label %12
;
; 5:                                                ; preds = %5, %work
;   %6 = phi i64 [ 0, %work ], [ %10, %5 ]
;   %7 = getelementptr i64, ptr %from, i64 %6
;   %8 = getelementptr i64, ptr %to, i64 %6
;   %9 = load i64, ptr %7, align 8
;   store i64 %9, ptr %8, align 8
;   %10 = add nuw i64 %6, 1
;   %11 = icmp ult i64 %10, %1
;   br i1 %11, label %5, label %12
;
; 12:                                               ; preds = %5, %work
;   %13 = icmp ne i64 %3, 0
;   br i1 %13, label %14, label %22
;
; 14:                                               ; preds = %14, %12
;   %15 = phi i64 [ 0, %12 ], [ %20, %14 ]
;   %16 = add i64 %2, %15
;   %17 = getelementptr i8, ptr %from, i64 %16
;   %18 = getelementptr i8, ptr %to, i64 %16
;   %19 = load i8, ptr %17, align 1
;   store i8 %19, ptr %18, align 1
;   %20 = add nuw i64 %15, 1
;   %21 = icmp ult i64 %20, %3
;   br i1 %21, label %14, label %22
;
; 22:                                               ; preds = %14, %12
;   br label %end
;
; end:                                              ; preds = %22, %entry
;   %r = phi i32 [ 1, %22 ], [ 2, %entry ]
;   ret i32 %r
; }
;
; define void @bytes(ptr %to, ptr %from, i64 %size) {
;   %1 = icmp ne i64 %size, 0
;   br i1 %1, label %2, label %9
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i64 [ 0, %0 ], [ %7, %2 ]
;   %4 = getelementptr i8, ptr %from, i64 %3
;   %5 = getelementptr i8, ptr %to, i64 %3
;   %6 = load i8, ptr %4, align 1
;   store i8 %6, ptr %5, align 1
;   %7 = add nuw i64 %3, 1
;   %8 = icmp ult i64 %7, %size
;   br i1 %8, label %2, label %9
;
; 9:                                                ; preds = %2, %0
;   ret void
; }
;
; define void @move(ptr %to, ptr addrspace(1) %from, i64 %size) {
;   %1 = addrspacecast ptr addrspace(1) %from to ptr
;   %2 = icmp ult ptr %1, %to
;   br i1 %2, label %3, label %26
;
; 3:                                                ; preds = %0
;   %4 = lshr i64 %size, 2
;   %5 = and i64 %size, -4
;   %6 = and i64 %size, 3
;   %7 = icmp ne i64 %6, 0
;   br i1 %7, label %8, label %16
;
; 8:                                                ; preds = %8, %3
;   %9 = phi i64 [ %6, %3 ], [ %10, %8 ]
;   %10 = sub nuw i64 %9, 1
;   %11 = add i64 %5, %10
;   %12 = getelementptr i8, ptr addrspace(1) %from, i64 %11
;   %13 = getelementptr i8, ptr %to, i64 %11
;   %14 = load i8, ptr addrspace(1) %12, align 1
;   store i8 %14, ptr %13, align 1
;   %15 = icmp ne i64 %10, 0
;   br i1 %15, label %8, label %16
;
; 16:                                               ; preds = %8, %3
;   %17 = icmp ne i64 %4, 0
;   br i1 %17, label %18, label %25
;
; 18:                                               ; preds = %18, %16
;   %19 = phi i64 [ %4, %16 ], [ %20, %18 ]
;   %20 = sub nuw i64 %19, 1
;   %21 = getelementptr i32, ptr addrspace(1) %from, i64 %20
;   %22 = getelementptr i32, ptr %to, i64 %20
;   %23 = load i32, ptr addrspace(1) %21, align 4
;   store i32 %23, ptr %22, align 4
;   %24 = icmp ne i64 %20, 0
;   br i1 %24, label %18, label %25
;
; 25:                                               ; preds = %18, %16
;   br label %49
;
; 26:                                               ; preds = %0
;   %27 = lshr i64 %size, 2
;   %28 = and i64 %size, -4
;   %29 = and i64 %size, 3
;   %30 = icmp ne i64 %27, 0
;   br i1 %30, label %31, label %38
;
; 31:                                               ; preds = %31, %26
;   %32 = phi i64 [ 0, %26 ], [ %36, %31 ]
;   %33 = getelementptr i32, ptr addrspace(1) %from, i64 %32
;   %34 = getelementptr i32, ptr %to, i64 %32
;   %35 = load i32, ptr addrspace(1) %33, align 4
;   store i32 %35, ptr %34, align 4
;   %36 = add nuw i64 %32, 1
;   %37 = icmp ult i64 %36, %27
;   br i1 %37, label %31, label %38
;
; 38:                                               ; preds = %31, %26
;   %39 = icmp ne i64 %29, 0
;   br i1 %39, label %40, label %48
;
; 40:                                               ; preds = %40, %38
;   %41 = phi i64 [ 0, %38 ], [ %46, %40 ]
;   %42 = add i64 %28, %41
;   %43 = getelementptr i8, ptr addrspace(1) %from, i64 %42
;   %44 = getelementptr i8, ptr %to, i64 %42
;   %45 = load i8, ptr addrspace(1) %43, align 1
;   store i8 %45, ptr %44, align 1
;   %46 = add nuw i64 %41, 1
;   %47 = icmp ult i64 %46, %29
;   br i1 %47, label %40, label %48
;
; 48:                                               ; preds = %40, %38
;   br label %49
;
; 49:                                               ; preds = %48, %25
;   ret void
; }
;
; define void @move_apart(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %size) {
;   %1 = lshr i64 %size, 2
;   %2 = and i64 %size, -4
;   %3 = and i64 %size, 3
;   %4 = icmp ne i64 %1, 0
;   br i1 %4, label %5, label %12
;
; 5:                                                ; preds = %5, %0
;   %6 = phi i64 [ 0, %0 ], [ %10, %5 ]
;   %7 = getelementptr i32, ptr addrspace(1) %from, i64 %6
;   %8 = getelementptr i32, ptr addrspace(3) %to, i64 %6
;   %9 = load i32, ptr addrspace(1) %7, align 4
;   store i32 %9, ptr addrspace(3) %8, align 4
;   %10 = add nuw i64 %6, 1
;   %11 = icmp ult i64 %10, %1
;   br i1 %11, label %5, label %12
;
; 12:                                               ; preds = %5, %0
;   %13 = icmp ne i64 %3, 0
;   br i1 %13, label %14, label %22
;
; 14:                                               ; preds = %14, %12
;   %15 = phi i64 [ 0, %12 ], [ %20, %14 ]
;   %16 = add i64 %2, %15
;   %17 = getelementptr i8, ptr addrspace(1) %from, i64 %16
;   %18 = getelementptr i8, ptr addrspace(3) %to, i64 %16
;   %19 = load i8, ptr addrspace(1) %17, align 1
;   store i8 %19, ptr addrspace(3) %18, align 1
;   %20 = add nuw i64 %15, 1
;   %21 = icmp ult i64 %20, %3
;   br i1 %21, label %14, label %22
;
; 22:                                               ; preds = %14, %12
;   ret void
; }
;
; define void @set(ptr %to, i8 %byte, i64 %size) {
;   %1 = lshr i64 %size, 2
;   %2 = and i64 %size, -4
;   %3 = and i64 %size, 3
;   %4 = zext i8 %byte to i32
;   %5 = mul i32 %4, 16843009
;   %6 = icmp ne i64 %1, 0
;   br i1 %6, label %7, label %12
;
; 7:                                                ; preds = %7, %0
;   %8 = phi i64 [ 0, %0 ], [ %10, %7 ]
;   %9 = getelementptr i32, ptr %to, i64 %8
;   store i32 %5, ptr %9, align 4
;   %10 = add nuw i64 %8, 1
;   %11 = icmp ult i64 %10, %1
;   br i1 %11, label %7, label %12
;
; 12:                                               ; preds = %7, %0
;   %13 = icmp ne i64 %3, 0
;   br i1 %13, label %14, label %20
;
; 14:                                               ; preds = %14, %12
;   %15 = phi i64 [ 0, %12 ], [ %18, %14 ]
;   %16 = add i64 %2, %15
;   %17 = getelementptr i8, ptr %to, i64 %16
;   store i8 %byte, ptr %17, align 1
;   %18 = add nuw i64 %15, 1
;   %19 = icmp ult i64 %18, %3
;   br i1 %19, label %14, label %20
;
; 20:                                               ; preds = %14, %12
;   %21 = zext i8 %byte to i32
;   %22 = mul i32 %21, 16843009
;   %23 = insertelement <4 x i32> poison, i32 %22, i64 0
;   %24 = insertelement <4 x i32> %23, i32 %22, i64 1
;   %25 = insertelement <4 x i32> %24, i32 %22, i64 2
;   %26 = insertelement <4 x i32> %25, i32 %22, i64 3
;   br label %27
;
; 27:                                               ; preds = %27, %20
;   %28 = phi i64 [ 0, %20 ], [ %34, %27 ]
;   %29 = mul i64 %28, 64
;   %30 = getelementptr i8, ptr %to, i64 %29
;   store <4 x i32> %26, ptr %30, align 16
;   %31 = getelementptr i8, ptr %30, i64 16
;   store <4 x i32> %26, ptr %31, align 16
;   %32 = getelementptr i8, ptr %30, i64 32
;   store <4 x i32> %26, ptr %32, align 16
;   %33 = getelementptr i8, ptr %30, i64 48
;   store <4 x i32> %26, ptr %33, align 16
;   %34 = add nuw i64 %28, 1
;   %35 = icmp ult i64 %34, 3
;   br i1 %35, label %27, label %36
;
; 36:                                               ; preds = %27
;   %37 = zext i8 %byte to i64
;   %38 = mul i64 %37, 72340172838076673
;   %39 = getelementptr i8, ptr %to, i64 192
;   store i64 %38, ptr %39, align 8
;   ret void
; }
;
; define void @pattern(ptr %to, i24 %value, i64 %count) {
;   %1 = icmp ne i64 %count, 0
;   br i1 %1, label %2, label %7
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i64 [ 0, %0 ], [ %5, %2 ]
;   %4 = getelementptr i24, ptr %to, i64 %3
;   store i24 %value, ptr %4, align 4
;   %5 = add nuw i64 %3, 1
;   %6 = icmp ult i64 %5, %count
;   br i1 %6, label %2, label %7
;
; 7:                                                ; preds = %2, %0
;   ret void
; }
