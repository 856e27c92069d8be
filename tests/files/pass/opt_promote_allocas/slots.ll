; test: pass opt_promote_allocas
; A variable in a loop, a struct by its fields, bytes of an integer, and one whose address goes away.
declare void @use(ptr)
declare void @llvm.lifetime.start.p0(ptr)

define i32 @loop(i32 %n) {
entry:
  %sum = alloca i32
  store i32 0, ptr %sum
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %done
body:
  %old = load i32, ptr %sum
  %new = add i32 %old, %i
  store i32 %new, ptr %sum
  %next = add i32 %i, 1
  br label %head
done:
  %r = load i32, ptr %sum
  ret i32 %r
}

define float @fields(i32 %a, float %b) {
  %s = alloca { i32, float }
  call void @llvm.lifetime.start.p0(ptr %s)
  store i32 %a, ptr %s
  %f = getelementptr { i32, float }, ptr %s, i32 0, i32 1
  store float %b, ptr %f
  %x = load i32, ptr %s
  %y = load float, ptr %f
  %z = sitofp i32 %x to float
  %r = fadd float %y, %z
  ret float %r
}

define i8 @bytes(i32 %a, i8 %b) {
  %s = alloca i32
  store i32 %a, ptr %s
  %q = getelementptr i8, ptr %s, i64 1
  store i8 %b, ptr %q
  %t = getelementptr i8, ptr %s, i64 3
  %r = load i8, ptr %t
  %w = load float, ptr %s
  %n = fptosi float %w to i8
  %o = add i8 %r, %n
  ret i8 %o
}

define i32 @kept(i32 %a) {
  %s = alloca [2 x i32]
  store i32 %a, ptr %s
  call void @use(ptr %s)
  %r = load i32, ptr %s
  ret i32 %r
}

; expect ll:
; declare void @use(ptr)
;
; declare void @llvm.lifetime.start.p0(ptr)
;
; define i32 @loop(i32 %n) {
; entry:
;   %sum = alloca i32
;   br label %head
;
; head:                                             ; preds = %body, %entry
;   %0 = phi i32 [ 0, %entry ], [ %new, %body ]
;   %i = phi i32 [ 0, %entry ], [ %next, %body ]
;   %c = icmp slt i32 %i, %n
;   br i1 %c, label %body, label %done
;
; body:                                             ; preds = %head
;   %new = add i32 %0, %i
;   %next = add i32 %i, 1
;   br label %head
;
; done:                                             ; preds = %head
;   ret i32 %0
; }
;
; define float @fields(i32 %a, float %b) {
;   %s = alloca { i32, float }
;   call void @llvm.lifetime.start.p0(ptr %s)
;   %f = getelementptr { i32, float }, ptr %s, i32 0, i32 1
;   %z = sitofp i32 %a to float
;   %r = fadd float %b, %z
;   ret float %r
; }
;
; define i8 @bytes(i32 %a, i8 %b) {
;   %s = alloca i32
;   %q = getelementptr i8, ptr %s, i64 1
;   %1 = zext i8 %b to i32
;   %2 = shl i32 %1, 8
;   %3 = and i32 %a, -65281
;   %4 = or i32 %3, %2
;   %t = getelementptr i8, ptr %s, i64 3
;   %5 = lshr i32 %4, 24
;   %6 = trunc i32 %5 to i8
;   %7 = bitcast i32 %4 to float
;   %n = fptosi float %7 to i8
;   %o = add i8 %6, %n
;   ret i8 %o
; }
;
; define i32 @kept(i32 %a) {
;   %s = alloca [2 x i32]
;   store i32 %a, ptr %s
;   call void @use(ptr %s)
;   %r = load i32, ptr %s
;   ret i32 %r
; }
