// arch: sm_100a
module {
  llvm.func @cluster_launch_control(%q: i128, %s: !llvm.ptr<3>) {
    %2 = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %q : i1
    %3 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_y, %q : i32
    nvvm.clusterlaunchcontrol.try.cancel %s, %s
    nvvm.clusterlaunchcontrol.try.cancel multicast, %s, %s
    llvm.return
  }
}
