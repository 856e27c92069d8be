; Lines of the source, also of functions that were inlined into others; nothing of it without `--lineinfo`.
; test: compile --arch sm_90 --lineinfo
; check: .visible .entry k(*
; check: .loc 1 8 0
; check: .loc 1 9 10
; check: .loc 1 5 10, function_name $L__info_string1, inlined_at 1 9 10
; check: .loc 1 3 68, function_name $L__info_string0, inlined_at 1 5 10
; check: mul.lo.s32 *
; check: .loc 1 6 15, function_name $L__info_string1, inlined_at 1 9 10
; check: add.s32 *, *, 1;
; check: .file 1 "/source/line2.cu"
; check: .section .debug_str
; check: $L__info_string0:
; check: .b8 115, 113, 0
; test: compile --arch sm_75 --lineinfo --ptx-version 7.1
; check: .loc 1 9 10
; check-not: inlined_at
; test: compile --arch sm_90
; check-not: .loc
; check-not: .file
source_filename = "line2.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: alwaysinline mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z2sqi(i32 noundef %0) local_unnamed_addr #0 !dbg !12 {
  %2 = mul nsw i32 %0, %0, !dbg !15
  ret i32 %2, !dbg !16
}

; Function Attrs: alwaysinline mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z5twicei(i32 noundef %0) local_unnamed_addr #0 !dbg !17 {
  %2 = mul nsw i32 %0, %0, !dbg !18
  %3 = add nsw i32 %0, 1, !dbg !20
  %4 = mul nsw i32 %3, %3, !dbg !21
  %5 = add nuw nsw i32 %4, %2, !dbg !23
  ret i32 %5, !dbg !24
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @k(ptr noundef captures(none) initializes((20, 24)) %0) local_unnamed_addr #1 !dbg !25 {
  %2 = load i32, ptr %0, align 4, !dbg !26, !tbaa !8
  %3 = mul nsw i32 %2, %2, !dbg !27
  %4 = add nsw i32 %2, 1, !dbg !30
  %5 = mul nsw i32 %4, %4, !dbg !31
  %6 = add nuw nsw i32 %5, %3, !dbg !33
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 20, !dbg !34
  store i32 %6, ptr %7, align 4, !dbg !35, !tbaa !8
  ret void, !dbg !36
}

attributes #0 = { alwaysinline mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "line2.cu", directory: "/source")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!6 = !{i32 7, !"frame-pointer", i32 2}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = distinct !DISubprogram(name: "sq", scope: !1, file: !1, line: 3, type: !13, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 3, column: 68, scope: !12)
!16 = !DILocation(line: 3, column: 59, scope: !12)
!17 = distinct !DISubprogram(name: "twice", scope: !1, file: !1, line: 4, type: !13, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!18 = !DILocation(line: 3, column: 68, scope: !12, inlinedAt: !19)
!19 = distinct !DILocation(line: 5, column: 10, scope: !17)
!20 = !DILocation(line: 6, column: 15, scope: !17)
!21 = !DILocation(line: 3, column: 68, scope: !12, inlinedAt: !22)
!22 = distinct !DILocation(line: 6, column: 10, scope: !17)
!23 = !DILocation(line: 5, column: 16, scope: !17)
!24 = !DILocation(line: 5, column: 3, scope: !17)
!25 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 8, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!26 = !DILocation(line: 9, column: 16, scope: !25)
!27 = !DILocation(line: 3, column: 68, scope: !12, inlinedAt: !28)
!28 = distinct !DILocation(line: 5, column: 10, scope: !17, inlinedAt: !29)
!29 = distinct !DILocation(line: 9, column: 10, scope: !25)
!30 = !DILocation(line: 6, column: 15, scope: !17, inlinedAt: !29)
!31 = !DILocation(line: 3, column: 68, scope: !12, inlinedAt: !32)
!32 = distinct !DILocation(line: 6, column: 10, scope: !17, inlinedAt: !29)
!33 = !DILocation(line: 5, column: 16, scope: !17, inlinedAt: !29)
!34 = !DILocation(line: 9, column: 3, scope: !25)
!35 = !DILocation(line: 9, column: 8, scope: !25)
!36 = !DILocation(line: 10, column: 1, scope: !25)
