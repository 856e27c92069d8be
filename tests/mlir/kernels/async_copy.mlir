// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @async_copy(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %buf = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %src = llvm.getelementptr %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %dst = llvm.getelementptr %buf[%tid64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    nvvm.cp.async.shared.global %dst, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    nvvm.barrier0
    %last = llvm.mlir.constant(31 : i64) : i64
    %j = llvm.sub %last, %tid64 : i64
    %p_w = llvm.getelementptr inbounds %buf[%j] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    %w = llvm.load %p_w : !llvm.ptr<3> -> i32
    %q28 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %w, %q28 : i32, !llvm.ptr<1>
    llvm.return
  }
}
