// run: --grid 1 --block 32 --arg u32[32]=random:8 --arg u32[32]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @integer_intrinsics(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %a = llvm.intr.ctpop(%v) : (i32) -> i32
    %b = "llvm.intr.ctlz"(%v) <{is_zero_poison = false}> : (i32) -> i32
    %c = "llvm.intr.cttz"(%v) <{is_zero_poison = false}> : (i32) -> i32
    %d = llvm.intr.bitreverse(%v) : (i32) -> i32
    %e = llvm.intr.bswap(%d) : (i32) -> i32
    %f = llvm.intr.fshl(%e, %v, %a) : (i32, i32, i32) -> i32
    %g = llvm.intr.uadd.sat(%f, %d) : (i32, i32) -> i32
    %h = llvm.intr.smax(%g, %v) : (i32, i32) -> i32
    %i = llvm.intr.umin(%h, %e) : (i32, i32) -> i32
    %j = "llvm.intr.umul.with.overflow"(%i, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
    %k = llvm.extractvalue %j[0] : !llvm.struct<(i32, i1)>
    %o = llvm.extractvalue %j[1] : !llvm.struct<(i32, i1)>
    %p = llvm.zext %o : i1 to i32
    %q = llvm.add %k, %p : i32
    %r = "llvm.intr.abs"(%q) <{is_int_min_poison = false}> : (i32) -> i32
    %s = llvm.sub %r, %c : i32
    %q36 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %s, %q36 : i32, !llvm.ptr<1>
    llvm.return
  }
}
