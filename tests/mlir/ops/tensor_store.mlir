// arch: sm_90
module {
  llvm.func @tensor_store(%s: !llvm.ptr<3>, %h: i64, %t: !llvm.ptr, %x: i32) {
    nvvm.cp.async.bulk.tensor.reduce %t, %s, box[%x, %x] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.tensor.reduce %t, %s, box[%x, %x, %x] l2_cache_hint = %h {redKind = #nvvm.tma_redux_kind<xor>, mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.tensor.global.shared.cta %t, %s, box[%x, %x] : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.tensor.global.shared.cta %t, %s, box[%x, %x, %x] l2_cache_hint = %h {mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
}
