// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[96]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @warp_matches(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %m = llvm.mlir.constant(-1 : i32) : i32
    %seven = llvm.mlir.constant(7 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i64) : i64
    %k = llvm.and %v, %seven : i32
    %w = llvm.zext %k : i32 to i64
    %a = nvvm.match.sync any %m, %k : i32 -> i32
    %b = nvvm.match.sync any %m, %w : i64 -> i32
    %c = nvvm.match.sync all %m, %seven : i32 -> !llvm.struct<(i32, i1)>
    %c0 = llvm.extractvalue %c[0] : !llvm.struct<(i32, i1)>
    %q9 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %a, %q9 : i32, !llvm.ptr<1>
    %i1 = llvm.add %tid64, %n32 : i64
    %q10 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %b, %q10 : i32, !llvm.ptr<1>
    %i2 = llvm.add %i1, %n32 : i64
    %q11 = llvm.getelementptr inbounds %out[%i2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %c0, %q11 : i32, !llvm.ptr<1>
    llvm.return
  }
}
