llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.store %0, %p : i32, !llvm.ptr<1>
  llvm.return
}
