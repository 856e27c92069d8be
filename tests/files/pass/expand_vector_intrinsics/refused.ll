; test: pass expand_vector_intrinsics
define <4 x i32> @f(<4 x i32> %v, <4 x i1> %m, i32 %n, ptr %p) {
  %a = call <4 x i32> @llvm.vp.add.v4i32(<4 x i32> %v, <4 x i32> %v, <4 x i1> %m, i32 %n) ; error: `llvm.vp.add.v4i32` is not compiled
  %b = call <4 x i32> @llvm.experimental.vector.compress.v4i32(<4 x i32> %a, <4 x i1> %m, <4 x i32> %v) ; error: `llvm.experimental.vector.compress.v4i32` is not compiled
  %c = call <4 x i1> @llvm.masked.load.v4i1.p0(ptr align 1 %p, <4 x i1> %m, <4 x i1> %m) ; error: `llvm.masked.load.v4i1.p0` is not compiled
  %d = select <4 x i1> %c, <4 x i32> %a, <4 x i32> %b
  ret <4 x i32> %d
}

define void @g(ptr %p) {
  %a = load <vscale x 4 x i32>, ptr %p ; error: a GPU has no vectors of a length known only at run time
  store <vscale x 4 x i32> %a, ptr %p ; error: a GPU has no vectors of a length known only at run time
  ret void
}

declare <4 x i32> @llvm.vp.add.v4i32(<4 x i32>, <4 x i32>, <4 x i1>, i32)
declare <4 x i32> @llvm.experimental.vector.compress.v4i32(<4 x i32>, <4 x i1>, <4 x i32>)
declare <4 x i1> @llvm.masked.load.v4i1.p0(ptr, <4 x i1>, <4 x i1>)
