// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[64]=0 --arg f32[32]=0 --print 1 --print 2
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @inline_ptx(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %f: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %n = llvm.mlir.constant(32 : i64) : i64
    %a = nvvm.inline_ptx "mad.lo.u32 {$w0}, {$r0}, {$r1}, {$r0};" ro (%v, %three : i32, i32) -> i32
    %b:2 = nvvm.inline_ptx "{ .reg .b32 t; mov.u32 t, {$r0}; not.b32 {$w0}, t; cvt.rn.f32.u32 {$w1}, t; }" ro (%v : i32) -> i32, f32
    %p = llvm.icmp "ult" %v, %three : i32
    %q = llvm.getelementptr %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q30 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %a, %q30 : i32, !llvm.ptr<1>
    nvvm.inline_ptx "st.global.u32 [{$r0}], {$r1};" ro (%q, %three : !llvm.ptr<1>, i32), predicate = %p
    %i1 = llvm.add %tid64, %n : i64
    %r1 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %b#0, %r1 : i32, !llvm.ptr<1>
    %r2 = llvm.getelementptr inbounds %f[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %b#1, %r2 : f32, !llvm.ptr<1>
    llvm.return
  }
}
