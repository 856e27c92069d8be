// run: --grid 1 --block 32 --arg f32[34]=iota --arg f32[32]=0 --print 1
module {
  gpu.module @kernels {
    llvm.mlir.global private constant @weights(dense<[2.500000e-01, 5.000000e-01, 2.500000e-01]> : tensor<3xf32>) {addr_space = 0 : i32} : !llvm.array<3 x f32>
    llvm.func @stencil(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
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
      %14 = llvm.mlir.constant(34 : index) : i64
      %15 = llvm.insertvalue %14, %13[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %16 = llvm.mlir.constant(1 : index) : i64
      %17 = llvm.insertvalue %16, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %18 = llvm.mlir.constant(0.000000e+00 : f32) : f32
      %19 = llvm.mlir.constant(3 : index) : i64
      %20 = llvm.mlir.constant(1 : index) : i64
      %21 = llvm.mlir.constant(0 : index) : i64
      %22 = nvvm.read.ptx.sreg.tid.x : i32
      %23 = llvm.sext %22 : i32 to i64
      %24 = llvm.mlir.constant(3 : index) : i64
      %25 = llvm.mlir.constant(1 : index) : i64
      %26 = llvm.mlir.zero : !llvm.ptr
      %27 = llvm.getelementptr %26[%24] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %28 = llvm.ptrtoint %27 : !llvm.ptr to i64
      %29 = llvm.mlir.addressof @weights : !llvm.ptr
      %30 = llvm.getelementptr %29[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<3 x f32>
      %31 = llvm.mlir.constant(3735928559 : index) : i64
      %32 = llvm.inttoptr %31 : i64 to !llvm.ptr
      %33 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %34 = llvm.insertvalue %32, %33[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %35 = llvm.insertvalue %30, %34[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %36 = llvm.mlir.constant(0 : index) : i64
      %37 = llvm.insertvalue %36, %35[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %38 = llvm.insertvalue %24, %37[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %39 = llvm.insertvalue %25, %38[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      llvm.br ^bb1(%21, %18 : i64, f32)
    ^bb1(%40: i64, %41: f32):  // 2 preds: ^bb0, ^bb2
      %42 = llvm.icmp "slt" %40, %19 : i64
      llvm.cond_br %42, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      %43 = llvm.add %23, %40 : i64
      %44 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %45 = llvm.getelementptr inbounds|nuw %44[%43] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %46 = llvm.load %45 : !llvm.ptr -> f32
      %47 = llvm.extractvalue %39[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %48 = llvm.getelementptr inbounds|nuw %47[%40] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %49 = llvm.load %48 : !llvm.ptr -> f32
      %50 = llvm.fmul %46, %49 : f32
      %51 = llvm.fadd %41, %50 : f32
      %52 = llvm.add %40, %20 : i64
      llvm.br ^bb1(%52, %51 : i64, f32)
    ^bb3:  // pred: ^bb1
      %53 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %54 = llvm.getelementptr inbounds|nuw %53[%23] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %41, %54 : f32, !llvm.ptr
      llvm.return
    }
  }
}

