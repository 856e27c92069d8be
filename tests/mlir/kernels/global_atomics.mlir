// run: --grid 2 --block 32 --arg u32[8]=5 --arg u64[2]=0 --print 0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @global_atomics(%a: !llvm.ptr<1>, %w: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %i1 = llvm.mlir.constant(1 : i64) : i64
    %i2 = llvm.mlir.constant(2 : i64) : i64
    %i3 = llvm.mlir.constant(3 : i64) : i64
    %i4 = llvm.mlir.constant(4 : i64) : i64
    %i5 = llvm.mlir.constant(5 : i64) : i64
    %i6 = llvm.mlir.constant(6 : i64) : i64
    %q1 = llvm.getelementptr %a[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q2 = llvm.getelementptr %a[%i2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q3 = llvm.getelementptr %a[%i3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q4 = llvm.getelementptr %a[%i4] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q5 = llvm.getelementptr %a[%i5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q6 = llvm.getelementptr %a[%i6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %0 = llvm.atomicrmw add %a, %tid monotonic : !llvm.ptr<1>, i32
    %1 = llvm.atomicrmw umax %q1, %tid syncscope("device") acq_rel : !llvm.ptr<1>, i32
    %2 = llvm.atomicrmw _or %q2, %tid syncscope("device") monotonic : !llvm.ptr<1>, i32
    %3 = llvm.atomicrmw _xor %q3, %tid seq_cst : !llvm.ptr<1>, i32
    %4 = llvm.atomicrmw min %q4, %tid release : !llvm.ptr<1>, i32
    %5 = llvm.atomicrmw sub %q5, %tid acquire : !llvm.ptr<1>, i32
    %6 = llvm.atomicrmw uinc_wrap %q6, %tid monotonic : !llvm.ptr<1>, i32
    %7 = llvm.atomicrmw add %w, %tid64 monotonic : !llvm.ptr<1>, i64
    llvm.return
  }
}
