// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]=0 --print 1
module {
  gpu.module @kernels {
    llvm.func @shuffle_sum(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
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
      %18 = llvm.mlir.constant(1 : i32) : i32
      %19 = llvm.mlir.constant(2 : i32) : i32
      %20 = llvm.mlir.constant(4 : i32) : i32
      %21 = llvm.mlir.constant(8 : i32) : i32
      %22 = llvm.mlir.constant(16 : i32) : i32
      %23 = llvm.mlir.constant(32 : i32) : i32
      %24 = nvvm.read.ptx.sreg.tid.x : i32
      %25 = llvm.sext %24 : i32 to i64
      %26 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %27 = llvm.getelementptr inbounds|nuw %26[%25] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %28 = llvm.load %27 : !llvm.ptr -> f32
      %29 = llvm.mlir.constant(1 : i32) : i32
      %30 = llvm.mlir.constant(-1 : i32) : i32
      %31 = llvm.mlir.constant(32 : i32) : i32
      %32 = llvm.sub %31, %23 : i32
      %33 = llvm.lshr %30, %32 : i32
      %34 = llvm.sub %23, %29 : i32
      %35 = nvvm.shfl.sync  bfly %33, %28, %22, %34 : f32 -> f32
      %36 = llvm.fadd %28, %35 : f32
      %37 = llvm.mlir.constant(1 : i32) : i32
      %38 = llvm.mlir.constant(-1 : i32) : i32
      %39 = llvm.mlir.constant(32 : i32) : i32
      %40 = llvm.sub %39, %23 : i32
      %41 = llvm.lshr %38, %40 : i32
      %42 = llvm.sub %23, %37 : i32
      %43 = nvvm.shfl.sync  bfly %41, %36, %21, %42 : f32 -> f32
      %44 = llvm.fadd %36, %43 : f32
      %45 = llvm.mlir.constant(1 : i32) : i32
      %46 = llvm.mlir.constant(-1 : i32) : i32
      %47 = llvm.mlir.constant(32 : i32) : i32
      %48 = llvm.sub %47, %23 : i32
      %49 = llvm.lshr %46, %48 : i32
      %50 = llvm.sub %23, %45 : i32
      %51 = nvvm.shfl.sync  down %49, %44, %20, %50 : f32 -> f32
      %52 = llvm.fadd %44, %51 : f32
      %53 = llvm.mlir.constant(1 : i32) : i32
      %54 = llvm.mlir.constant(-1 : i32) : i32
      %55 = llvm.mlir.constant(32 : i32) : i32
      %56 = llvm.sub %55, %23 : i32
      %57 = llvm.lshr %54, %56 : i32
      %58 = nvvm.shfl.sync  up %57, %52, %19, %56 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
      %59 = llvm.extractvalue %58[0] : !llvm.struct<(f32, i1)> 
      %60 = llvm.extractvalue %58[1] : !llvm.struct<(f32, i1)> 
      %61 = llvm.fadd %52, %59 : f32
      %62 = llvm.mlir.constant(1 : i32) : i32
      %63 = llvm.mlir.constant(-1 : i32) : i32
      %64 = llvm.mlir.constant(32 : i32) : i32
      %65 = llvm.sub %64, %23 : i32
      %66 = llvm.lshr %63, %65 : i32
      %67 = llvm.sub %23, %62 : i32
      %68 = nvvm.shfl.sync  idx %66, %61, %18, %67 : f32 -> f32
      %69 = llvm.select %60, %68, %61 : i1, f32
      %70 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %71 = llvm.getelementptr inbounds|nuw %70[%25] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %69, %71 : f32, !llvm.ptr
      llvm.return
    }
  }
}

