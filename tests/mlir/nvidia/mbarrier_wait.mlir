// run: --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0 --print 1
// Waits by state, by parity, and for the phase that is current; on sm_80 they try without being suspended.
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @ticks() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @flag() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @mbarrier_wait(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %ticks = llvm.mlir.addressof @ticks : !llvm.ptr<3>
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %buf = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %z = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %count = llvm.mlir.constant(64 : i32) : i32
    %one = llvm.mlir.constant(1 : i64) : i64
    %mask = llvm.mlir.constant(63 : i64) : i64
    %first = llvm.icmp "eq" %tid, %z : i32
    llvm.cond_br %first, ^init, ^ready
  ^init:
    nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %ticks, %c1 : !llvm.ptr<3>, i32
    llvm.store %z, %flag : i32, !llvm.ptr<3>
    llvm.br ^ready
  ^ready:
    nvvm.barrier0
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %own = llvm.getelementptr inbounds %buf[%tid64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    llvm.store %v, %own : i32, !llvm.ptr<3>
    %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    %over = "nvvm.mbarrier.wait"(%bar, %state) : (!llvm.ptr<3>, i64) -> i1
    %next64 = llvm.add %tid64, %one : i64
    %next = llvm.and %next64, %mask : i64
    %other = llvm.getelementptr inbounds %buf[%next] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    %w = llvm.load %other : !llvm.ptr<3> -> i32
    %again = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    "nvvm.mbarrier.wait"(%bar, %c1) : (!llvm.ptr<3>, i32) -> ()
    %truth = llvm.zext %over : i1 to i32
    %sum = llvm.add %w, %truth : i32
    %ticker = llvm.icmp "eq" %tid, %c32 : i32
    llvm.cond_br %first, ^wait, ^others
  ^others:
    llvm.cond_br %ticker, ^tick, ^end(%sum : i32)
  ^wait:
    // Whichever phase is current when this starts, thread 32 ends it.
    %done = "nvvm.mbarrier.wait"(%ticks) : (!llvm.ptr<3>) -> i1
    llvm.store volatile %c1, %flag : i32, !llvm.ptr<3>
    %yes = llvm.zext %done : i1 to i32
    %s1 = llvm.add %sum, %yes : i32
    llvm.br ^end(%s1 : i32)
  ^tick:
    %tick = nvvm.mbarrier.arrive %ticks : !llvm.ptr<3> -> i64
    %seen = llvm.load volatile %flag : !llvm.ptr<3> -> i32
    %stop = llvm.icmp "eq" %seen, %c1 : i32
    llvm.cond_br %stop, ^end(%sum : i32), ^tick
  ^end(%result: i32):
    %q = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %result, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}
