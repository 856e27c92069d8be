// arch: sm_90
module {
  llvm.func @fence_restrict() {
    nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
    nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<release>}
    nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
    nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
    llvm.return
  }
}
