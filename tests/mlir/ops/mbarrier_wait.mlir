// arch: sm_90
module {
  llvm.func @mbarrier_wait(%s: !llvm.ptr<3>, %g: !llvm.ptr, %n: i32, %st: i64) {
    %12 = nvvm.mbarrier.test.wait %s, %st : !llvm.ptr<3>, i64 -> i1
    %13 = nvvm.mbarrier.test.wait %g, %n : !llvm.ptr, i32 -> i1
    %14 = nvvm.mbarrier.test.wait %s, %n {scope = #nvvm.mem_scope<cluster>, relaxed = true} : !llvm.ptr<3>, i32 -> i1
    %15 = nvvm.mbarrier.try_wait %s, %st : !llvm.ptr<3>, i64 -> i1
    %16 = nvvm.mbarrier.try_wait %s, %n, %n : !llvm.ptr<3>, i32, i32 -> i1
    %17 = nvvm.mbarrier.try_wait %g, %st, %n {relaxed = true} : !llvm.ptr, i64, i32 -> i1
    llvm.return
  }
}
