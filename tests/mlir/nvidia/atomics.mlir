// run: --grid 2 --block 32 --arg u32[8]=0 --arg u64=0 --print 0
// The atomics of NVIDIA's version of the dialect, orders as words and as numbers.
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @atomics(%p: !llvm.ptr<1>, %policy: i64) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %half = llvm.mlir.constant(5.000000e-01 : f32) : f32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %0 = "nvvm.atomic.rmw"(%p, %one) {op = add, ordering = 5 : i32} : (!llvm.ptr<1>, i32) -> i32
    %1 = "nvvm.atomic.rmw"(%p1, %tid) {op = #nvvm.op<umax>, mem_order = #nvvm.mem_order<acquire>, scope = #nvvm.mem_scope<gpu>} : (!llvm.ptr<1>, i32) -> i32
    "nvvm.red"(%p2, %three) {op = add, memOrder = 3 : i32, scope = 2 : i32} : (!llvm.ptr<1>, i32) -> ()
    %2 = "nvvm.atomic.rmw"(%p3, %zero, %three) {op = cas, ordering = acq_rel} : (!llvm.ptr<1>, i32, i32) -> i32
    %3 = "nvvm.atomic.rmw"(%p4, %half) {op = fadd, ordering = relaxed, scope = gpu} : (!llvm.ptr<1>, f32) -> f32
    llvm.return
  }
}
