// arch: sm_100a
module {
  llvm.func @tcgen05_alloc(%t: !llvm.ptr<6>, %g: !llvm.ptr, %n: i32) {
    nvvm.tcgen05.alloc %g, %n : !llvm.ptr, i32
    nvvm.tcgen05.dealloc %t, %n : !llvm.ptr<6>, i32
    nvvm.tcgen05.relinquish_alloc_permit
    llvm.return
  }
  llvm.func @tcgen05_alloc_of_two(%t: !llvm.ptr<6>, %s: !llvm.ptr<3>, %n: i32) {
    nvvm.tcgen05.alloc %s, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    nvvm.tcgen05.dealloc %t, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
    llvm.return
  }
}
