// arch: sm_100a
module {
  llvm.func @tensor_prefetch(%h: i64, %t: !llvm.ptr, %x: i32, %o: i16) {
    nvvm.cp.async.bulk.tensor.prefetch %t, box[%x, %x] : !llvm.ptr
    nvvm.cp.async.bulk.tensor.prefetch %t, box[%x, %x, %x] im2col[%o] l2_cache_hint = %h {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
    nvvm.cp.async.bulk.tensor.prefetch %t, box[%x, %x, %x, %x, %x] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr
    nvvm.cp.async.bulk.tensor.prefetch %t, box[%x, %x, %x] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col_w_128>} : !llvm.ptr
    llvm.return
  }
}
