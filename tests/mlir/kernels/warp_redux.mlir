// run: --grid 1 --block 32 --arg u32[32]=random:4 --arg u32[8]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @warp_redux(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %m = llvm.mlir.constant(-1 : i32) : i32
    %i0 = llvm.mlir.constant(0 : i64) : i64
    %i1 = llvm.mlir.constant(1 : i64) : i64
    %i2 = llvm.mlir.constant(2 : i64) : i64
    %i3 = llvm.mlir.constant(3 : i64) : i64
    %i4 = llvm.mlir.constant(4 : i64) : i64
    %i5 = llvm.mlir.constant(5 : i64) : i64
    %i6 = llvm.mlir.constant(6 : i64) : i64
    %i7 = llvm.mlir.constant(7 : i64) : i64
    %r0 = nvvm.redux.sync add %v, %m : i32 -> i32
    %r1 = nvvm.redux.sync umin %v, %m : i32 -> i32
    %r2 = nvvm.redux.sync umax %v, %m : i32 -> i32
    %r3 = nvvm.redux.sync min %v, %m : i32 -> i32
    %r4 = nvvm.redux.sync max %v, %m : i32 -> i32
    %r5 = nvvm.redux.sync and %v, %m : i32 -> i32
    %r6 = nvvm.redux.sync or %v, %m : i32 -> i32
    %r7 = nvvm.redux.sync xor %v, %m : i32 -> i32
    %q12 = llvm.getelementptr inbounds %out[%i0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r0, %q12 : i32, !llvm.ptr<1>
    %q13 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r1, %q13 : i32, !llvm.ptr<1>
    %q14 = llvm.getelementptr inbounds %out[%i2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r2, %q14 : i32, !llvm.ptr<1>
    %q15 = llvm.getelementptr inbounds %out[%i3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r3, %q15 : i32, !llvm.ptr<1>
    %q16 = llvm.getelementptr inbounds %out[%i4] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r4, %q16 : i32, !llvm.ptr<1>
    %q17 = llvm.getelementptr inbounds %out[%i5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r5, %q17 : i32, !llvm.ptr<1>
    %q18 = llvm.getelementptr inbounds %out[%i6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r6, %q18 : i32, !llvm.ptr<1>
    %q19 = llvm.getelementptr inbounds %out[%i7] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r7, %q19 : i32, !llvm.ptr<1>
    llvm.return
  }
}
