// A block copies 128 bytes to shared memory with one bulk copy, adds one to each word, and copies them back.
// MLIR's llvm and nvvm dialects: `warpc run examples/bulk_copy.mlir`.
// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @bulk_copy(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, target_cpu = "sm_90"} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %buf = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %z = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %bytes = llvm.mlir.constant(128 : i32) : i32
    %first = llvm.icmp "eq" %tid, %z : i32
    llvm.cond_br %first, ^init, ^ready
  ^init:
    nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    %s = nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32 -> i64
    %wide = llvm.addrspacecast %buf : !llvm.ptr<3> to !llvm.ptr
    %cl = llvm.addrspacecast %wide : !llvm.ptr to !llvm.ptr<7>
    nvvm.cp.async.bulk.shared.cluster.global %cl, %in, %bar, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    llvm.br ^ready
  ^ready:
    nvvm.barrier0
    llvm.br ^wait
  ^wait:
    %done = nvvm.mbarrier.try_wait %bar, %z : !llvm.ptr<3>, i32 -> i1
    llvm.cond_br %done, ^go, ^wait
  ^go:
    %p_w = llvm.getelementptr inbounds %buf[%tid64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    %w = llvm.load %p_w : !llvm.ptr<3> -> i32
    %x = llvm.add %w, %one : i32
    %q29 = llvm.getelementptr inbounds %buf[%tid64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    llvm.store %x, %q29 : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    llvm.cond_br %first, ^back, ^exit
  ^back:
    nvvm.cp.async.bulk.global.shared.cta %out, %buf, %bytes : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
