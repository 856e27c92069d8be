// run: --grid 2,2 --block 8,8 --arg f32[256]=iota --arg f32[256]=0 --print 1
module {
  gpu.module @kernels {
    llvm.mlir.global internal @__wg_transpose_0() {addr_space = 3 : i32} : !llvm.array<72 x f32>
    llvm.func @transpose(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
      %1 = llvm.insertvalue %arg1, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %3 = llvm.mlir.constant(0 : index) : i64
      %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %5 = llvm.mlir.constant(16 : index) : i64
      %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %7 = llvm.mlir.constant(16 : index) : i64
      %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %9 = llvm.mlir.constant(16 : index) : i64
      %10 = llvm.insertvalue %9, %8[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %11 = llvm.mlir.constant(1 : index) : i64
      %12 = llvm.insertvalue %11, %10[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %13 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
      %14 = llvm.insertvalue %arg0, %13[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %15 = llvm.insertvalue %arg0, %14[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %16 = llvm.mlir.constant(0 : index) : i64
      %17 = llvm.insertvalue %16, %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %18 = llvm.mlir.constant(16 : index) : i64
      %19 = llvm.insertvalue %18, %17[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %20 = llvm.mlir.constant(16 : index) : i64
      %21 = llvm.insertvalue %20, %19[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %22 = llvm.mlir.constant(16 : index) : i64
      %23 = llvm.insertvalue %22, %21[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %24 = llvm.mlir.constant(1 : index) : i64
      %25 = llvm.insertvalue %24, %23[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %26 = llvm.mlir.addressof @__wg_transpose_0 : !llvm.ptr<3>
      %27 = llvm.getelementptr %26[0, 0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, !llvm.array<72 x f32>
      %28 = llvm.mlir.poison : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
      %29 = llvm.insertvalue %27, %28[0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %30 = llvm.insertvalue %27, %29[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %31 = llvm.mlir.constant(0 : index) : i64
      %32 = llvm.insertvalue %31, %30[2] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %33 = llvm.mlir.constant(8 : index) : i64
      %34 = llvm.insertvalue %33, %32[3, 0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %35 = llvm.mlir.constant(9 : index) : i64
      %36 = llvm.insertvalue %35, %34[4, 0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %37 = llvm.mlir.constant(9 : index) : i64
      %38 = llvm.insertvalue %37, %36[3, 1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %39 = llvm.mlir.constant(1 : index) : i64
      %40 = llvm.insertvalue %39, %38[4, 1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %41 = llvm.mlir.constant(8 : index) : i64
      %42 = nvvm.read.ptx.sreg.tid.x : i32
      %43 = llvm.sext %42 : i32 to i64
      %44 = nvvm.read.ptx.sreg.tid.y : i32
      %45 = llvm.sext %44 : i32 to i64
      %46 = nvvm.read.ptx.sreg.ctaid.x : i32
      %47 = llvm.sext %46 : i32 to i64
      %48 = nvvm.read.ptx.sreg.ctaid.y : i32
      %49 = llvm.sext %48 : i32 to i64
      %50 = llvm.mul %47, %41 : i64
      %51 = llvm.mul %49, %41 : i64
      %52 = llvm.add %50, %43 : i64
      %53 = llvm.add %51, %45 : i64
      %54 = llvm.extractvalue %25[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %55 = llvm.mlir.constant(16 : index) : i64
      %56 = llvm.mul %53, %55 overflow<nsw, nuw> : i64
      %57 = llvm.add %56, %52 overflow<nsw, nuw> : i64
      %58 = llvm.getelementptr inbounds|nuw %54[%57] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %59 = llvm.load %58 : !llvm.ptr -> f32
      %60 = llvm.extractvalue %40[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %61 = llvm.mlir.constant(9 : index) : i64
      %62 = llvm.mul %45, %61 overflow<nsw, nuw> : i64
      %63 = llvm.add %62, %43 overflow<nsw, nuw> : i64
      %64 = llvm.getelementptr inbounds|nuw %60[%63] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      llvm.store %59, %64 : f32, !llvm.ptr<3>
      nvvm.barrier0
      %65 = llvm.add %51, %43 : i64
      %66 = llvm.add %50, %45 : i64
      %67 = llvm.extractvalue %40[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)> 
      %68 = llvm.mlir.constant(9 : index) : i64
      %69 = llvm.mul %43, %68 overflow<nsw, nuw> : i64
      %70 = llvm.add %69, %45 overflow<nsw, nuw> : i64
      %71 = llvm.getelementptr inbounds|nuw %67[%70] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %72 = llvm.load %71 : !llvm.ptr<3> -> f32
      %73 = llvm.extractvalue %12[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %74 = llvm.mlir.constant(16 : index) : i64
      %75 = llvm.mul %66, %74 overflow<nsw, nuw> : i64
      %76 = llvm.add %75, %65 overflow<nsw, nuw> : i64
      %77 = llvm.getelementptr inbounds|nuw %73[%76] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %72, %77 : f32, !llvm.ptr
      llvm.return
    }
  }
}

