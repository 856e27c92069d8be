// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --arg u32[32]=0 --print 1 --print 2
module {
  gpu.module @kernels {
    llvm.func @subgroup(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %1 = llvm.insertvalue %arg2, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %2 = llvm.insertvalue %arg2, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %3 = llvm.mlir.constant(0 : index) : i64
      %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %5 = llvm.mlir.constant(32 : index) : i64
      %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %7 = llvm.mlir.constant(1 : index) : i64
      %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %9 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %10 = llvm.insertvalue %arg1, %9[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %11 = llvm.insertvalue %arg1, %10[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %12 = llvm.mlir.constant(0 : index) : i64
      %13 = llvm.insertvalue %12, %11[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %14 = llvm.mlir.constant(32 : index) : i64
      %15 = llvm.insertvalue %14, %13[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %16 = llvm.mlir.constant(1 : index) : i64
      %17 = llvm.insertvalue %16, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %18 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %19 = llvm.insertvalue %arg0, %18[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %20 = llvm.insertvalue %arg0, %19[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %21 = llvm.mlir.constant(0 : index) : i64
      %22 = llvm.insertvalue %21, %20[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %23 = llvm.mlir.constant(32 : index) : i64
      %24 = llvm.insertvalue %23, %22[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %25 = llvm.mlir.constant(1 : index) : i64
      %26 = llvm.insertvalue %25, %24[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %27 = nvvm.read.ptx.sreg.tid.x : i32
      %28 = llvm.sext %27 : i32 to i64
      %29 = llvm.extractvalue %26[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %30 = llvm.getelementptr inbounds|nuw %29[%28] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %31 = llvm.load %30 : !llvm.ptr -> i32
      %32 = llvm.mlir.constant(-1 : i32) : i32
      %33 = nvvm.redux.sync  add %31, %32 : i32 -> i32
      %34 = llvm.mlir.constant(-1 : i32) : i32
      %35 = nvvm.redux.sync  max %31, %34 : i32 -> i32
      %36 = llvm.mlir.constant(-1 : i32) : i32
      %37 = nvvm.redux.sync  xor %31, %36 : i32 -> i32
      %38 = llvm.add %33, %35 : i32
      %39 = llvm.add %38, %37 : i32
      %40 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %41 = llvm.getelementptr inbounds|nuw %40[%28] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %39, %41 : i32, !llvm.ptr
      %42 = nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32
      %43 = llvm.sext %42 : i32 to i64
      %44 = llvm.add %28, %43 : i64
      %45 = llvm.trunc %44 : i64 to i32
      %46 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %47 = llvm.getelementptr inbounds|nuw %46[%28] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %45, %47 : i32, !llvm.ptr
      llvm.return
    }
  }
}

