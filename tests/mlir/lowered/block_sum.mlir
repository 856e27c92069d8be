// run: --grid 2 --block 64 --arg u32[128]=iota --arg u32[2]=0 --print 1
module {
  gpu.module @kernels {
    llvm.mlir.global internal @__wg_block_sum_0() {addr_space = 3 : i32} : !llvm.array<64 x i32>
    llvm.func @block_sum(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %1 = llvm.insertvalue %arg1, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %3 = llvm.mlir.constant(0 : index) : i64
      %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %5 = llvm.mlir.constant(2 : index) : i64
      %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %7 = llvm.mlir.constant(1 : index) : i64
      %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %9 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %10 = llvm.insertvalue %arg0, %9[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %11 = llvm.insertvalue %arg0, %10[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %12 = llvm.mlir.constant(0 : index) : i64
      %13 = llvm.insertvalue %12, %11[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %14 = llvm.mlir.constant(128 : index) : i64
      %15 = llvm.insertvalue %14, %13[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %16 = llvm.mlir.constant(1 : index) : i64
      %17 = llvm.insertvalue %16, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %18 = llvm.mlir.addressof @__wg_block_sum_0 : !llvm.ptr<3>
      %19 = llvm.getelementptr %18[0, 0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, !llvm.array<64 x i32>
      %20 = llvm.mlir.poison : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
      %21 = llvm.insertvalue %19, %20[0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %22 = llvm.insertvalue %19, %21[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %23 = llvm.mlir.constant(0 : index) : i64
      %24 = llvm.insertvalue %23, %22[2] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %25 = llvm.mlir.constant(64 : index) : i64
      %26 = llvm.insertvalue %25, %24[3, 0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %27 = llvm.mlir.constant(1 : index) : i64
      %28 = llvm.insertvalue %27, %26[4, 0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %29 = llvm.mlir.constant(32 : index) : i64
      %30 = llvm.mlir.constant(2 : index) : i64
      %31 = llvm.mlir.constant(0 : index) : i64
      %32 = llvm.mlir.constant(64 : index) : i64
      %33 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
      %34 = llvm.sext %33 : i32 to i64
      %35 = nvvm.read.ptx.sreg.ctaid.x : i32
      %36 = llvm.sext %35 : i32 to i64
      %37 = llvm.mul %36, %32 : i64
      %38 = llvm.add %37, %34 : i64
      %39 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %40 = llvm.getelementptr inbounds|nuw %39[%38] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %41 = llvm.load %40 : !llvm.ptr -> i32
      %42 = llvm.extractvalue %28[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %43 = llvm.getelementptr inbounds|nuw %42[%34] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
      llvm.store %41, %43 : i32, !llvm.ptr<3>
      nvvm.barrier0
      llvm.br ^bb1(%29 : i64)
    ^bb1(%44: i64):  // 2 preds: ^bb0, ^bb4
      %45 = llvm.icmp "ugt" %44, %31 : i64
      llvm.cond_br %45, ^bb2, ^bb5
    ^bb2:  // pred: ^bb1
      %46 = llvm.icmp "ult" %34, %44 : i64
      llvm.cond_br %46, ^bb3, ^bb4
    ^bb3:  // pred: ^bb2
      %47 = llvm.add %34, %44 : i64
      %48 = llvm.extractvalue %28[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %49 = llvm.getelementptr inbounds|nuw %48[%34] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
      %50 = llvm.load %49 : !llvm.ptr<3> -> i32
      %51 = llvm.extractvalue %28[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %52 = llvm.getelementptr inbounds|nuw %51[%47] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
      %53 = llvm.load %52 : !llvm.ptr<3> -> i32
      %54 = llvm.add %50, %53 : i32
      %55 = llvm.extractvalue %28[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %56 = llvm.getelementptr inbounds|nuw %55[%34] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
      llvm.store %54, %56 : i32, !llvm.ptr<3>
      llvm.br ^bb4
    ^bb4:  // 2 preds: ^bb2, ^bb3
      nvvm.barrier0
      %57 = llvm.udiv %44, %30 : i64
      llvm.br ^bb1(%57 : i64)
    ^bb5:  // pred: ^bb1
      %58 = llvm.icmp "eq" %34, %31 : i64
      llvm.cond_br %58, ^bb6, ^bb7
    ^bb6:  // pred: ^bb5
      %59 = llvm.extractvalue %28[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %60 = llvm.getelementptr inbounds|nuw %59[%31] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
      %61 = llvm.load %60 : !llvm.ptr<3> -> i32
      %62 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %63 = llvm.getelementptr inbounds|nuw %62[%36] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %61, %63 : i32, !llvm.ptr
      llvm.br ^bb7
    ^bb7:  // 2 preds: ^bb5, ^bb6
      llvm.return
    }
  }
}

