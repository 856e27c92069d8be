// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @stack(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %three = llvm.mlir.constant(3 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %end = llvm.mlir.constant(4 : i64) : i64
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %a = llvm.alloca %four x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
    %b = llvm.alloca %four x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
    llvm.br ^loop(%c0, %v : i64, i32)
  ^loop(%i: i64, %x: i32):
    %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %x, %p : i32, !llvm.ptr
    %y = llvm.add %x, %x : i32
    %j = llvm.add %i, %c1 : i64
    %m = llvm.icmp "ult" %j, %end : i64
    llvm.cond_br %m, ^loop(%j, %y : i64, i32), ^done
  ^done:
    "llvm.intr.memcpy"(%b, %a, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    %k = llvm.and %tid64, %three : i64
    %q = llvm.getelementptr inbounds %b[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.load %q : !llvm.ptr -> i32
    %q49 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %r, %q49 : i32, !llvm.ptr<1>
    llvm.return
  }
}
