; Metadata other than debug information.
target triple = "nvptx64-nvidia-cuda"

@absolute = external global i8, !absolute_symbol !20

define void @kernel(ptr %p, i32 %n, float %f) !prof !4 {
entry:
  %a = load i32, ptr %p, align 4, !tbaa !5, !alias.scope !9, !noalias !9
  %c = icmp eq i32 %a, %n
  br i1 %c, label %one, label %two, !prof !12

one:
  store i32 %n, ptr %p, align 4, !tbaa !5, !llvm.access.group !13
  br label %two, !llvm.loop !14

two:
  %d = call i32 @other(i32 %a), !range !16, !callees !17
  switch i32 %d, label %end [
    i32 1, label %end
  ], !prof !18

end:
  %s = select i1 %c, i32 %a, i32 %d, !prof !12, !unpredictable !15
  %reg = call i32 @llvm.read_register.i32(metadata !19)
  ret void
}

declare i32 @other(i32)
declare i32 @llvm.read_register.i32(metadata)

!llvm.module.flags = !{!0, !1, !2}
!nvvm.annotations = !{!3}
!llvm.ident = !{!19}
!nvvmir.version = !{!21}
!llvm.commandline = !{!19}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 6, !"list", !15}
!3 = !{ptr @kernel, !"kernel", i32 1}
!4 = !{!"function_entry_count", i64 100}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!9 = !{!10}
!10 = distinct !{!10, !11, !"scope"}
!11 = distinct !{!11, !"domain"}
!12 = !{!"branch_weights", i32 1, i32 2000}
!13 = distinct !{}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
!16 = !{i32 0, i32 1024}
!17 = !{ptr @other}
!18 = !{!"branch_weights", i32 3, i32 4}
!19 = !{!"a compiler"}
!20 = !{i64 0, i64 256}
!21 = !{i32 2, i32 0, i32 3, i32 1}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{i32 1, !"wchar_size"}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{i32 9, !"wchar_size", i32 4}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{!"one", !"wchar_size", i32 4}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{i32 1, i32 3, i32 4}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{i32 1, !"wchar_size", !"four"}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{i32 7, !"wchar_size", !"four"}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{i32 3, !"wchar_size", i32 4}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{i32 3, !"wchar_size", !22}\n!22 = !{!"needed", i32 4}
;; module-flags || !0 = !{i32 1, !"wchar_size", i32 4} || !0 = !{i32 3, !"wchar_size", !22}\n!22 = !{!"nvvm-reflect-ftz", i32 0}
;; module-flags || !1 = !{i32 4, !"nvvm-reflect-ftz", i32 0} || !1 = !{i32 4, !"wchar_size", i32 0}
;; module-flags || !2 = !{i32 6, !"list", !15} || !2 = !{i32 6, !"list", i32 5}
;; module-flags || !2 = !{i32 6, !"list", !15} || !2 = !{i32 5, !"list", i32 5}
;; module-flags || !2 = !{i32 6, !"list", !15} || !2 = !{i32 8, !"list", i32 -5}
;; module-flags || !2 = !{i32 6, !"list", !15} || !2 = !{i32 1, !"Debug Info Version", i32 99}
;; module-flags || !llvm.module.flags = !{!0, !1, !2} || !llvm.module.flags = !{!0, !1, !2, !0}
;; module-flags || !2 = !{i32 6, !"list", !15} || !2 = !{i32 1, !"CG Profile", i32 5}
;; module-flags || !2 = !{i32 6, !"list", !15} || !2 = !{i32 2, !"SemanticInterposition", !"x"}
;; named-metadata || !llvm.ident = !{!19} || !llvm.ident = !{!15, !16}
;; named-metadata || !19 = !{!"a compiler"} || !19 = !{i32 5}
;; named-metadata || !19 = !{!"a compiler"} || !19 = !{!"a", !"b"}
;; named-metadata || !llvm.ident = !{!19} || !llvm.ident = !{!99}
;; named-metadata || !llvm.ident = !{!19} || !llvm.ident = !{i32 5}
;; named-metadata || !llvm.ident = !{!19} || !llvm.ident = distinct !{!19}
;; named-metadata || !llvm.ident = !{!19} || !llvm.dbg.cu = !{!19}
;; named-metadata || !llvm.ident = !{!19} || !llvm.dbg.other = !{!19}
;; named-metadata || !nvvm.annotations = !{!3} || !nvvm.annotations = !{!3, !3}
;; named-metadata || !3 = !{ptr @kernel, !"kernel", i32 1} || !3 = !{ptr @kernel, !"kernel"}
;; named-metadata || !3 = !{ptr @kernel, !"kernel", i32 1} || !3 = !{ptr @nowhere, !"kernel", i32 1}
;; named-metadata || !21 = !{i32 2, i32 0, i32 3, i32 1} || !21 = !{i32 9, i32 9}
;; named-metadata || !21 = !{i32 2, i32 0, i32 3, i32 1} || !21 = !{!"two"}
;; profile || !4 = !{!"function_entry_count", i64 100} || !4 = !{!"function_entry_count"}
;; profile || !4 = !{!"function_entry_count", i64 100} || !4 = !{!"other_count", i64 100}
;; profile || !4 = !{!"function_entry_count", i64 100} || !4 = !{i32 5, i64 100}
;; profile || !4 = !{!"function_entry_count", i64 100} || !4 = !{!"function_entry_count", i64 -1}
;; profile || !4 = !{!"function_entry_count", i64 100} || !4 = !{!"unknown", !"pass"}
;; profile || !12 = !{!"branch_weights", i32 1, i32 2000} || !12 = !{!"branch_weights", i32 1}
;; profile || !12 = !{!"branch_weights", i32 1, i32 2000} || !12 = !{!"branch_weights", i32 1, i32 2, i32 3}
;; profile || !12 = !{!"branch_weights", i32 1, i32 2000} || !12 = !{!"branch_weights", !"expected", i32 1, i32 2000}
;; profile || !12 = !{!"branch_weights", i32 1, i32 2000} || !12 = !{!"branch_weights", float 1.0, i32 2000}
;; profile || !12 = !{!"branch_weights", i32 1, i32 2000} || !12 = !{i32 1, i32 2000}
;; profile || !12 = !{!"branch_weights", i32 1, i32 2000} || !12 = !{!"branch_weights", !6, i32 2000}
;; profile || !18 = !{!"branch_weights", i32 3, i32 4} || !18 = !{!"branch_weights", i32 3, i32 4, i32 5}
;; profile || load i32, ptr %p, align 4, !tbaa !5 || load i32, ptr %p, align 4, !prof !12
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{!6, !6}
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{!6}
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{!6, !6, i64 8}
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{!6, !6, !"zero"}
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{!6, !6, i64 0, i64 2}
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{!6, !6, i64 0, i64 1}
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{!6, !6, i32 0}
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{!"int", !7, i64 0}
;; tbaa || !5 = !{!6, !6, i64 0} || !5 = !{}
;; tbaa || !6 = !{!"int", !7, i64 0} || !6 = !{!"int", !7, i64 0, !7, i64 4}
;; tbaa || !6 = !{!"int", !7, i64 0} || !6 = !{!"int", !6, i64 0}
;; tbaa || !6 = !{!"int", !7, i64 0} || !6 = !{!"int", !7}
;; tbaa || !7 = !{!"omnipotent char", !8, i64 0} || !7 = !{i32 5, !8, i64 0}
;; tbaa || %c = icmp eq i32 %a, %n || %c = icmp eq i32 %a, %n, !tbaa !5
;; alias-scopes || !9 = !{!10} || !9 = !{!15}
;; alias-scopes || !9 = !{!10} || !9 = !{i32 5}
;; alias-scopes || !9 = !{!10} || !9 = !{}
;; alias-scopes || !10 = distinct !{!10, !11, !"scope"} || !10 = distinct !{!10, !"scope"}
;; alias-scopes || !10 = distinct !{!10, !11, !"scope"} || !10 = distinct !{!10}
;; alias-scopes || !10 = distinct !{!10, !11, !"scope"} || !10 = distinct !{!10, !11, i32 5}
;; alias-scopes || !11 = distinct !{!11, !"domain"} || !11 = distinct !{!11, i32 5}
;; alias-scopes || !11 = distinct !{!11, !"domain"} || !11 = !{!"domain"}
;; alias-scopes || !11 = distinct !{!11, !"domain"} || !11 = distinct !{!"domain", !11, !11}
;; access-groups || !13 = distinct !{} || !13 = !{}
;; access-groups || !13 = distinct !{} || !13 = !{!15}
;; access-groups || !13 = distinct !{} || !13 = distinct !{i32 4}
;; access-groups || !13 = distinct !{} || !13 = !{!22, !22}\n!22 = distinct !{}
;; loops || !14 = distinct !{!14, !15} || !14 = !{!15}
;; loops || !14 = distinct !{!14, !15} || !14 = distinct !{!14, i32 5}
;; loops || store i32 %n, ptr %p, align 4 || store i32 %n, ptr %p, align 4, !llvm.loop !14
;; loops || !15 = !{!"llvm.loop.mustprogress"} || !15 = !{!"llvm.loop.estimated_trip_count", i32 -1}
;; loops || !15 = !{!"llvm.loop.mustprogress"} || !15 = !{!"llvm.loop.unroll.count", float 1.0}
;; callees || !17 = !{ptr @other} || !17 = !{i32 5}
;; callees || !17 = !{ptr @other} || !17 = !{}
;; callees || !16 = !{i32 0, i32 1024} || !16 = !{i64 0, i64 1024}
;; callees || !range !16, !callees !17 || !range !16, !nonnull !22\n!22 = !{}
;; absolute-symbols || !20 = !{i64 0, i64 256} || !20 = !{i64 0}
;; absolute-symbols || !20 = !{i64 0, i64 256} || !20 = !{i64 256, i64 256}
;; absolute-symbols || !20 = !{i64 0, i64 256} || !20 = !{i64 -1, i64 -1}
;; absolute-symbols || !20 = !{i64 0, i64 256} || !20 = !{i8 0, i8 2}
;; metadata-syntax || !19 = !{!"a compiler"} || !19 = !{!"a compiler"}\n!19 = !{!"again"}
;; metadata-syntax || !19 = !{!"a compiler"} || !19 = {!"a compiler"}
;; metadata-syntax || !19 = !{!"a compiler"} || !19 = !{!"a compiler", null, i32 1, ptr @kernel, !{!"x"}}
;; metadata-syntax || !19 = !{!"a compiler"} || !19 = !"a compiler"
;; metadata-syntax || !19 = !{!"a compiler"} || !19 = !{i32 %s}
;; metadata-syntax || !19 = !{!"a compiler"} || !19 = !NoSuchNode(a: 1)
;; metadata-syntax || !19 = !{!"a compiler"} || !19 = !{!"a compiler\7Ftext\00"}
;; attachments || %c = icmp eq i32 %a, %n || %c = icmp eq i32 %a, %n, !prof !12
;; attachments || %c = icmp eq i32 %a, %n || %c = icmp eq i32 %a, %n, !mine !12, !mine !15
;; attachments || %c = icmp eq i32 %a, %n || %c = icmp eq i32 %a, %n, !dbg !12
;; attachments || %c = icmp eq i32 %a, %n || %c = icmp eq i32 %a, %n, !99
;; attachments || !prof !4 { || !prof !4 !prof !4 {
;; attachments || !prof !4 { || !mine !4 !mine !5 {
;; attachments || !prof !4 { || !section_prefix !4 {
;; attachments || !prof !4 { || !kcfi_type !4 {
;; metadata-values || (metadata !19) || (metadata i32 %missing)
;; metadata-values || (metadata !19) || (metadata i32 %s)
;; metadata-values || (metadata !19) || (i32 %s)
;; metadata-values || (metadata !19) || (metadata !99)
;; metadata-values || (metadata !19) || (metadata !"name")
;; metadata-values || (metadata !19) || (metadata !{!"name"})
;; metadata-values || (metadata !19) || (metadata !{i32 5, !"x"})
;; metadata-values || (metadata !19) || (metadata !DIArgList(i32 %s, i32 3))
;; metadata-values || (metadata !19) || (metadata metadata !15)
;; metadata-values || (metadata !19) || (metadata !DIExpression())
;; metadata-values || (metadata !19) || (!19)
;; metadata-values || declare i32 @llvm.read_register.i32(metadata) || declare i32 @llvm.read_register.i32(metadata)\ndeclare void @kind(metadata)
;; metadata-values || %s = select i1 %c || %s = select i1 metadata !19
