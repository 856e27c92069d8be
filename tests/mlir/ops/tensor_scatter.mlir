// arch: sm_100a
module {
  llvm.func @tensor_scatter(%s: !llvm.ptr<3>, %t: !llvm.ptr, %x: i32) {
    nvvm.cp.async.bulk.tensor.global.shared.cta %t, %s, box[%x, %x, %x, %x, %x] {mode = #nvvm.tma_store_mode<tile_scatter4>} : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
}
