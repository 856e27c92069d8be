// arch: sm_90
module {
  llvm.func @mbarrier_transactions(%s: !llvm.ptr<3>, %g: !llvm.ptr, %cl: !llvm.ptr<7>, %n: i32, %p: i1) {
    %10 = nvvm.mbarrier.arrive.expect_tx %s, %n : !llvm.ptr<3>, i32 -> i64
    nvvm.mbarrier.arrive.expect_tx %s, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.arrive.expect_tx %g, %n, predicate = %p : !llvm.ptr, i32, i1
    nvvm.mbarrier.arrive.expect_tx %cl, %n {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
    %11 = nvvm.mbarrier.arrive_drop.expect_tx %s, %n : !llvm.ptr<3>, i32 -> i64
    nvvm.mbarrier.arrive_drop.expect_tx %cl, %n : !llvm.ptr<7>, i32
    nvvm.mbarrier.expect_tx %s, %n : !llvm.ptr<3>, i32
    nvvm.mbarrier.expect_tx %cl, %n {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
    nvvm.mbarrier.complete_tx %s, %n {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32
    nvvm.mbarrier.complete_tx %cl, %n : !llvm.ptr<7>, i32
    llvm.return
  }
}
