// arch: sm_90
module {
  llvm.func @cp_async_bulk(%s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %m: !llvm.ptr<3>, %n: i32, %k: i16, %h: i64) {
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 1
    nvvm.cp.async.bulk.wait_group 1 {read}
    nvvm.cp.async.bulk.shared.cluster.global %c, %g, %m, %n : !llvm.ptr<7>, !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %c, %g, %m, %n multicast_mask = %k l2_cache_hint = %h : !llvm.ptr<7>, !llvm.ptr<1>
    nvvm.cp.async.bulk.prefetch %g, %n : !llvm.ptr<1>
    nvvm.cp.async.bulk.prefetch %g, %n l2_cache_hint = %h : !llvm.ptr<1>
    nvvm.cp.async.bulk.global.shared.cta %g, %s, %n : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.shared.cluster.shared.cta %c, %s, %m, %n : !llvm.ptr<7>, !llvm.ptr<3>
    llvm.return
  }
}
