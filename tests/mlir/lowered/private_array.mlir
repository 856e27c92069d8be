// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module {
  gpu.module @kernels {
    llvm.func @private_array(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
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
      %18 = llvm.mlir.constant(4 : i64) : i64
      %19 = llvm.alloca %18 x i32 : (i64) -> !llvm.ptr
      %20 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %21 = llvm.insertvalue %19, %20[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %22 = llvm.insertvalue %19, %21[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %23 = llvm.mlir.constant(0 : index) : i64
      %24 = llvm.insertvalue %23, %22[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %25 = llvm.mlir.constant(4 : index) : i64
      %26 = llvm.insertvalue %25, %24[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %27 = llvm.mlir.constant(1 : index) : i64
      %28 = llvm.insertvalue %27, %26[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %29 = llvm.mlir.constant(4 : index) : i64
      %30 = llvm.mlir.constant(1 : index) : i64
      %31 = llvm.mlir.constant(0 : index) : i64
      %32 = nvvm.read.ptx.sreg.tid.x : i32
      %33 = llvm.sext %32 : i32 to i64
      %34 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %35 = llvm.getelementptr inbounds|nuw %34[%33] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %36 = llvm.load %35 : !llvm.ptr -> i32
      llvm.br ^bb1(%31 : i64)
    ^bb1(%37: i64):  // 2 preds: ^bb0, ^bb2
      %38 = llvm.icmp "slt" %37, %29 : i64
      llvm.cond_br %38, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      %39 = llvm.trunc %37 : i64 to i32
      %40 = llvm.mul %36, %39 : i32
      %41 = llvm.extractvalue %28[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %42 = llvm.getelementptr inbounds|nuw %41[%37] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %40, %42 : i32, !llvm.ptr
      %43 = llvm.add %37, %30 : i64
      llvm.br ^bb1(%43 : i64)
    ^bb3:  // pred: ^bb1
      %44 = llvm.urem %33, %29 : i64
      %45 = llvm.extractvalue %28[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %46 = llvm.getelementptr inbounds|nuw %45[%44] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %47 = llvm.load %46 : !llvm.ptr -> i32
      %48 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %49 = llvm.getelementptr inbounds|nuw %48[%33] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %47, %49 : i32, !llvm.ptr
      llvm.return
    }
  }
}

