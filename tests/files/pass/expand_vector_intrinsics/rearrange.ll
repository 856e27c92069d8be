; test: pass expand_vector_intrinsics
define <4 x i8> @shuffles(<4 x i8> %v, <4 x i8> %w, <2 x i8> %x) {
  %a = call <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8> %v, <2 x i8> %x, i64 2)
  %b = call <2 x i8> @llvm.vector.extract.v2i8.v4i8(<4 x i8> %a, i64 2)
  %c = call <4 x i8> @llvm.vector.reverse.v4i8(<4 x i8> %a)
  %d = call <4 x i8> @llvm.vector.splice.left.v4i8(<4 x i8> %c, <4 x i8> %w, i32 1)
  %e = call <4 x i8> @llvm.vector.splice.right.v4i8(<4 x i8> %d, <4 x i8> %w, i32 1)
  %f = call <4 x i8> @llvm.vector.interleave2.v4i8(<2 x i8> %b, <2 x i8> %x)
  %g = call { <2 x i8>, <2 x i8> } @llvm.vector.deinterleave2.v4i8(<4 x i8> %e)
  %h = extractvalue { <2 x i8>, <2 x i8> } %g, 0
  %i = call <6 x i8> @llvm.vector.interleave3.v6i8(<2 x i8> %h, <2 x i8> %x, <2 x i8> %b)
  %j = call <4 x i8> @llvm.vector.extract.v4i8.v6i8(<6 x i8> %i, i64 0)
  %k = add <4 x i8> %j, %f
  ret <4 x i8> %k
}

define <4 x i32> @steps() {
  %a = call <4 x i32> @llvm.stepvector.v4i32()
  ret <4 x i32> %a
}

define <2 x i1> @lanes(i32 %base, i32 %n) {
  %a = call <2 x i1> @llvm.get.active.lane.mask.v2i1.i32(i32 %base, i32 %n)
  ret <2 x i1> %a
}

define i32 @zeros(<2 x i1> %m) {
  %a = call i32 @llvm.experimental.cttz.elts.i32.v2i1(<2 x i1> %m, i1 false)
  ret i32 %a
}

declare <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8>, <2 x i8>, i64)
declare <2 x i8> @llvm.vector.extract.v2i8.v4i8(<4 x i8>, i64)
declare <4 x i8> @llvm.vector.extract.v4i8.v6i8(<6 x i8>, i64)
declare <4 x i8> @llvm.vector.reverse.v4i8(<4 x i8>)
declare <4 x i8> @llvm.vector.splice.left.v4i8(<4 x i8>, <4 x i8>, i32)
declare <4 x i8> @llvm.vector.splice.right.v4i8(<4 x i8>, <4 x i8>, i32)
declare <4 x i8> @llvm.vector.interleave2.v4i8(<2 x i8>, <2 x i8>)
declare <6 x i8> @llvm.vector.interleave3.v6i8(<2 x i8>, <2 x i8>, <2 x i8>)
declare { <2 x i8>, <2 x i8> } @llvm.vector.deinterleave2.v4i8(<4 x i8>)
declare <4 x i32> @llvm.stepvector.v4i32()
declare <2 x i1> @llvm.get.active.lane.mask.v2i1.i32(i32, i32)
declare i32 @llvm.experimental.cttz.elts.i32.v2i1(<2 x i1>, i1)

; expect ll:
; define <4 x i8> @shuffles(<4 x i8> %v, <4 x i8> %w, <2 x i8> %x) {
;   %1 = shufflevector <2 x i8> %x, <2 x i8> %x, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
;   %2 = shufflevector <4 x i8> %v, <4 x i8> %1, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
;   %3 = shufflevector <4 x i8> %2, <4 x i8> %2, <2 x i32> <i32 2, i32 3>
;   %4 = shufflevector <4 x i8> %2, <4 x i8> %2, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
;   %5 = shufflevector <4 x i8> %4, <4 x i8> %w, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
;   %6 = shufflevector <4 x i8> %5, <4 x i8> %w, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
;   %7 = shufflevector <2 x i8> %3, <2 x i8> %x, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
;   %8 = shufflevector <4 x i8> %6, <4 x i8> %6, <2 x i32> <i32 0, i32 2>
;   %9 = insertvalue { <2 x i8>, <2 x i8> } poison, <2 x i8> %8, 0
;   %10 = shufflevector <4 x i8> %6, <4 x i8> %6, <2 x i32> <i32 1, i32 3>
;   %11 = insertvalue { <2 x i8>, <2 x i8> } %9, <2 x i8> %10, 1
;   %h = extractvalue { <2 x i8>, <2 x i8> } %11, 0
;   %12 = extractelement <2 x i8> %h, i64 0
;   %13 = extractelement <2 x i8> %h, i64 1
;   %14 = extractelement <2 x i8> %x, i64 0
;   %15 = extractelement <2 x i8> %x, i64 1
;   %16 = extractelement <2 x i8> %3, i64 0
;   %17 = extractelement <2 x i8> %3, i64 1
;   %18 = insertelement <6 x i8> poison, i8 %12, i64 0
;   %19 = insertelement <6 x i8> %18, i8 %14, i64 1
;   %20 = insertelement <6 x i8> %19, i8 %16, i64 2
;   %21 = insertelement <6 x i8> %20, i8 %13, i64 3
;   %22 = insertelement <6 x i8> %21, i8 %15, i64 4
;   %23 = insertelement <6 x i8> %22, i8 %17, i64 5
;   %24 = shufflevector <6 x i8> %23, <6 x i8> %23, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
;   %k = add <4 x i8> %24, %7
;   ret <4 x i8> %k
; }
;
; define <4 x i32> @steps() {
;   ret <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; }
;
; define <2 x i1> @lanes(i32 %base, i32 %n) {
;   %1 = icmp ult i32 %base, %n
;   %2 = call i32 @llvm.uadd.sat.i32(i32 %base, i32 1)
;   %3 = icmp ult i32 %2, %n
;   %4 = insertelement <2 x i1> poison, i1 %1, i64 0
;   %5 = insertelement <2 x i1> %4, i1 %3, i64 1
;   ret <2 x i1> %5
; }
;
; define i32 @zeros(<2 x i1> %m) {
;   %1 = extractelement <2 x i1> %m, i64 0
;   %2 = extractelement <2 x i1> %m, i64 1
;   %3 = icmp ne i1 %2, false
;   %4 = select i1 %3, i32 1, i32 2
;   %5 = icmp ne i1 %1, false
;   %6 = select i1 %5, i32 0, i32 %4
;   ret i32 %6
; }
;
; declare <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8>, <2 x i8>, i64)
;
; declare <2 x i8> @llvm.vector.extract.v2i8.v4i8(<4 x i8>, i64)
;
; declare <4 x i8> @llvm.vector.extract.v4i8.v6i8(<6 x i8>, i64)
;
; declare <4 x i8> @llvm.vector.reverse.v4i8(<4 x i8>)
;
; declare <4 x i8> @llvm.vector.splice.left.v4i8(<4 x i8>, <4 x i8>, i32)
;
; declare <4 x i8> @llvm.vector.splice.right.v4i8(<4 x i8>, <4 x i8>, i32)
;
; declare <4 x i8> @llvm.vector.interleave2.v4i8(<2 x i8>, <2 x i8>)
;
; declare <6 x i8> @llvm.vector.interleave3.v6i8(<2 x i8>, <2 x i8>, <2 x i8>)
;
; declare { <2 x i8>, <2 x i8> } @llvm.vector.deinterleave2.v4i8(<4 x i8>)
;
; declare <4 x i32> @llvm.stepvector.v4i32()
;
; declare <2 x i1> @llvm.get.active.lane.mask.v2i1.i32(i32, i32)
;
; declare i32 @llvm.experimental.cttz.elts.i32.v2i1(<2 x i1>, i1)
;
; declare i32 @llvm.uadd.sat.i32(i32, i32)
