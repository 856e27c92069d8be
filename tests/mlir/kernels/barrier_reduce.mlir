// run: --grid 1 --block 64 --arg u32[64]=iota --arg u32[192]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @barrier_reduce(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %z = llvm.mlir.constant(0 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %n = llvm.mlir.constant(64 : i64) : i64
    %k = llvm.and %v, %three : i32
    %a = nvvm.barrier #nvvm.reduction<and> %v -> i32
    %b = nvvm.barrier #nvvm.reduction<or> %v -> i32
    %c = nvvm.barrier #nvvm.reduction<popc> %k -> i32
    %q22 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %a, %q22 : i32, !llvm.ptr<1>
    %i1 = llvm.add %tid64, %n : i64
    %q23 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %b, %q23 : i32, !llvm.ptr<1>
    %i2 = llvm.add %i1, %n : i64
    %q24 = llvm.getelementptr inbounds %out[%i2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %c, %q24 : i32, !llvm.ptr<1>
    llvm.return
  }
}
