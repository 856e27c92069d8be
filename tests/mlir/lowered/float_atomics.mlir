// run: --grid 2 --block 32 --arg f32[1]=0 --arg u32[4]=7 --print 0 --print 1
module {
  gpu.module @kernels {
    llvm.func @float_atomics(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %1 = llvm.insertvalue %arg1, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %3 = llvm.mlir.constant(0 : index) : i64
      %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %5 = llvm.mlir.constant(4 : index) : i64
      %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %7 = llvm.mlir.constant(1 : index) : i64
      %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %9 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %10 = llvm.insertvalue %arg0, %9[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %11 = llvm.insertvalue %arg0, %10[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %12 = llvm.mlir.constant(0 : index) : i64
      %13 = llvm.insertvalue %12, %11[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %14 = llvm.mlir.constant(1 : index) : i64
      %15 = llvm.insertvalue %14, %13[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %16 = llvm.mlir.constant(1 : index) : i64
      %17 = llvm.insertvalue %16, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %18 = llvm.mlir.constant(3 : index) : i64
      %19 = llvm.mlir.constant(2 : index) : i64
      %20 = llvm.mlir.constant(1 : index) : i64
      %21 = llvm.mlir.constant(0 : index) : i64
      %22 = nvvm.read.ptx.sreg.ctaid.x : i32
      %23 = llvm.sext %22 : i32 to i64
      %24 = nvvm.read.ptx.sreg.ntid.x : i32
      %25 = llvm.sext %24 : i32 to i64
      %26 = llvm.mul %23, %25 : i64
      %27 = nvvm.read.ptx.sreg.tid.x : i32
      %28 = llvm.sext %27 : i32 to i64
      %29 = llvm.add %28, %26 : i64
      %30 = llvm.trunc %29 : i64 to i32
      %31 = llvm.uitofp %30 : i32 to f32
      %32 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %33 = llvm.getelementptr %32[%21] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %34 = llvm.atomicrmw fadd %33, %31 acq_rel : !llvm.ptr, f32
      %35 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %36 = llvm.getelementptr %35[%21] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %37 = llvm.atomicrmw max %36, %30 acq_rel : !llvm.ptr, i32
      %38 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %39 = llvm.getelementptr %38[%20] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %40 = llvm.atomicrmw umin %39, %30 acq_rel : !llvm.ptr, i32
      %41 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %42 = llvm.getelementptr %41[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %43 = llvm.atomicrmw _or %42, %30 acq_rel : !llvm.ptr, i32
      %44 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %45 = llvm.getelementptr %44[%18] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %46 = llvm.atomicrmw _and %45, %30 acq_rel : !llvm.ptr, i32
      llvm.return
    }
  }
}

