// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @switch(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %seven = llvm.mlir.constant(7 : i32) : i32
    %k = llvm.and %v, %seven : i32
    llvm.switch %k : i32, ^other(%v : i32) [
    1: ^one(%v : i32),
    2: ^other(%k : i32),
    3: ^other(%seven : i32),
    6: ^two(%v, %k : i32, i32)
    ]
  ^one(%x: i32):
    %x2 = llvm.mul %x, %x : i32
    llvm.br ^other(%x2 : i32)
  ^two(%y: i32, %z: i32):
    %c = llvm.icmp "ugt" %y, %z : i32
    %yz = llvm.sub %y, %z : i32
    llvm.cond_br %c, ^other(%yz : i32), ^other(%z : i32)
  ^other(%r: i32):
    %q32 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r, %q32 : i32, !llvm.ptr<1>
    llvm.return
  }
}
