// arch: sm_100
module {
  llvm.func @cp_async_bulk_100(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %m: !llvm.ptr<3>, %n: i32, %k: i16, %h: i64) {
    nvvm.cp.async.bulk.shared.cluster.global %s, %g, %m, %n : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %s, %g, %m, %n l2_cache_hint = %h : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.bulk.global.shared.cta %g, %s, %n l2_cache_hint = %h byte_mask = %k : !llvm.ptr<1>, !llvm.ptr<3>
    llvm.return
  }
}
