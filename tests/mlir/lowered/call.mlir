// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module {
  gpu.module @kernels {
    llvm.func @twice(%arg0: i32) -> i32 attributes {llvm.emit_c_interface} {
      %0 = llvm.add %arg0, %arg0 : i32
      llvm.return %0 : i32
    }
    llvm.func @mix(%arg0: i32, %arg1: i32) -> i32 attributes {llvm.emit_c_interface} {
      %0 = llvm.call @twice(%arg0) : (i32) -> i32
      %1 = llvm.xor %0, %arg1 : i32
      llvm.return %1 : i32
    }
    llvm.func @call(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
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
      %18 = nvvm.read.ptx.sreg.tid.x : i32
      %19 = llvm.sext %18 : i32 to i64
      %20 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %21 = llvm.getelementptr inbounds|nuw %20[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %22 = llvm.load %21 : !llvm.ptr -> i32
      %23 = llvm.trunc %19 : i64 to i32
      %24 = llvm.call @twice(%22) : (i32) -> i32
      %25 = llvm.call @mix(%24, %23) : (i32, i32) -> i32
      %26 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %27 = llvm.getelementptr inbounds|nuw %26[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %25, %27 : i32, !llvm.ptr
      llvm.return
    }
  }
}

