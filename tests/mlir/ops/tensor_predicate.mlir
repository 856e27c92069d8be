// arch: sm_90
module {
  llvm.func @tensor_predicate(%c: !llvm.ptr<7>, %t: !llvm.ptr, %m: !llvm.ptr<3>, %x: i32, %p: i1) {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %m, box[%x, %x] predicate = %p : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.global.shared.cta %t, %m, box[%x, %x], predicate = %p : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
}
