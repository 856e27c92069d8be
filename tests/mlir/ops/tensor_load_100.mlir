// arch: sm_100a
module {
  llvm.func @tensor_load_100(%s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %m: !llvm.ptr<3>, %h: i64, %t: !llvm.ptr, %x: i32, %o: i16) {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %m, box[%x, %x, %x, %x] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col_w>, group = #nvvm.cta_group<cta_1>} : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %m, box[%x, %x, %x, %x] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col_w_128>, group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %m, box[%x, %x, %x, %x, %x] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %t, %m, box[%x, %x] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %t, %m, box[%x, %x] l2_cache_hint = %h {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %t, %m, box[%x, %x, %x] im2col[%o] {isCTAOnly = true, mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<3>, !llvm.ptr
    llvm.return
  }
}
