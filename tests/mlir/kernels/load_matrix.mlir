// run: --grid 1 --block 32 --arg u32[64]=iota --arg u32[128]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @load_matrix(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %buf = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %q43 = llvm.getelementptr inbounds %buf[%tid64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    llvm.store %v, %q43 : i32, !llvm.ptr<3>
    %n = llvm.mlir.constant(32 : i64) : i64
    %seven = llvm.mlir.constant(7 : i64) : i64
    %four = llvm.mlir.constant(4 : i64) : i64
    nvvm.barrier0
    %row = llvm.and %tid64, %seven : i64
    %o = llvm.mul %row, %four : i64
    %p = llvm.getelementptr %buf[%o] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    %a = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
    %b = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
    %q44 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %a, %q44 : i32, !llvm.ptr<1>
    %i1 = llvm.add %tid64, %n : i64
    %q45 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %b, %q45 : i32, !llvm.ptr<1>
    llvm.return
  }
}
