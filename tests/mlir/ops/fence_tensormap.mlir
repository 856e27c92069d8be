// arch: sm_90
module {
  llvm.func @fence_tensormap(%p: !llvm.ptr) {
    %s = llvm.mlir.constant(128 : i32) : i32
    nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %p, %s
    nvvm.fence.proxy.acquire #nvvm.mem_scope<cluster> %p, %s
    nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %p, %s
    nvvm.fence.proxy.acquire #nvvm.mem_scope<sys> %p, %s from_proxy=#nvvm.proxy_kind<generic> to_proxy=#nvvm.proxy_kind<tensormap>
    nvvm.fence.proxy.release #nvvm.mem_scope<cta>
    nvvm.fence.proxy.release #nvvm.mem_scope<sys>
    llvm.return
  }
}
