// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @mbarrier_parity(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %z = llvm.mlir.constant(0 : i32) : i32
    %count = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %first = llvm.icmp "eq" %tid, %z : i32
    llvm.cond_br %first, ^init, ^ready
  ^init:
    nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^ready
  ^ready:
    nvvm.barrier0
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    nvvm.mbarrier.try_wait.parity %bar, %z, %ticks : !llvm.ptr<3>, i32, i32
    %state2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    nvvm.mbarrier.try_wait.parity %bar, %one, %ticks : !llvm.ptr<3>, i32, i32
    %w = llvm.mul %v, %v : i32
    %q27 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %w, %q27 : i32, !llvm.ptr<1>
    llvm.return
  }
}
