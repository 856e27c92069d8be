// run: --grid 1 --block 32 --arg u32[32]=0 --arg f32[32]=0 --print 0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal constant @squares(dense<[[0, 1], [4, 9], [16, 25], [-36, 49]]> : tensor<4x2xi32>) {addr_space = 4 : i32} : !llvm.array<4 x array<2 x i32>>
  llvm.mlir.global internal constant @letters("ab\00\FF") {addr_space = 1 : i32} : !llvm.array<4 x i8>
  llvm.mlir.global internal @halves(dense<[1.0, -2.5, 6.550400e+04, 1.0e-7]> : tensor<4xf16>) {addr_space = 1 : i32} : !llvm.array<4 x f16>
  llvm.func @tables(%out: !llvm.ptr<1>, %f: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %three = llvm.mlir.constant(3 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %i = llvm.and %tid64, %three : i64
    %j = llvm.and %tid64, %one : i64
    %t = llvm.mlir.addressof @squares : !llvm.ptr<4>
    %p = llvm.getelementptr inbounds %t[0, %i, %j] : (!llvm.ptr<4>, i64, i64) -> !llvm.ptr<4>, !llvm.array<4 x array<2 x i32>>
    %v = llvm.load %p : !llvm.ptr<4> -> i32
    %l = llvm.mlir.addressof @letters : !llvm.ptr<1>
    %q = llvm.getelementptr inbounds %l[0, %i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<4 x i8>
    %c = llvm.load %q : !llvm.ptr<1> -> i8
    %w = llvm.zext %c : i8 to i32
    %s = llvm.add %v, %w : i32
    %q33 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %s, %q33 : i32, !llvm.ptr<1>
    %h = llvm.mlir.addressof @halves : !llvm.ptr<1>
    %r = llvm.getelementptr inbounds %h[0, %i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<4 x f16>
    %x = llvm.load %r : !llvm.ptr<1> -> f16
    %y = llvm.fpext %x : f16 to f32
    %q34 = llvm.getelementptr inbounds %f[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %y, %q34 : f32, !llvm.ptr<1>
    llvm.return
  }
}
