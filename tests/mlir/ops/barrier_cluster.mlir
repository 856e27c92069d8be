// arch: sm_90
module {
  llvm.func @barrier_cluster() {
    nvvm.cluster.arrive
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
