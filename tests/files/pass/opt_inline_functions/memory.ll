; test: pass opt_inline_functions
; Variables of fixed size move to the first block, `byval` arguments are copied, and the stack is as before a call that
; reserved memory of unknown size. Alias scopes go, other metadata stays; a call in tail position is one no longer.
%pair = type { i32, i64 }

declare void @use(ptr)

define internal i32 @fixed(i32 %x) {
  %v = alloca [4 x i32]
  store i32 %x, ptr %v, !alias.scope !0, !noalias !0, !tbaa !3
  tail call void @use(ptr %v)
  %y = load i32, ptr %v
  ret i32 %y
}

define internal i64 @copied(ptr byval(%pair) align 8 %pair) {
  %f = getelementptr %pair, ptr %pair, i32 0, i32 1
  store i64 7, ptr %f
  %y = load i64, ptr %f
  ret i64 %y
}

define internal void @dynamic(i32 %n) alwaysinline {
  %v = alloca i32, i32 %n
  call void @use(ptr %v)
  ret void
}

define ptx_kernel void @k(ptr %p, ptr %pair, i32 %a) {
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %1 = call i32 @fixed(i32 %i)
  %2 = call i64 @copied(ptr byval(%pair) align 8 %pair)
  call void @dynamic(i32 %i)
  store i32 %1, ptr %p
  store i64 %2, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %a
  br i1 %more, label %loop, label %end

end:
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5}
!5 = !{!"root"}

; expect ll:
; %pair = type { i32, i64 }
;
; declare void @use(ptr)
;
; define ptx_kernel void @k(ptr %p, ptr %pair, i32 %a) {
;   %1 = alloca [4 x i32]
;   %2 = alloca %pair, align 8
;   br label %loop
;
; loop:                                             ; preds = %loop, %0
;   %i = phi i32 [ 0, %0 ], [ %next, %loop ]
;   store i32 %i, ptr %1, !tbaa !0
;   call void @use(ptr %1)
;   %3 = load i32, ptr %1
;   call void @llvm.memcpy.p0.p0.i64(ptr align 8 %2, ptr align 8 %pair, i64 16, i1 false)
;   %4 = getelementptr %pair, ptr %2, i32 0, i32 1
;   store i64 7, ptr %4
;   %5 = load i64, ptr %4
;   %6 = call ptr @llvm.stacksave.p0()
;   %7 = alloca i32, i32 %i
;   call void @use(ptr %7)
;   call void @llvm.stackrestore.p0(ptr %6)
;   store i32 %3, ptr %p
;   store i64 %5, ptr %p
;   %next = add i32 %i, 1
;   %more = icmp ult i32 %next, %a
;   br i1 %more, label %loop, label %end
;
; end:                                              ; preds = %loop
;   ret void
; }
;
; declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
;
; declare ptr @llvm.stacksave.p0()
;
; declare void @llvm.stackrestore.p0(ptr)
;
; !0 = !{!1, !1, i64 0}
; !1 = !{!"int", !2}
; !2 = !{!"root"}
