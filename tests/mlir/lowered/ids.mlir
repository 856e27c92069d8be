// run: --grid 2,2,1 --block 4,2,2 --arg u32[64]=0 --print 0
module {
  gpu.module @kernels {
    llvm.func @ids(%arg0: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %2 = llvm.insertvalue %arg0, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %3 = llvm.mlir.constant(0 : index) : i64
      %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %5 = llvm.mlir.constant(64 : index) : i64
      %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %7 = llvm.mlir.constant(1 : index) : i64
      %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %9 = nvvm.read.ptx.sreg.tid.x : i32
      %10 = llvm.sext %9 : i32 to i64
      %11 = nvvm.read.ptx.sreg.tid.y : i32
      %12 = llvm.sext %11 : i32 to i64
      %13 = nvvm.read.ptx.sreg.tid.z : i32
      %14 = llvm.sext %13 : i32 to i64
      %15 = nvvm.read.ptx.sreg.ctaid.x : i32
      %16 = llvm.sext %15 : i32 to i64
      %17 = nvvm.read.ptx.sreg.ctaid.y : i32
      %18 = llvm.sext %17 : i32 to i64
      %19 = nvvm.read.ptx.sreg.ntid.x : i32
      %20 = llvm.sext %19 : i32 to i64
      %21 = nvvm.read.ptx.sreg.ntid.y : i32
      %22 = llvm.sext %21 : i32 to i64
      %23 = nvvm.read.ptx.sreg.ntid.z : i32
      %24 = llvm.sext %23 : i32 to i64
      %25 = nvvm.read.ptx.sreg.nctaid.x : i32
      %26 = llvm.sext %25 : i32 to i64
      %27 = llvm.mul %14, %22 : i64
      %28 = llvm.add %27, %12 : i64
      %29 = llvm.mul %28, %20 : i64
      %30 = llvm.add %29, %10 : i64
      %31 = llvm.mul %18, %26 : i64
      %32 = llvm.add %31, %16 : i64
      %33 = llvm.mul %20, %22 : i64
      %34 = llvm.mul %33, %24 : i64
      %35 = llvm.mul %32, %34 : i64
      %36 = llvm.add %35, %30 : i64
      %37 = llvm.trunc %36 : i64 to i32
      %38 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %39 = llvm.getelementptr inbounds|nuw %38[%36] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %37, %39 : i32, !llvm.ptr
      llvm.return
    }
  }
}

