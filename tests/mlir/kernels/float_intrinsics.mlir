// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @float_intrinsics(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %v = llvm.load %p_v : !llvm.ptr<1> -> f32
    %h = llvm.mlir.constant(0.37 : f32) : f32
    %x = llvm.fmul %v, %h : f32
    %s = llvm.intr.sqrt(%x) : (f32) -> f32
    %f = llvm.intr.floor(%x) : (f32) -> f32
    %c = llvm.intr.ceil(%x) : (f32) -> f32
    %t = llvm.intr.trunc(%s) : (f32) -> f32
    %r = llvm.intr.roundeven(%x) : (f32) -> f32
    %m = llvm.intr.maxnum(%f, %s) : (f32, f32) -> f32
    %n = llvm.intr.minnum(%c, %m) : (f32, f32) -> f32
    %k = llvm.intr.copysign(%n, %h) : (f32, f32) -> f32
    %q = llvm.intr.fma(%k, %t, %r) : (f32, f32, f32) -> f32
    %a = llvm.fneg %q : f32
    %b = llvm.intr.fabs(%a) : (f32) -> f32
    %g = llvm.fcmp "ogt" %b, %x : f32
    %z = llvm.select %g, %b, %a : i1, f32
    %q35 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %z, %q35 : f32, !llvm.ptr<1>
    llvm.return
  }
}
