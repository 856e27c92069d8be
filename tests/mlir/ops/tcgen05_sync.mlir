// arch: sm_100a
module {
  llvm.func @tcgen05_sync(%t: !llvm.ptr<6>, %s: !llvm.ptr<3>, %g: !llvm.ptr, %k: i16) {
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    nvvm.tcgen05.wait #nvvm.tcgen05_wait<load>
    nvvm.tcgen05.wait #nvvm.tcgen05_wait<store>
    nvvm.tcgen05.commit %g : !llvm.ptr
    nvvm.tcgen05.commit %s, multicast_mask = %k : !llvm.ptr<3>, i16
    nvvm.tcgen05.shift %t : !llvm.ptr<6>
    llvm.return
  }
  llvm.func @tcgen05_sync_of_two(%t: !llvm.ptr<6>, %s: !llvm.ptr<3>, %g: !llvm.ptr, %k: i16) {
    nvvm.tcgen05.commit %s {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
    nvvm.tcgen05.commit %g, multicast_mask = %k {group = #nvvm.cta_group<cta_2>} : !llvm.ptr, i16
    nvvm.tcgen05.shift %t {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
    llvm.return
  }
}
