// arch: sm_90
#alias = #llvm.fastmath<nnan, contract>
!pair = !llvm.struct<(i32, f32)>
module attributes {llvm.data_layout = "e-i64:64-v16:16-v32:32-n16:32:64", llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global external @ext() {addr_space = 1 : i32} : i32
  llvm.mlir.global internal constant @str("hello\00\22") {addr_space = 0 : i32}
  llvm.mlir.global internal @tab(dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>) {addr_space = 4 : i32, alignment = 8 : i64, dso_local} : !llvm.array<2 x array<2 x i32>>
  llvm.mlir.global private @splat(dense<2.5> : tensor<4xf32>) : !llvm.array<4 x f32>
  llvm.mlir.global internal @zeros(dense<0.0> : tensor<1000xf32>) : !llvm.array<1000 x f32>
  llvm.mlir.global internal @raw(dense<"0x0000803F00000040"> : tensor<2xf32>) : !llvm.array<2 x f32>
  llvm.mlir.global external @agg() : !llvm.struct<(i32, ptr, array<2 x i8>)> {
    %0 = llvm.mlir.undef : !llvm.struct<(i32, ptr, array<2 x i8>)>
    %1 = llvm.mlir.constant(7 : i32) : i32
    %2 = llvm.mlir.addressof @splat : !llvm.ptr
    %4 = llvm.mlir.zero : !llvm.array<2 x i8>
    %5 = llvm.insertvalue %1, %0[0] : !llvm.struct<(i32, ptr, array<2 x i8>)>
    %6 = llvm.insertvalue %2, %5[1] : !llvm.struct<(i32, ptr, array<2 x i8>)>
    %7 = llvm.insertvalue %4, %6[2] : !llvm.struct<(i32, ptr, array<2 x i8>)>
    llvm.return %7 : !llvm.struct<(i32, ptr, array<2 x i8>)>
  }
  llvm.mlir.global weak hidden unnamed_addr @w(42 : i64) : i64
  llvm.mlir.global internal @h(dense<[1.0, 6.550400e+04, 1.0e-7]> : tensor<3xf16>) : !llvm.array<3 x f16>
  llvm.func internal @helper(%x: i32) -> (i32 {llvm.noundef}) attributes {always_inline, no_unwind} {
    llvm.return %x : i32
  }
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @va(i32, ...)
  llvm.func @ints(%a: i32, %b: i32, %w: i64, %v: vector<4xi32>, %c: i1) -> i32 {
    %0 = llvm.add %a, %b overflow<nsw, nuw> : i32
    %1 = llvm.sub %0, %b : i32
    %2 = llvm.mul %1, %b overflow<nuw> : i32
    %3 = llvm.udiv %2, %a : i32
    %4 = llvm.sdiv exact %3, %a : i32
    %5 = llvm.urem %4, %a : i32
    %6 = llvm.srem %5, %b : i32
    %7 = llvm.and %6, %b : i32
    %8 = llvm.or disjoint %7, %b : i32
    %9 = llvm.xor %8, %b : i32
    %10 = llvm.shl %9, %b overflow<nsw> : i32
    %11 = llvm.lshr exact %10, %b : i32
    %12 = llvm.ashr %11, %b : i32
    %13 = llvm.icmp "sge" %12, %a : i32
    %14 = llvm.select %13, %a, %b : i1, i32
    %15 = llvm.zext nneg %14 : i32 to i64
    %16 = llvm.sext %14 : i32 to i64
    %17 = llvm.trunc %16 overflow<nsw> : i64 to i16
    %18 = llvm.freeze %17 : i16
    %19 = llvm.add %v, %v : vector<4xi32>
    %20 = llvm.icmp "ult" %19, %v : vector<4xi32>
    %21 = llvm.select %20, %19, %v : vector<4xi1>, vector<4xi32>
    %22 = llvm.mlir.constant(2 : i32) : i32
    %23 = llvm.extractelement %21[%22 : i32] : vector<4xi32>
    %24 = llvm.insertelement %a, %21[%b : i32] : vector<4xi32>
    %25 = llvm.shufflevector %24, %v [0, 5, -1, 1] : vector<4xi32>
    %26 = llvm.extractelement %25[%a : i32] : vector<4xi32>
    %27 = llvm.mlir.constant(dense<[1, 2, 3, 4]> : vector<4xi32>) : vector<4xi32>
    %28 = llvm.mul %27, %25 : vector<4xi32>
    %29 = "llvm.intr.vector.reduce.add"(%28) : (vector<4xi32>) -> i32
    %30 = llvm.intr.ctpop(%29) : (i32) -> i32
    %31 = "llvm.intr.ctlz"(%30) <{is_zero_poison = false}> : (i32) -> i32
    %32 = llvm.intr.smax(%31, %a) : (i32, i32) -> i32
    %33 = "llvm.intr.sadd.with.overflow"(%32, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
    %34 = llvm.extractvalue %33[0] : !llvm.struct<(i32, i1)>
    %35 = llvm.intr.fshl(%34, %a, %b) : (i32, i32, i32) -> i32
    %36 = llvm.intr.bswap(%35) : (i32) -> i32
    %37 = llvm.intr.uadd.sat(%36, %23) : (i32, i32) -> i32
    %38 = llvm.call @helper(%37) : (i32) -> i32
    %39 = llvm.call @helper(%26) {fastmathFlags = #llvm.fastmath<none>} : (i32) -> i32
    %40 = llvm.trunc %w : i64 to i32
    %41 = llvm.add %39, %40 : i32
    llvm.switch %41 : i32, ^bb3(%38 : i32) [
      1: ^bb1,
      -2: ^bb2(%a, %b : i32, i32),
      7: ^bb3(%a : i32)
    ]
  ^bb1:
    llvm.br ^bb3(%b : i32)
  ^bb2(%x: i32, %y: i32):
    %42 = llvm.add %x, %y : i32
    llvm.cond_br %c weights([1, 99]), ^bb3(%42 : i32), ^bb3(%x : i32)
  ^bb3(%z: i32):
    llvm.return %z : i32
  }
  llvm.func @floats(%a: f32, %b: f32, %d: f64, %h: f16, %v: vector<2xf32>, %i: i32) -> f32 {
    %0 = llvm.fadd %a, %b {fastmathFlags = #alias} : f32
    %1 = llvm.fsub %0, %b : f32
    %2 = llvm.fmul %1, %b {fastmathFlags = #llvm.fastmath<fast>} : f32
    %3 = llvm.fdiv %2, %b : f32
    %4 = llvm.frem %3, %b : f32
    %5 = llvm.fneg %4 : f32
    %6 = llvm.fcmp "olt" %5, %a : f32
    %7 = llvm.fcmp "une" %5, %a {fastmathFlags = #llvm.fastmath<nnan>} : f32
    %8 = llvm.and %6, %7 : i1
    %9 = llvm.select %8, %a, %5 : i1, f32
    %10 = llvm.fpext %9 : f32 to f64
    %11 = llvm.fptrunc %10 : f64 to f16
    %12 = llvm.fptosi %11 : f16 to i32
    %13 = llvm.fptoui %d : f64 to i64
    %14 = llvm.sitofp %12 : i32 to f32
    %15 = llvm.uitofp nneg %13 : i64 to f32
    %16 = llvm.intr.fma(%14, %15, %a) : (f32, f32, f32) -> f32
    %17 = llvm.intr.sqrt(%16) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    %18 = llvm.intr.maxnum(%17, %b) : (f32, f32) -> f32
    %19 = llvm.intr.exp2(%18) : (f32) -> f32
    %20 = llvm.intr.copysign(%19, %a) : (f32, f32) -> f32
    %21 = llvm.intr.powi(%20, %i) : (f32, i32) -> f32
    %22 = llvm.mlir.constant(1.000000e-01 : f32) : f32
    %23 = llvm.mlir.constant(0x7FC00000 : f32) : f32
    %24 = llvm.mlir.constant(3.140625 : f16) : f16
    %25 = llvm.mlir.constant(1.0 : bf16) : bf16
    %26 = llvm.mlir.constant(0.1 : f64) : f64
    %27 = llvm.fadd %21, %22 : f32
    %28 = llvm.fadd %27, %23 : f32
    %29 = llvm.fadd %h, %24 : f16
    %30 = llvm.fadd %d, %26 : f64
    %31 = llvm.bitcast %25 : bf16 to i16
    %32 = llvm.bitcast %h : f16 to i16
    %33 = llvm.add %31, %32 : i16
    %34 = llvm.mlir.constant(dense<1.5> : vector<2xf32>) : vector<2xf32>
    %35 = llvm.fadd %v, %34 : vector<2xf32>
    %36 = llvm.intr.floor(%35) : (vector<2xf32>) -> vector<2xf32>
    %37 = "llvm.intr.is.fpclass"(%28) <{bit = 3 : i32}> : (f32) -> i1
    %38 = llvm.intr.lrint(%28) : (f32) -> i64
    %39 = "llvm.intr.vector.reduce.fadd"(%28, %36) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %40 = llvm.intr.frexp(%28) : (f32) -> !llvm.struct<(f32, i32)>
    %41 = llvm.extractvalue %40[0] : !llvm.struct<(f32, i32)>
    %42 = llvm.call_intrinsic "llvm.nvvm.fmin.f"(%41, %39) : (f32, f32) -> f32
    llvm.return %42 : f32
  }
  llvm.func @memory(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i64, %x: i32, %f: !llvm.ptr) -> i32 {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i64) : i64
    %0 = llvm.alloca %c1 x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
    %1 = llvm.alloca %c4 x !pair : (i64) -> !llvm.ptr
    llvm.store %x, %0 {alignment = 4 : i64} : i32, !llvm.ptr
    %2 = llvm.getelementptr inbounds|nuw %1[%i, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, f32)>
    %3 = llvm.getelementptr %g[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %4 = llvm.load volatile %3 : !llvm.ptr<1> -> i32
    %5 = llvm.load %g atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    llvm.store volatile %5, %0 : i32, !llvm.ptr
    llvm.store %5, %g atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    %6 = llvm.atomicrmw add %g, %x monotonic : !llvm.ptr<1>, i32
    %7 = llvm.atomicrmw volatile umax %s, %x syncscope("block") acq_rel {alignment = 4 : i64} : !llvm.ptr<3>, i32
    %8 = llvm.atomicrmw _and %s, %x seq_cst : !llvm.ptr<3>, i32
    %9 = llvm.cmpxchg weak %g, %6, %7 syncscope("device") acq_rel monotonic : !llvm.ptr<1>, i32
    %10 = llvm.extractvalue %9[0] : !llvm.struct<(i32, i1)>
    llvm.fence syncscope("block") seq_cst
    llvm.fence acquire
    %11 = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
    %12 = llvm.ptrtoint %11 : !llvm.ptr to i64
    %13 = llvm.inttoptr %12 : i64 to !llvm.ptr
    %14 = llvm.load %13 invariant {alignment = 8 : i64, nontemporal} : !llvm.ptr -> f64
    "llvm.intr.memcpy"(%p, %13, %i) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    %z = llvm.mlir.constant(0 : i8) : i8
    "llvm.intr.memset"(%g, %z, %i) <{isVolatile = true}> : (!llvm.ptr<1>, i8, i64) -> ()
    llvm.intr.lifetime.start %0 : !llvm.ptr
    llvm.intr.lifetime.end %0 : !llvm.ptr
    %15 = llvm.mlir.addressof @tab : !llvm.ptr<4>
    %16 = llvm.getelementptr %15[0, 1, 1] : (!llvm.ptr<4>) -> !llvm.ptr<4>, !llvm.array<2 x array<2 x i32>>
    %17 = llvm.load %16 : !llvm.ptr<4> -> i32
    %18 = llvm.mlir.undef : !pair
    %19 = llvm.insertvalue %17, %18[0] : !pair
    %20 = llvm.extractvalue %19[0] : !llvm.struct<(i32, f32)>
    %21 = llvm.call %f(%20) : !llvm.ptr, (i32) -> i32
    llvm.call @va(%21, %i) vararg(!llvm.func<void (i32, ...)>) : (i32, i64) -> ()
    %22 = llvm.inline_asm has_side_effects "mov.u32 $0, $1;", "=r,r" %21 : (i32) -> i32
    %23 = llvm.inline_asm "add.u32 $0, $1, $2;", "=r,r,r" %22, %10 : (i32, i32) -> i32
    llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;", "" : () -> ()
    %24 = llvm.add %23, %8 : i32
    %25 = llvm.mlir.addressof @str : !llvm.ptr
    %26 = llvm.mlir.zero : !llvm.ptr
    %27 = llvm.call @vprintf(%25, %26) : (!llvm.ptr, !llvm.ptr) -> i32
    llvm.return %24 : i32
  }
  llvm.func @stop() attributes {passthrough = ["noreturn", ["k", "v"]]} {
    llvm.intr.trap
    llvm.unreachable
  }
}
