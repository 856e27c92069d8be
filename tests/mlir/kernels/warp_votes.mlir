// run: --grid 1 --block 32 --arg u32[32]=random:2 --arg u32[128]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @warp_votes(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %m = llvm.mlir.constant(-1 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %z = llvm.mlir.constant(0 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i64) : i64
    %bit = llvm.and %v, %one : i32
    %p = llvm.icmp "ne" %bit, %z : i32
    %a = nvvm.vote.sync ballot %m, %p -> i32
    %b = nvvm.vote.sync any %m, %p -> i1
    %c = nvvm.vote.sync all %m, %p -> i1
    %d = nvvm.vote.sync uni %m, %p -> i1
    %b32 = llvm.zext %b : i1 to i32
    %c32 = llvm.zext %c : i1 to i32
    %d32 = llvm.zext %d : i1 to i32
    %two = llvm.shl %c32, %one : i32
    %bc = llvm.or %b32, %two : i32
    %e = nvvm.elect.sync -> i1
    %e32 = llvm.zext %e : i1 to i32
    %q5 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %a, %q5 : i32, !llvm.ptr<1>
    %i1 = llvm.add %tid64, %n32 : i64
    %q6 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %bc, %q6 : i32, !llvm.ptr<1>
    %i2 = llvm.add %i1, %n32 : i64
    %q7 = llvm.getelementptr inbounds %out[%i2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %d32, %q7 : i32, !llvm.ptr<1>
    %i3 = llvm.add %i2, %n32 : i64
    %q8 = llvm.getelementptr inbounds %out[%i3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %e32, %q8 : i32, !llvm.ptr<1>
    llvm.return
  }
}
