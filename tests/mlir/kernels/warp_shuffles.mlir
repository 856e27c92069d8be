// run: --grid 1 --block 32 --arg u32[32]=random:1 --arg u32[128]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @warp_shuffles(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %m = llvm.mlir.constant(-1 : i32) : i32
    %c = llvm.mlir.constant(31 : i32) : i32
    %z = llvm.mlir.constant(0 : i32) : i32
    %o = llvm.mlir.constant(5 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i64) : i64
    %a = nvvm.shfl.sync bfly %m, %v, %o, %c : i32 -> i32
    %b = nvvm.shfl.sync up %m, %v, %o, %z : i32 -> i32
    %d = nvvm.shfl.sync down %m, %v, %o, %c {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %d0 = llvm.extractvalue %d[0] : !llvm.struct<(i32, i1)>
    %d1 = llvm.extractvalue %d[1] : !llvm.struct<(i32, i1)>
    %ds = llvm.select %d1, %d0, %z : i1, i32
    %e = nvvm.shfl.sync idx %m, %v, %tid, %c : i32 -> i32
    %q1 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %a, %q1 : i32, !llvm.ptr<1>
    %i1 = llvm.add %tid64, %n32 : i64
    %q2 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %b, %q2 : i32, !llvm.ptr<1>
    %i2 = llvm.add %i1, %n32 : i64
    %q3 = llvm.getelementptr inbounds %out[%i2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %ds, %q3 : i32, !llvm.ptr<1>
    %i3 = llvm.add %i2, %n32 : i64
    %q4 = llvm.getelementptr inbounds %out[%i3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %e, %q4 : i32, !llvm.ptr<1>
    llvm.return
  }
}
