; test: pass expand_collectives --arch sm_75
; Reductions by shuffles; a match has its instruction here.
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare float @llvm.nvvm.redux.sync.fmin.abs.NaN(float, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32)

define i32 @sum(i32 %value, i32 %mask) {
  %r = call i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 %mask)
  ret i32 %r
}

define float @smallest(float %value) {
  %r = call float @llvm.nvvm.redux.sync.fmin.abs.NaN(float %value, i32 -1)
  ret float %r
}

define i32 @equal(i32 %value, i32 %mask) {
  %r = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %value)
  ret i32 %r
}

define i1 @leader(i32 %mask) {
  %pair = call { i32, i1 } @llvm.nvvm.elect.sync(i32 %mask)
  %r = extractvalue { i32, i1 } %pair, 1
  ret i1 %r
}

; expect ll:
; declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
;
; declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
;
; declare float @llvm.nvvm.redux.sync.fmin.abs.NaN(float, i32)
;
; declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
;
; declare { i32, i1 } @llvm.nvvm.elect.sync(i32)
;
; define i32 @sum(i32 %value, i32 %mask) {
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 true)
;   %2 = icmp eq i32 %1, -1
;   br i1 %2, label %3, label %14
;
; 3:                                                ; preds = %0
;   %4 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %value, i32 16, i32 31)
;   %5 = add i32 %value, %4
;   %6 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %5, i32 8, i32 31)
;   %7 = add i32 %5, %6
;   %8 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %7, i32 4, i32 31)
;   %9 = add i32 %7, %8
;   %10 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %9, i32 2, i32 31)
;   %11 = add i32 %9, %10
;   %12 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %11, i32 1, i32 31)
;   %13 = add i32 %11, %12
;   br label %50
;
; 14:                                               ; preds = %0
;   %15 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %16 = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.gt()
;   %17 = and i32 %1, %16
;   %18 = call i32 @llvm.cttz.i32(i32 %17, i1 false)
;   %19 = icmp ne i32 %18, 32
;   %20 = select i1 %19, i32 %18, i32 %15
;   %21 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %value, i32 %20, i32 31)
;   %22 = add i32 %value, %21
;   %23 = select i1 %19, i32 %22, i32 %value
;   %24 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %18, i32 %20, i32 31)
;   %25 = icmp ne i32 %24, 32
;   %26 = select i1 %25, i32 %24, i32 %15
;   %27 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %23, i32 %26, i32 31)
;   %28 = add i32 %23, %27
;   %29 = select i1 %25, i32 %28, i32 %23
;   %30 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %24, i32 %26, i32 31)
;   %31 = icmp ne i32 %30, 32
;   %32 = select i1 %31, i32 %30, i32 %15
;   %33 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %29, i32 %32, i32 31)
;   %34 = add i32 %29, %33
;   %35 = select i1 %31, i32 %34, i32 %29
;   %36 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %30, i32 %32, i32 31)
;   %37 = icmp ne i32 %36, 32
;   %38 = select i1 %37, i32 %36, i32 %15
;   %39 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %35, i32 %38, i32 31)
;   %40 = add i32 %35, %39
;   %41 = select i1 %37, i32 %40, i32 %35
;   %42 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %36, i32 %38, i32 31)
;   %43 = icmp ne i32 %42, 32
;   %44 = select i1 %43, i32 %42, i32 %15
;   %45 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %41, i32 %44, i32 31)
;   %46 = add i32 %41, %45
;   %47 = select i1 %43, i32 %46, i32 %41
;   %48 = call i32 @llvm.cttz.i32(i32 %1, i1 false)
;   %49 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %1, i32 %47, i32 %48, i32 31)
;   br label %50
;
; 50:                                               ; preds = %14, %3
;   %51 = phi i32 [ %13, %3 ], [ %49, %14 ]
;   ret i32 %51
; }
;
; define float @smallest(float %value) {
;   %1 = bitcast float %value to i32
;   %2 = and i32 %1, 2147483647
;   %3 = fcmp uno float %value, %value
;   %4 = select i1 %3, i32 -2147483648, i32 %2
;   %5 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
;   %6 = icmp eq i32 %5, -1
;   br i1 %6, label %7, label %18
;
; 7:                                                ; preds = %0
;   %8 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %4, i32 16, i32 31)
;   %9 = call i32 @llvm.smin.i32(i32 %4, i32 %8)
;   %10 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %9, i32 8, i32 31)
;   %11 = call i32 @llvm.smin.i32(i32 %9, i32 %10)
;   %12 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %11, i32 4, i32 31)
;   %13 = call i32 @llvm.smin.i32(i32 %11, i32 %12)
;   %14 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %13, i32 2, i32 31)
;   %15 = call i32 @llvm.smin.i32(i32 %13, i32 %14)
;   %16 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %15, i32 1, i32 31)
;   %17 = call i32 @llvm.smin.i32(i32 %15, i32 %16)
;   br label %54
;
; 18:                                               ; preds = %0
;   %19 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %20 = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.gt()
;   %21 = and i32 %5, %20
;   %22 = call i32 @llvm.cttz.i32(i32 %21, i1 false)
;   %23 = icmp ne i32 %22, 32
;   %24 = select i1 %23, i32 %22, i32 %19
;   %25 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %4, i32 %24, i32 31)
;   %26 = call i32 @llvm.smin.i32(i32 %4, i32 %25)
;   %27 = select i1 %23, i32 %26, i32 %4
;   %28 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %22, i32 %24, i32 31)
;   %29 = icmp ne i32 %28, 32
;   %30 = select i1 %29, i32 %28, i32 %19
;   %31 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %27, i32 %30, i32 31)
;   %32 = call i32 @llvm.smin.i32(i32 %27, i32 %31)
;   %33 = select i1 %29, i32 %32, i32 %27
;   %34 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %28, i32 %30, i32 31)
;   %35 = icmp ne i32 %34, 32
;   %36 = select i1 %35, i32 %34, i32 %19
;   %37 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %33, i32 %36, i32 31)
;   %38 = call i32 @llvm.smin.i32(i32 %33, i32 %37)
;   %39 = select i1 %35, i32 %38, i32 %33
;   %40 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %34, i32 %36, i32 31)
;   %41 = icmp ne i32 %40, 32
;   %42 = select i1 %41, i32 %40, i32 %19
;   %43 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %39, i32 %42, i32 31)
;   %44 = call i32 @llvm.smin.i32(i32 %39, i32 %43)
;   %45 = select i1 %41, i32 %44, i32 %39
;   %46 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %40, i32 %42, i32 31)
;   %47 = icmp ne i32 %46, 32
;   %48 = select i1 %47, i32 %46, i32 %19
;   %49 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %45, i32 %48, i32 31)
;   %50 = call i32 @llvm.smin.i32(i32 %45, i32 %49)
;   %51 = select i1 %47, i32 %50, i32 %45
;   %52 = call i32 @llvm.cttz.i32(i32 %5, i1 false)
;   %53 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %5, i32 %51, i32 %52, i32 31)
;   br label %54
;
; 54:                                               ; preds = %18, %7
;   %55 = phi i32 [ %17, %7 ], [ %53, %18 ]
;   %56 = icmp eq i32 %55, -2147483648
;   %57 = ashr i32 %55, 31
;   %58 = and i32 %57, 2147483647
;   %59 = xor i32 %55, %58
;   %60 = select i1 %56, i32 2147483647, i32 %59
;   %61 = bitcast i32 %60 to float
;   ret float %61
; }
;
; define i32 @equal(i32 %value, i32 %mask) {
;   %r = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %value)
;   ret i32 %r
; }
;
; define i1 @leader(i32 %mask) {
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 true)
;   %2 = call i32 @llvm.cttz.i32(i32 %1, i1 false)
;   %3 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %4 = icmp eq i32 %2, %3
;   %5 = insertvalue { i32, i1 } poison, i32 %2, 0
;   %6 = insertvalue { i32, i1 } %5, i1 %4, 1
;   %r = extractvalue { i32, i1 } %6, 1
;   ret i1 %r
; }
;
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
;
; declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
;
; declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
;
; declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.gt()
;
; declare i32 @llvm.cttz.i32(i32, i1)
;
; declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
;
; declare i32 @llvm.smin.i32(i32, i32)
