// arch: sm_90
module {
  llvm.func @mbarrier_cp_async(%s: !llvm.ptr<3>, %g: !llvm.ptr) {
    nvvm.cp.async.mbarrier.arrive %s : !llvm.ptr<3>
    nvvm.cp.async.mbarrier.arrive %g {noinc = true} : !llvm.ptr
    llvm.return
  }
}
