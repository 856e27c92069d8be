source_filename = "a\22b\\c.ll"
target datalayout = "e-p:64:64-i64:64-i128:128-n32:64-A5-P0"
module asm "foo"
module asm "bar \22x\22"
$cd = comdat any
$"c d" = comdat largest
$g3 = comdat exactmatch
%0 = type { i32 }
%1 = type opaque
%T = type <{ i8, %0, ptr addrspace(3) }>
%"a b" = type { %T, [3 x <4 x float>], { i1, i128 }, <{ i5 }> }
%rec = type { ptr, %rec2 }
%rec2 = type { i64, x86_fp80, fp128, ppc_fp128, half, bfloat }
@0 = global i32 5
@"q\01x" = private unnamed_addr constant [5 x i8] c"a\22\5C\00\FF", section "sec", comdat($"c d"), align 16
@g1 = internal thread_local(initialexec) addrspace(1) externally_initialized global i64 -7, align 8
@g2 = external dso_local local_unnamed_addr global i32
@g3 = weak_odr hidden global ptr @f1, comdat
@g4 = available_externally dllimport global i32 4
@g5 = extern_weak protected global i8
@g6 = common global [4 x i32] zeroinitializer
@g7 = appending global [1 x ptr] [ptr @g2], section "llvm.metadata"
@g8 = global %"a b" { %T <{ i8 1, %0 { i32 3 }, ptr addrspace(3) null }>, [3 x <4 x float>] [<4 x float> <float 1.0, float 2.0, float 0x3FB99999A0000000, float 0x7FF8000000000000>, <4 x float> splat (float 3.5), <4 x float> zeroinitializer], { i1, i128 } { i1 true, i128 -170141183460469231731687303715884105728 }, <{ i5 }> <{ i5 -3 }> }
@g9 = global %rec2 { i64 -1, x86_fp80 0xK4000C8F5C28F5C28F800, fp128 0xL00000000000000004000000000000000, ppc_fp128 0xM40000000000000000000000000000000, half 0xH3C00, bfloat 0xR3F80 }
@g10 = global ptr getelementptr inbounds nuw (i8, ptr @g6, i64 8)
@g11 = global i64 sub (i64 ptrtoint (ptr @g6 to i64), i64 ptrtoint (ptr @g2 to i64))
@g12 = global ptr addrspace(1) addrspacecast (ptr @g2 to ptr addrspace(1))
@g13 = global ptr blockaddress(@f1, %bb)
@g14 = global ptr dso_local_equivalent @f1
@g15 = global ptr no_cfi @f1
@g16 = global ptr getelementptr inrange(-8, 16) ({ [3 x ptr] }, ptr @g17, i32 0, i32 0, i32 1)
@g17 = global { [3 x ptr] } zeroinitializer, no_sanitize_address, no_sanitize_hwaddress, sanitize_memtag, sanitize_address_dyninit
@g18 = global i32 0, code_model "large", !foo !0
@g19 = global i32 trunc (i64 ptrtoint (ptr @g2 to i64) to i32), partition "p"
@g20 = global <2 x ptr> <ptr @g2, ptr null>
@g21 = global double 1.0e10 "attr"="x" "y"
@g22 = global i72 2361183241434822606847
@g23 = global float undef
@g24 = global [2 x i16] [i16 1, i16 2], !absolute_symbol !1
@g25 = global target("spirv.Image", void, 1, 0) undef
@g26 = global double 0x400921FB54442D18
@g27 = global i8 u0xFF
@g28 = global ptr ptrauth (ptr @f1, i32 0, i64 12, ptr @g28)
@a1 = alias i32, ptr @0
@a2 = weak hidden unnamed_addr alias i8, getelementptr inbounds (i8, ptr @g6, i64 4)
@a3 = alias void (), ptr @f1, partition "q"
@i1 = ifunc void (), ptr @resolver
define ptr @resolver() { ret ptr @f1 }
declare void @d1(i32 zeroext, ptr nocapture readonly align 8 dereferenceable(16), ptr byval(%0) align 4, ptr sret(%T), ...) #0
declare noalias nonnull ptr @d2(i64 range(i64 0, 10), float nofpclass(nan inf), ptr captures(ret: address, provenance)) allocsize(0) allockind("alloc,zeroed") memory(argmem: readwrite, inaccessiblemem: write) vscale_range(1,16) uwtable(sync)
declare void @d3() alignstack(16) convergent nounwind "a"="b" "c"
declare void @d4(ptr initializes((0, 4), (8, 12)), ptr dead_on_unwind writable, ptr elementtype(i32)) 
define void @f1() section "txt" align 32 gc "shadow-stack" prefix i32 1 prologue i8 2 personality ptr @pers !foo !0 {
  br label %bb
bb:
  ret void
}
declare i32 @pers(...)
define linkonce_odr dso_local fastcc signext i32 @f2(i32 %0, i32 returned %"x y", ptr %p) unnamed_addr #1 comdat($cd) {
  %2 = add nuw nsw i32 %0, %"x y"
  %3 = or disjoint i32 %2, 1
  %4 = udiv exact i32 %3, 3
  %5 = zext nneg i32 %4 to i64
  %6 = trunc nuw nsw i64 %5 to i8
  %7 = icmp samesign ult i32 %2, %3
  %8 = fadd fast float 1.0, 2.0
  %9 = fmul nnan ninf nsz arcp contract afn reassoc float %8, 3.0
  %10 = fcmp nnan olt float %8, %9
  %11 = fneg nsz float %9
  %12 = select fast i1 %10, float %11, float %9
  %13 = frem float %12, %8
  %14 = getelementptr inbounds nuw [4 x i32], ptr %p, i64 0, i64 %5
  %15 = getelementptr nusw i8, ptr %p, <2 x i64> <i64 1, i64 2>
  %16 = load volatile i32, ptr %14, align 4, !range !2, !foo !0
  %17 = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  store atomic volatile i32 %17, ptr %p release, align 4
  %18 = cmpxchg weak volatile ptr %p, i32 0, i32 1 syncscope("block") acq_rel monotonic, align 8
  %19 = atomicrmw volatile uinc_wrap ptr %p, i32 5 syncscope("one") seq_cst
  %20 = atomicrmw fmaximum ptr %p, float 1.0 monotonic, align 4
  fence syncscope("singlethread") release
  %21 = alloca inalloca %T, align 8
  %22 = alloca i32, i64 %5, align 4, addrspace(5)
  %23 = extractvalue { i32, i1 } %18, 1
  %24 = insertvalue { i32, { i8, [2 x i32] } } poison, i32 %2, 1, 1, 0
  %25 = extractelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %0
  %26 = insertelement <4 x i32> undef, i32 %25, i64 1
  %27 = shufflevector <4 x i32> %26, <4 x i32> poison, <2 x i32> <i32 0, i32 poison>
  %28 = shufflevector <4 x i32> %26, <4 x i32> %26, <4 x i32> zeroinitializer
  %29 = freeze <2 x i32> %27
  %30 = addrspacecast ptr %p to ptr addrspace(1)
  %31 = bitcast double 1.0 to i64
  %32 = inttoptr i64 %31 to ptr
  %33 = ptrtoint ptr %32 to i64
  %34 = uitofp nneg i32 %2 to float
  %35 = fptrunc contract double 1.5 to float
  %36 = call fast float @llvm.fabs.f32(float %35) #2
  %37 = tail call fastcc i32 @f2(i32 1, i32 2, ptr nonnull align 8 %p), !foo !{}
  call void (i32, ptr, ptr, ptr, ...) @d1(i32 zeroext 1, ptr %p, ptr byval(%0) %p, ptr sret(%T) %p, i64 3) [ "b"(i32 1, ptr %p), "e"() ]
  %38 = call i32 asm sideeffect alignstack inteldialect unwind "a\0A$0", "=r,r,~{memory}"(i32 %2) nounwind
  %39 = notail call ptr @d2(i64 1, float 2.0, ptr null)
  %40 = ptrtoaddr ptr %p to i64
  %va = va_arg ptr %p, i32
  indirectbr ptr %p, [label %a, label %b]
a:
  switch i32 %2, label %b [ i32 1, label %a
     i32 -2, label %c ]
b:
  %ph = phi fast float [ %8, %1 ], [ %13, %a ], [ 0.0, %c ]
  %fw = add i32 %later, 1
  br i1 %7, label %c, label %"d e"
c:
  %later = add i32 1, 2
  br label %b
"d e":
  unreachable
}
declare float @llvm.fabs.f32(float)
define i32 @f3() personality ptr @pers {
  %1 = invoke i32 @f2(i32 1, i32 2, ptr null) nounwind [ "x"(i32 3) ] to label %ok unwind label %lp
ok:
  ret i32 %1
lp:
  %l = landingpad { ptr, i32 }
    cleanup
    catch ptr null
    filter [1 x ptr] [ptr @0]
  resume { ptr, i32 } %l
}
define void @f4() personality ptr @pers {
entry:
  invoke void @f1() to label %ok unwind label %cs
cs:
  %s = catchswitch within none [label %h] unwind label %cl
h:
  %c = catchpad within %s [ptr null, i32 64]
  catchret from %c to label %ok
cl:
  %p = cleanuppad within none []
  cleanupret from %p unwind to caller
ok:
  ret void
}
define void @f5(i32 %x, ...) {
  callbr void asm "", "r,!i"(i32 %x) to label %n [label %o]
n:
  musttail call void (i32, ...) @f5(i32 %x, ...)
  ret void
o:
  ret void
}
define x86_intrcc void @f6(ptr byval(i32) %p) { ret void }
define cc 1000 <vscale x 4 x i32> @f7(<vscale x 4 x i32> %x) { ret <vscale x 4 x i32> %x }
define ptx_kernel void @k(ptr addrspace(1) noundef %p) local_unnamed_addr #3 { 
  call void @llvm.assume(i1 true) [ "align"(ptr addrspace(1) %p, i64 8) ]
  ret void
}
declare void @llvm.assume(i1)
attributes #0 = { nounwind alignstack=8 "k"="v" }
attributes #1 = { cold uwtable memory(read, argmem: readwrite) "no-trapping-math"="true" }
attributes #2 = { willreturn }
attributes #3 = { "nvvm.maxntid"="256" "nvvm.minctasm"="2" norecurse }
!named = !{!0, !1, !3}
!we\20ird = !{!0}
!0 = !{!"str\22", i32 5, ptr @g2, null, !1, !{}, float 1.0, !DIExpression(DW_OP_plus_uconst, 8)}
!1 = distinct !{!1}
!2 = !{i32 0, i32 10}
!3 = !{i64 18446744073709551615, <2 x i32> <i32 1, i32 2>}
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
