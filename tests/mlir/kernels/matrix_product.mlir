// run: --grid 1 --block 32 --arg f32[128]=0 --print 0
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @matrix_product(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %z = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(dense<1.5> : vector<2xf16>) : vector<2xf16>
    %t = llvm.uitofp %tid : i32 to f16
    %h = llvm.insertelement %t, %one[%z : i32] : vector<2xf16>
    %f = llvm.mlir.constant(1.0 : f32) : f32
    %r = nvvm.mma.sync A[%h, %one, %h, %one] B[%one, %h] C[%f, %f, %f, %f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %r0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    %r1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32)>
    %r2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32)>
    %r3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32)>
    %four = llvm.mlir.constant(4 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %i0 = llvm.mul %tid64, %four : i64
    %i1 = llvm.add %i0, %c1 : i64
    %i2 = llvm.add %i1, %c1 : i64
    %i3 = llvm.add %i2, %c1 : i64
    %q39 = llvm.getelementptr inbounds %out[%i0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %r0, %q39 : f32, !llvm.ptr<1>
    %q40 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %r1, %q40 : f32, !llvm.ptr<1>
    %q41 = llvm.getelementptr inbounds %out[%i2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %r2, %q41 : f32, !llvm.ptr<1>
    %q42 = llvm.getelementptr inbounds %out[%i3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %r3, %q42 : f32, !llvm.ptr<1>
    llvm.return
  }
}
