// run: --grid 1 --block 8 --arg f32[32]=iota --arg f32[32]=0 --print 1
module {
  gpu.module @kernels {
    llvm.func @vectors(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %1 = llvm.insertvalue %arg1, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %3 = llvm.mlir.constant(0 : index) : i64
      %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %5 = llvm.mlir.constant(8 : index) : i64
      %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %7 = llvm.mlir.constant(1 : index) : i64
      %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %9 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %10 = llvm.insertvalue %arg0, %9[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %11 = llvm.insertvalue %arg0, %10[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %12 = llvm.mlir.constant(0 : index) : i64
      %13 = llvm.insertvalue %12, %11[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %14 = llvm.mlir.constant(8 : index) : i64
      %15 = llvm.insertvalue %14, %13[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %16 = llvm.mlir.constant(1 : index) : i64
      %17 = llvm.insertvalue %16, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %18 = llvm.mlir.constant(3 : i64) : i64
      %19 = llvm.mlir.constant(0.000000e+00 : f32) : f32
      %20 = llvm.mlir.constant(2 : i64) : i64
      %21 = llvm.mlir.constant(0 : i32) : i32
      %22 = llvm.mlir.poison : vector<4xf32>
      %23 = llvm.mlir.constant(1 : i64) : i64
      %24 = nvvm.read.ptx.sreg.tid.x : i32
      %25 = llvm.sext %24 : i32 to i64
      %26 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %27 = llvm.getelementptr inbounds|nuw %26[%25] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
      %28 = llvm.load %27 : !llvm.ptr -> vector<4xf32>
      %29 = llvm.fadd %28, %28 : vector<4xf32>
      %30 = llvm.extractelement %29[%23 : i64] : vector<4xf32>
      %31 = llvm.insertelement %30, %22[%21 : i32] : vector<4xf32>
      %32 = llvm.shufflevector %31, %22 [0, 0, 0, 0] : vector<4xf32> 
      %33 = llvm.fmul %29, %32 : vector<4xf32>
      %34 = llvm.shufflevector %29, %33 [0, 5, 2, 7] : vector<4xf32> 
      %35 = llvm.insertelement %30, %34[%20 : i64] : vector<4xf32>
      %36 = "llvm.intr.vector.reduce.fadd"(%19, %35) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
      %37 = llvm.insertelement %36, %35[%18 : i64] : vector<4xf32>
      %38 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %39 = llvm.getelementptr inbounds|nuw %38[%25] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
      llvm.store %37, %39 : vector<4xf32>, !llvm.ptr
      llvm.return
    }
  }
}

