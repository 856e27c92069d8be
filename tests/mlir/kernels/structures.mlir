// run: --grid 1 --block 32 --arg u32[64]=iota --arg u32[64]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func internal @swap(%v: !llvm.struct<"pair", (i32, f32)>) -> !llvm.struct<(f32, i32)> attributes {no_inline} {
    %u = llvm.mlir.undef : !llvm.struct<(f32, i32)>
    %a = llvm.extractvalue %v[0] : !llvm.struct<"pair", (i32, f32)>
    %b = llvm.extractvalue %v[1] : !llvm.struct<"pair", (i32, f32)>
    %1 = llvm.insertvalue %b, %u[0] : !llvm.struct<(f32, i32)>
    %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(f32, i32)>
    llvm.return %2 : !llvm.struct<(f32, i32)>
  }
  llvm.func @structures(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %src = llvm.getelementptr inbounds %in[%tid64, 0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.struct<"pair", (i32, f32)>
    %v = llvm.load %src : !llvm.ptr<1> -> !llvm.struct<"pair", (i32, f32)>
    %i = llvm.extractvalue %v[0] : !llvm.struct<"pair", (i32, f32)>
    %f = llvm.extractvalue %v[1] : !llvm.struct<"pair", (i32, f32)>
    %b = llvm.bitcast %f : f32 to i32
    %s = llvm.add %i, %b : i32
    %g = llvm.uitofp %s : i32 to f32
    %w = llvm.insertvalue %s, %v[0] : !llvm.struct<"pair", (i32, f32)>
    %x = llvm.insertvalue %g, %w[1] : !llvm.struct<"pair", (i32, f32)>
    %r = llvm.call @swap(%x) : (!llvm.struct<"pair", (i32, f32)>) -> !llvm.struct<(f32, i32)>
    %dst = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.struct<(f32, i32)>
    llvm.store %r, %dst : !llvm.struct<(f32, i32)>, !llvm.ptr<1>
    llvm.return
  }
}
