// arch: sm_90
module {
  llvm.func @fence() {
    nvvm.fence.mbarrier.init
    nvvm.fence.sc.cluster
    nvvm.fence.proxy { kind = #nvvm.proxy_kind<alias>}
    nvvm.fence.proxy { kind = #nvvm.proxy_kind<async>}
    nvvm.fence.proxy { kind = #nvvm.proxy_kind<async.global>}
    nvvm.fence.proxy { kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.fence.proxy { kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
    nvvm.memory.barrier #nvvm.mem_scope<cta>
    nvvm.memory.barrier #nvvm.mem_scope<cluster>
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    nvvm.memory.barrier #nvvm.mem_scope<sys>
    llvm.return
  }
}
