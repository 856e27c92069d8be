// arch: sm_90
module {
  llvm.func @mbarrier_wait_loop(%s: !llvm.ptr<3>, %g: !llvm.ptr, %n: i32) {
    nvvm.mbarrier.try_wait.parity %s, %n, %n : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.try_wait.parity %g, %n, %n : !llvm.ptr, i32, i32
    llvm.return
  }
}
