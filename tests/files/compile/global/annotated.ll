; Textures, surfaces, samplers, managed memory; the directives of a kernel.
; test: compile --arch sm_90
; check: .target sm_90, texmode_independent
; check: .global .b32 fromasm;
; check: .visible .global .texref tex;
; check: .visible .global .surfref surf;
; check: .visible .global .samplerref s4 = {addr_mode_0 = mirror, addr_mode_1 = mirror, addr_mode_2 = mirror, filter_mode = nearest, force_unnormalized_coords = 1};
; check: .visible .global .samplerref s20 = {*, filter_mode = linear};
; check: .visible .global .attribute(.managed) .align 4 .b32 m = 7;
; check: .visible .global .attribute(.managed) .align 4 .b8 m2[16];
; check: .blocksareclusters
; check: .reqntid 128, 2
; check: .minnctapersm 2
; check: .reqnctapercluster 2, 1, 1
; check: .maxnreg 32
; check: alloca.u64 *, *, 32;
; check: .pragma "nounroll";
target triple = "nvptx64-nvidia-cuda"
@tex = addrspace(1) global i64 0
@surf = addrspace(1) global i64 0
@s0 = addrspace(1) global i32 0
@s1 = addrspace(1) global i32 1
@s2 = addrspace(1) global i32 2
@s3 = addrspace(1) global i32 3
@s4 = addrspace(1) global i32 4
@s20 = addrspace(1) global i32 24
@sx = addrspace(1) global i32 undef
@m = addrspace(1) global i32 7
@m2 = global [4 x i32] zeroinitializer
!nvvm.annotations = !{!0,!1,!2,!3,!4,!5,!6,!7,!8,!9,!10}
!0 = !{ptr addrspace(1) @tex, !"texture", i32 1}
!1 = !{ptr addrspace(1) @surf, !"surface", i32 1}
!2 = !{ptr addrspace(1) @s0, !"sampler", i32 1}
!3 = !{ptr addrspace(1) @s1, !"sampler", i32 1}
!4 = !{ptr addrspace(1) @s2, !"sampler", i32 1}
!5 = !{ptr addrspace(1) @s3, !"sampler", i32 1}
!6 = !{ptr addrspace(1) @s4, !"sampler", i32 1}
!7 = !{ptr addrspace(1) @s20, !"sampler", i32 1}
!8 = !{ptr addrspace(1) @sx, !"sampler", i32 1}
!9 = !{ptr addrspace(1) @m, !"managed", i32 1}
!10 = !{ptr @m2, !"managed", i32 1}
define ptx_kernel void @k(i32 %n) "nvvm.maxntid"="128" "nvvm.reqntid"="128,2" "nvvm.cluster_dim"="2,1,1" "nvvm.minctasm"="2" "nvvm.maxnreg"="32" "nvvm.maxclusterrank"="8" "nvvm.blocksareclusters" {
  %p = alloca i32, i32 %n, align 32
  call void @g(ptr %p)
  br label %l
l:
  %i = phi i32 [0, %0], [%j, %l]
  %q = alloca [3 x i32]
  call void @g(ptr %q)
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %l, label %e, !llvm.loop !20
e:
  %z = alloca i32
  call void @g(ptr %z)
  ret void
}
!20 = distinct !{!20, !21}
!21 = !{!"llvm.loop.unroll.disable"}
declare void @g(ptr)
module asm ".global .b32 fromasm;"
