// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module {
  gpu.module @kernels {
    llvm.func @collatz(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %1 = llvm.insertvalue %arg1, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %3 = llvm.mlir.constant(0 : index) : i64
      %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %5 = llvm.mlir.constant(32 : index) : i64
      %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %7 = llvm.mlir.constant(1 : index) : i64
      %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %9 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %10 = llvm.insertvalue %arg0, %9[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %11 = llvm.insertvalue %arg0, %10[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %12 = llvm.mlir.constant(0 : index) : i64
      %13 = llvm.insertvalue %12, %11[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %14 = llvm.mlir.constant(32 : index) : i64
      %15 = llvm.insertvalue %14, %13[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %16 = llvm.mlir.constant(1 : index) : i64
      %17 = llvm.insertvalue %16, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %18 = llvm.mlir.constant(3 : i32) : i32
      %19 = llvm.mlir.constant(2 : i32) : i32
      %20 = llvm.mlir.constant(1 : i32) : i32
      %21 = llvm.mlir.constant(0 : i32) : i32
      %22 = nvvm.read.ptx.sreg.tid.x : i32
      %23 = llvm.sext %22 : i32 to i64
      %24 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %25 = llvm.getelementptr inbounds|nuw %24[%23] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %26 = llvm.load %25 : !llvm.ptr -> i32
      %27 = llvm.intr.umax(%26, %20) : (i32, i32) -> i32
      llvm.br ^bb1(%27, %21 : i32, i32)
    ^bb1(%28: i32, %29: i32):  // 2 preds: ^bb0, ^bb6
      %30 = llvm.icmp "ne" %28, %20 : i32
      llvm.cond_br %30, ^bb2, ^bb7
    ^bb2:  // pred: ^bb1
      %31 = llvm.and %28, %20 : i32
      %32 = llvm.icmp "eq" %31, %20 : i32
      llvm.cond_br %32, ^bb3, ^bb4
    ^bb3:  // pred: ^bb2
      %33 = llvm.mul %28, %18 : i32
      %34 = llvm.add %33, %20 : i32
      llvm.br ^bb5(%34 : i32)
    ^bb4:  // pred: ^bb2
      %35 = llvm.udiv %28, %19 : i32
      llvm.br ^bb5(%35 : i32)
    ^bb5(%36: i32):  // 2 preds: ^bb3, ^bb4
      llvm.br ^bb6
    ^bb6:  // pred: ^bb5
      %37 = llvm.add %29, %20 : i32
      llvm.br ^bb1(%36, %37 : i32, i32)
    ^bb7:  // pred: ^bb1
      %38 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %39 = llvm.getelementptr inbounds|nuw %38[%23] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %29, %39 : i32, !llvm.ptr
      llvm.return
    }
  }
}

