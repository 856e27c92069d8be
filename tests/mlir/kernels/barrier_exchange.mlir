// run: --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @barrier_exchange(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %buf = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %q20 = llvm.getelementptr inbounds %buf[%tid64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    llvm.store %v, %q20 : i32, !llvm.ptr<3>
    nvvm.barrier0
    %last = llvm.mlir.constant(63 : i64) : i64
    %j = llvm.sub %last, %tid64 : i64
    %p_w = llvm.getelementptr inbounds %buf[%j] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    %w = llvm.load %p_w : !llvm.ptr<3> -> i32
    %id = llvm.mlir.constant(3 : i32) : i32
    %count = llvm.mlir.constant(64 : i32) : i32
    nvvm.barrier id = %id number_of_threads = %count
    %s = llvm.sub %w, %v : i32
    %q21 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %s, %q21 : i32, !llvm.ptr<1>
    llvm.return
  }
}
