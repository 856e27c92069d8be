; test: pass expand_collectives --arch sm_60
; Threads with equal values by shuffles and votes; what only wastes time goes; a wider fence.
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare void @llvm.nvvm.nanosleep(i32)
declare void @llvm.nvvm.fence.sc.cluster()

define i32 @any(i64 %value, i32 %mask) {
  %r = call i32 @llvm.nvvm.match.any.sync.i64(i32 %mask, i64 %value)
  ret i32 %r
}

define { i32, i1 } @all(i32 %value, i32 %mask) {
  %r = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %value)
  ret { i32, i1 } %r
}

define void @rest() {
  call void @llvm.nvvm.nanosleep(i32 100)
  call void @llvm.nvvm.fence.sc.cluster() ; warning: becomes the fence of the device on sm_60
  ret void
}

; expect ll:
; declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
;
; declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)
;
; declare void @llvm.nvvm.nanosleep(i32)
;
; declare void @llvm.nvvm.fence.sc.cluster()
;
; define i32 @any(i64 %value, i32 %mask) {
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 true)
;   br label %2
;
; 2:                                                ; preds = %2, %0
;   %3 = phi i32 [ %1, %0 ], [ %18, %2 ]
;   %4 = phi i32 [ 0, %0 ], [ %17, %2 ]
;   %5 = call i32 @llvm.cttz.i32(i32 %3, i1 false)
;   %6 = trunc i64 %value to i32
;   %7 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %6, i32 %5, i32 31)
;   %8 = zext i32 %7 to i64
;   %9 = lshr i64 %value, 32
;   %10 = trunc i64 %9 to i32
;   %11 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %10, i32 %5, i32 31)
;   %12 = zext i32 %11 to i64
;   %13 = shl i64 %12, 32
;   %14 = or i64 %8, %13
;   %15 = icmp eq i64 %14, %value
;   %16 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %1, i1 %15)
;   %17 = select i1 %15, i32 %16, i32 %4
;   %18 = xor i32 %3, %16
;   %19 = icmp eq i32 %18, 0
;   br i1 %19, label %20, label %2
;
; 20:                                               ; preds = %2
;   ret i32 %17
; }
;
; define { i32, i1 } @all(i32 %value, i32 %mask) {
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 true)
;   %2 = call i32 @llvm.cttz.i32(i32 %1, i1 false)
;   %3 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %value, i32 %2, i32 31)
;   %4 = icmp eq i32 %3, %value
;   %5 = call i1 @llvm.nvvm.vote.all.sync(i32 %1, i1 %4)
;   %6 = select i1 %5, i32 %1, i32 0
;   %7 = insertvalue { i32, i1 } poison, i32 %6, 0
;   %8 = insertvalue { i32, i1 } %7, i1 %5, 1
;   ret { i32, i1 } %8
; }
;
; define void @rest() {
;   call void @llvm.nvvm.membar.gl()
;   ret void
; }
;
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
;
; declare i32 @llvm.cttz.i32(i32, i1)
;
; declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
;
; declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
;
; declare void @llvm.nvvm.membar.gl()
