// run: --grid 1 --block 32 --arg f32[32]=iota --arg u32[64]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @converts(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %v = llvm.load %p_v : !llvm.ptr<1> -> f32
    %c = llvm.mlir.constant(1.2345678 : f32) : f32
    %n = llvm.mlir.constant(32 : i64) : i64
    %x = llvm.fmul %v, %c : f32
    %a = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}
    %h = nvvm.convert.f32x2.to.f16x2 %x, %c {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
    %b = nvvm.convert.f32x2.to.bf16x2 %c, %x {rnd = #nvvm.fp_rnd_mode<rz>, relu = true} : vector<2xbf16>
    %hi = llvm.bitcast %h : vector<2xf16> to i32
    %bi = llvm.bitcast %b : vector<2xbf16> to i32
    %s = llvm.xor %a, %hi : i32
    %q50 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %s, %q50 : i32, !llvm.ptr<1>
    %i1 = llvm.add %tid64, %n : i64
    %q51 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %bi, %q51 : i32, !llvm.ptr<1>
    llvm.return
  }
}
