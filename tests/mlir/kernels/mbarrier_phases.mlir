// run: --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @mbarrier_phases(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %buf = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %z = llvm.mlir.constant(0 : i32) : i32
    %count = llvm.mlir.constant(64 : i32) : i32
    %one = llvm.mlir.constant(1 : i64) : i64
    %mask = llvm.mlir.constant(63 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %first = llvm.icmp "eq" %tid, %z : i32
    llvm.cond_br %first, ^init, ^ready
  ^init:
    nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
    llvm.br ^ready
  ^ready:
    nvvm.barrier0
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %q25 = llvm.getelementptr inbounds %buf[%tid64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    llvm.store %v, %q25 : i32, !llvm.ptr<3>
    %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    llvm.br ^wait
  ^wait:
    %done = nvvm.mbarrier.try_wait %bar, %state : !llvm.ptr<3>, i64 -> i1
    llvm.cond_br %done, ^go, ^wait
  ^go:
    %j0 = llvm.add %tid64, %one : i64
    %j = llvm.and %j0, %mask : i64
    %p_w = llvm.getelementptr inbounds %buf[%j] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    %w = llvm.load %p_w : !llvm.ptr<3> -> i32
    %s2 = nvvm.mbarrier.arrive %bar, %c1 : !llvm.ptr<3> -> i64
    llvm.br ^wait2
  ^wait2:
    %done2 = nvvm.mbarrier.test.wait %bar, %s2 : !llvm.ptr<3>, i64 -> i1
    llvm.cond_br %done2, ^end, ^wait2
  ^end:
    %q26 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %w, %q26 : i32, !llvm.ptr<1>
    nvvm.barrier0
    llvm.cond_br %first, ^inval, ^exit
  ^inval:
    nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
