// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module {
  gpu.module @kernels {
    llvm.func @select_case(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
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
      %18 = llvm.mlir.constant(-5 : i32) : i32
      %19 = llvm.mlir.constant(100 : i32) : i32
      %20 = llvm.mlir.constant(7 : index) : i64
      %21 = nvvm.read.ptx.sreg.tid.x : i32
      %22 = llvm.sext %21 : i32 to i64
      %23 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %24 = llvm.getelementptr inbounds|nuw %23[%22] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %25 = llvm.load %24 : !llvm.ptr -> i32
      %26 = llvm.sext %25 : i32 to i64
      %27 = llvm.urem %26, %20 : i64
      %28 = llvm.trunc %27 : i64 to i32
      llvm.switch %28 : i32, ^bb1(%25 : i32) [
        0: ^bb1(%19 : i32),
        3: ^bb2,
        5: ^bb3
      ]
    ^bb1(%29: i32):  // 2 preds: ^bb0, ^bb0
      llvm.br ^bb4(%29 : i32)
    ^bb2:  // pred: ^bb0
      %30 = llvm.add %25, %18 : i32
      llvm.br ^bb4(%30 : i32)
    ^bb3:  // pred: ^bb0
      %31 = llvm.mul %25, %25 : i32
      llvm.br ^bb4(%31 : i32)
    ^bb4(%32: i32):  // 3 preds: ^bb1, ^bb2, ^bb3
      %33 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %34 = llvm.getelementptr inbounds|nuw %33[%22] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %32, %34 : i32, !llvm.ptr
      llvm.return
    }
  }
}

