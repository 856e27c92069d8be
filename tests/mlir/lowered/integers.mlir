// run: --grid 1 --block 32 --arg u32[32]=random:5 --arg u32[32]=0 --arg u64[32]=0 --print 1 --print 2
module {
  gpu.module @kernels {
    llvm.func @integers(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
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
      %27 = llvm.mlir.constant(1 : i32) : i32
      %28 = nvvm.read.ptx.sreg.tid.x : i32
      %29 = llvm.sext %28 : i32 to i64
      %30 = llvm.extractvalue %26[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %31 = llvm.getelementptr inbounds|nuw %30[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %32 = llvm.load %31 : !llvm.ptr -> i32
      %33 = llvm.trunc %29 : i64 to i32
      %34 = llvm.add %33, %27 : i32
      %35 = llvm.sdiv %32, %34 : i32
      %36 = llvm.urem %32, %34 : i32
      %37 = llvm.intr.ctpop(%32) : (i32) -> i32
      %38 = "llvm.intr.ctlz"(%32) <{is_zero_poison = false}> : (i32) -> i32
      %39 = "llvm.intr.cttz"(%32) <{is_zero_poison = false}> : (i32) -> i32
      %40 = llvm.shl %35, %27 : i32
      %41 = llvm.lshr %32, %27 : i32
      %42 = llvm.ashr %32, %27 : i32
      %43 = llvm.xor %40, %41 : i32
      %44 = llvm.add %43, %42 : i32
      %45 = llvm.intr.smax(%44, %36) : (i32, i32) -> i32
      %46 = llvm.intr.umin(%45, %32) : (i32, i32) -> i32
      %47 = llvm.add %46, %37 : i32
      %48 = llvm.mul %47, %38 : i32
      %49 = llvm.sub %48, %39 : i32
      %50 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %51 = llvm.getelementptr inbounds|nuw %50[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %49, %51 : i32, !llvm.ptr
      %52 = llvm.sext %49 : i32 to i64
      %53 = llvm.zext %32 : i32 to i64
      %54 = llvm.mul %52, %53 : i64
      %55 = llvm.sext %32 : i32 to i64
      %56 = llvm.sext %49 : i32 to i64
      %57 = llvm.mul %55, %56 : i64
      %58 = llvm.trunc %57 : i64 to i32
      %59 = llvm.mlir.constant(32 : i64) : i64
      %60 = llvm.lshr %57, %59 : i64
      %61 = llvm.trunc %60 : i64 to i32
      %62 = llvm.zext %61 : i32 to i64
      %63 = llvm.add %54, %62 : i64
      %64 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %65 = llvm.getelementptr inbounds|nuw %64[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %63, %65 : i64, !llvm.ptr
      llvm.return
    }
  }
}

