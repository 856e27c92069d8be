// arch: sm_90
module {
  llvm.func @tensor_load(%c: !llvm.ptr<7>, %m: !llvm.ptr<3>, %k: i16, %h: i64, %t: !llvm.ptr, %x: i32, %o: i16) {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %m, box[%x] : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %m, box[%x, %x] multicast_mask = %k l2_cache_hint = %h : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %m, box[%x, %x, %x] im2col[%o] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
}
