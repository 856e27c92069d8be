; test: pass expand_memory_intrinsics
; Large aggregates that are only stored stay in memory.
%big = type { i64, [100 x i32], float }
declare void @other()

define void @direct(ptr %to, ptr %from) {
  %v = load [128 x i8], ptr %from, align 16
  %p = getelementptr i8, ptr %to, i64 16
  store [128 x i8] %v, ptr %p, align 16
  ret void
}

define void @kept(ptr %to, ptr %from, i1 %c) {
entry:
  br label %loop

loop:
  %v = load %big, ptr %from
  call void @other()
  store %big %v, ptr %to
  br i1 %c, label %loop, label %exit

exit:
  ret void
}

define void @constants(ptr %to) {
  store [65 x i64] zeroinitializer, ptr %to
  store [65 x i64] undef, ptr %to
  ret void
}

; Few leaves, volatile accesses and values that are used otherwise stay.
define i8 @not_these(ptr %to, ptr %from) {
  %small = load [64 x i8], ptr %from
  store [64 x i8] %small, ptr %to
  %v = load volatile [128 x i8], ptr %from
  store [128 x i8] %v, ptr %to
  %w = load [128 x i8], ptr %from
  store [128 x i8] %w, ptr %to
  %x = extractvalue [128 x i8] %w, 5
  ret i8 %x
}

; expect ll:
; %big = type { i64, [100 x i32], float }
;
; declare void @other()
;
; define void @direct(ptr %to, ptr %from) {
;   %p = getelementptr i8, ptr %to, i64 16
;   %1 = load <4 x i32>, ptr %from, align 16
;   %2 = getelementptr i8, ptr %from, i64 16
;   %3 = load <4 x i32>, ptr %2, align 16
;   %4 = getelementptr i8, ptr %from, i64 32
;   %5 = load <4 x i32>, ptr %4, align 16
;   %6 = getelementptr i8, ptr %from, i64 48
;   %7 = load <4 x i32>, ptr %6, align 16
;   %8 = getelementptr i8, ptr %from, i64 64
;   %9 = load <4 x i32>, ptr %8, align 16
;   %10 = getelementptr i8, ptr %from, i64 80
;   %11 = load <4 x i32>, ptr %10, align 16
;   %12 = getelementptr i8, ptr %from, i64 96
;   %13 = load <4 x i32>, ptr %12, align 16
;   %14 = getelementptr i8, ptr %from, i64 112
;   %15 = load <4 x i32>, ptr %14, align 16
;   store <4 x i32> %1, ptr %p, align 16
;   %16 = getelementptr i8, ptr %p, i64 16
;   store <4 x i32> %3, ptr %16, align 16
;   %17 = getelementptr i8, ptr %p, i64 32
;   store <4 x i32> %5, ptr %17, align 16
;   %18 = getelementptr i8, ptr %p, i64 48
;   store <4 x i32> %7, ptr %18, align 16
;   %19 = getelementptr i8, ptr %p, i64 64
;   store <4 x i32> %9, ptr %19, align 16
;   %20 = getelementptr i8, ptr %p, i64 80
;   store <4 x i32> %11, ptr %20, align 16
;   %21 = getelementptr i8, ptr %p, i64 96
;   store <4 x i32> %13, ptr %21, align 16
;   %22 = getelementptr i8, ptr %p, i64 112
;   store <4 x i32> %15, ptr %22, align 16
;   ret void
; }
;
; define void @kept(ptr %to, ptr %from, i1 %c) {
; entry:
;   %0 = alloca %big, align 16
;   br label %loop
;
; loop:                                             ; preds = %36, %entry
;   br label %1
;
; 1:                                                ; preds = %1, %loop
;   %2 = phi i64 [ 0, %loop ], [ %16, %1 ]
;   %3 = mul i64 %2, 32
;   %4 = getelementptr i8, ptr %0, i64 %3
;   %5 = getelementptr i8, ptr %from, i64 %3
;   %6 = load i64, ptr %5, align 8
;   %7 = getelementptr i8, ptr %5, i64 8
;   %8 = load i64, ptr %7, align 8
;   %9 = getelementptr i8, ptr %5, i64 16
;   %10 = load i64, ptr %9, align 8
;   %11 = getelementptr i8, ptr %5, i64 24
;   %12 = load i64, ptr %11, align 8
;   store i64 %6, ptr %4, align 8
;   %13 = getelementptr i8, ptr %4, i64 8
;   store i64 %8, ptr %13, align 8
;   %14 = getelementptr i8, ptr %4, i64 16
;   store i64 %10, ptr %14, align 8
;   %15 = getelementptr i8, ptr %4, i64 24
;   store i64 %12, ptr %15, align 8
;   %16 = add nuw i64 %2, 1
;   %17 = icmp ult i64 %16, 13
;   br i1 %17, label %1, label %18
;
; 18:                                               ; preds = %1
;   call void @other()
;   br label %19
;
; 19:                                               ; preds = %19, %18
;   %20 = phi i64 [ 0, %18 ], [ %34, %19 ]
;   %21 = mul i64 %20, 32
;   %22 = getelementptr i8, ptr %to, i64 %21
;   %23 = getelementptr i8, ptr %0, i64 %21
;   %24 = load i64, ptr %23, align 8
;   %25 = getelementptr i8, ptr %23, i64 8
;   %26 = load i64, ptr %25, align 8
;   %27 = getelementptr i8, ptr %23, i64 16
;   %28 = load i64, ptr %27, align 8
;   %29 = getelementptr i8, ptr %23, i64 24
;   %30 = load i64, ptr %29, align 8
;   store i64 %24, ptr %22, align 8
;   %31 = getelementptr i8, ptr %22, i64 8
;   store i64 %26, ptr %31, align 8
;   %32 = getelementptr i8, ptr %22, i64 16
;   store i64 %28, ptr %32, align 8
;   %33 = getelementptr i8, ptr %22, i64 24
;   store i64 %30, ptr %33, align 8
;   %34 = add nuw i64 %20, 1
;   %35 = icmp ult i64 %34, 13
;   br i1 %35, label %19, label %36
;
; 36:                                               ; preds = %19
;   br i1 %c, label %loop, label %exit
;
; exit:                                             ; preds = %36
;   ret void
; }
;
; define void @constants(ptr %to) {
;   br label %1
;
; 1:                                                ; preds = %1, %0
;   %2 = phi i64 [ 0, %0 ], [ %8, %1 ]
;   %3 = mul i64 %2, 32
;   %4 = getelementptr i8, ptr %to, i64 %3
;   store i64 0, ptr %4, align 8
;   %5 = getelementptr i8, ptr %4, i64 8
;   store i64 0, ptr %5, align 8
;   %6 = getelementptr i8, ptr %4, i64 16
;   store i64 0, ptr %6, align 8
;   %7 = getelementptr i8, ptr %4, i64 24
;   store i64 0, ptr %7, align 8
;   %8 = add nuw i64 %2, 1
;   %9 = icmp ult i64 %8, 16
;   br i1 %9, label %1, label %10
;
; 10:                                               ; preds = %1
;   %11 = getelementptr i8, ptr %to, i64 512
;   store i64 0, ptr %11, align 8
;   ret void
; }
;
; define i8 @not_these(ptr %to, ptr %from) {
;   %small = load [64 x i8], ptr %from
;   store [64 x i8] %small, ptr %to
;   %v = load volatile [128 x i8], ptr %from
;   store [128 x i8] %v, ptr %to
;   %w = load [128 x i8], ptr %from
;   store [128 x i8] %w, ptr %to
;   %x = extractvalue [128 x i8] %w, 5
;   ret i8 %x
; }
