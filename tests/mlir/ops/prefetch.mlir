// arch: sm_90
module {
  llvm.func @prefetch(%g: !llvm.ptr<1>, %t: !llvm.ptr, %p: i1) {
    nvvm.prefetch level = L1, %t : !llvm.ptr
    nvvm.prefetch level = L2, %g : !llvm.ptr<1>
    nvvm.prefetch level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>
    nvvm.prefetch level = L2, evict_priority = evict_normal, %g : !llvm.ptr<1>
    nvvm.prefetch level = L1 uniform, %t : !llvm.ptr
    nvvm.prefetch tensormap, %t : !llvm.ptr
    nvvm.prefetch tensormap, %t, predicate = %p : !llvm.ptr, i1
    llvm.return
  }
}
