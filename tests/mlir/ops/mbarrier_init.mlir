// arch: sm_90
module {
  llvm.func @mbarrier_init(%s: !llvm.ptr<3>, %g: !llvm.ptr, %n: i32, %p: i1) {
    nvvm.mbarrier.init %s, %n : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %g, %n : !llvm.ptr, i32
    nvvm.mbarrier.init %s, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.inval %s : !llvm.ptr<3>
    nvvm.mbarrier.inval %g : !llvm.ptr
    llvm.return
  }
}
