// run: --grid 1 --block 32 --arg u32[32]=random:9 --arg u32[64]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @permute_and_dot(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %sel = llvm.mlir.constant(0x1032 : i32) : i32
    %n = llvm.mlir.constant(32 : i64) : i64
    %a = nvvm.prmt #nvvm.permute_mode<default> %sel, %v, %tid : i32
    %b = nvvm.prmt #nvvm.permute_mode<f4e> %tid, %v, %a : i32
    %x = llvm.bitcast %a : i32 to vector<4xi8>
    %y = llvm.bitcast %v : i32 to vector<4xi8>
    %h = llvm.bitcast %b : i32 to vector<2xi16>
    %c = nvvm.dot.accumulate.4way %x <signed>, %y <unsigned>, %b : vector<4xi8>, vector<4xi8>
    %d = nvvm.dot.accumulate.2way %h <signed>, %y <signed>, %c {b_hi = true} : vector<2xi16>, vector<4xi8>
    %q37 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %c, %q37 : i32, !llvm.ptr<1>
    %i1 = llvm.add %tid64, %n : i64
    %q38 = llvm.getelementptr inbounds %out[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %d, %q38 : i32, !llvm.ptr<1>
    llvm.return
  }
}
