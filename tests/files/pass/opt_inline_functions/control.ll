; test: pass opt_inline_functions
; A function that does not return ends the block; constants decide branches of the copy; a barrier stays one barrier for
; each call; a loop keeps its phis.
declare void @llvm.trap()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent

define internal void @stop() {
  call void @llvm.trap()
  unreachable
}

define internal i32 @choose(i1 %c, i32 %x) {
  br i1 %c, label %yes, label %no

yes:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i32 %x

no:
  call void @stop()
  ret i32 0
}

define internal i32 @sum(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %t = add i32 %s, %i
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret i32 %t
}

define ptx_kernel void @k(ptr %p, i32 %a) {
start:
  %c = icmp eq i32 %a, 0
  br i1 %c, label %one, label %two

one:
  %1 = call i32 @choose(i1 true, i32 %a)
  %2 = call i32 @sum(i32 %1)
  br label %end

two:
  %3 = call i32 @choose(i1 false, i32 %a)
  br label %end

end:
  %r = phi i32 [ %2, %one ], [ %3, %two ]
  store i32 %r, ptr %p
  ret void
}

; expect ll:
; declare void @llvm.trap()
;
; ; Function Attrs: convergent
; declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0
;
; define ptx_kernel void @k(ptr %p, i32 %a) {
; start:
;   %c = icmp eq i32 %a, 0
;   br i1 %c, label %one, label %two
;
; one:                                              ; preds = %start
;   call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
;   br label %0
;
; 0:                                                ; preds = %0, %one
;   %1 = phi i32 [ 0, %one ], [ %4, %0 ]
;   %2 = phi i32 [ 0, %one ], [ %3, %0 ]
;   %3 = add i32 %2, %1
;   %4 = add i32 %1, 1
;   %5 = icmp ult i32 %4, %a
;   br i1 %5, label %0, label %6
;
; 6:                                                ; preds = %0
;   store i32 %3, ptr %p
;   ret void
;
; two:                                              ; preds = %start
;   call void @llvm.trap()
;   unreachable
; }
;
; attributes #0 = { convergent }
