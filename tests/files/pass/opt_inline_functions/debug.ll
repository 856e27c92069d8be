; test: pass opt_inline_functions
; Inlined code is at its own line, called from the line of the call; debug records of the callee come along.
define internal i32 @inner(i32 %x) !dbg !5 {
    #dbg_value(i32 %x, !8, !DIExpression(), !9)
  %y = mul i32 %x, %x, !dbg !9
  ret i32 %y, !dbg !10
}

define internal i32 @outer(i32 %x) !dbg !11 {
  %y = call i32 @inner(i32 %x), !dbg !12
  ret i32 %y, !dbg !12
}

define internal i32 @without(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}

define ptx_kernel void @k(ptr %p, i32 %a) !dbg !13 {
  %1 = call i32 @outer(i32 %a), !dbg !14
  %2 = call i32 @without(i32 %1), !dbg !15
  store i32 %2, ptr %p, !dbg !16
  ret void, !dbg !16
}

define ptx_kernel void @no_lines(ptr %p, i32 %a) {
  %1 = call i32 @outer(i32 %a)
  store i32 %1, ptr %p
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "inner", file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !6)
!6 = !{!8}
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !5, file: !1, line: 1, type: !7)
!9 = !DILocation(line: 2, column: 3, scope: !5)
!10 = !DILocation(line: 3, column: 3, scope: !5)
!11 = distinct !DISubprogram(name: "outer", file: !1, line: 5, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!12 = !DILocation(line: 6, column: 10, scope: !11)
!13 = distinct !DISubprogram(name: "k", file: !1, line: 8, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!14 = !DILocation(line: 9, column: 8, scope: !13)
!15 = !DILocation(line: 10, column: 8, scope: !13)
!16 = !DILocation(line: 11, column: 1, scope: !13)

; expect ll:
; define ptx_kernel void @k(ptr %p, i32 %a) !dbg !3 {
;     #dbg_value(i32 %a, !6, !DIExpression(), !10)
;   %1 = mul i32 %a, %a, !dbg !10
;   %2 = add i32 %1, 1, !dbg !14
;   store i32 %2, ptr %p, !dbg !15
;   ret void, !dbg !15
; }
;
; define ptx_kernel void @no_lines(ptr %p, i32 %a) {
;   %1 = mul i32 %a, %a
;   store i32 %1, ptr %p
;   ret void
; }
;
; !llvm.dbg.cu = !{!0}
; !llvm.module.flags = !{!2}
;
; !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
; !1 = !DIFile(filename: "k.cu", directory: "/")
; !2 = !{i32 2, !"Debug Info Version", i32 3}
; !3 = distinct !DISubprogram(name: "k", file: !1, line: 8, type: !4, spFlags: DISPFlagDefinition, unit: !0)
; !4 = !DISubroutineType(types: !5)
; !5 = !{null}
; !6 = !DILocalVariable(name: "x", arg: 1, scope: !7, file: !1, line: 1, type: !9)
; !7 = distinct !DISubprogram(name: "inner", file: !1, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !8)
; !8 = !{!6}
; !9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
; !10 = !DILocation(line: 2, column: 3, scope: !7, inlinedAt: !11)
; !11 = distinct !DILocation(line: 6, column: 10, scope: !12, inlinedAt: !13)
; !12 = distinct !DISubprogram(name: "outer", file: !1, line: 5, type: !4, spFlags: DISPFlagDefinition, unit: !0)
; !13 = distinct !DILocation(line: 9, column: 8, scope: !3)
; !14 = !DILocation(line: 10, column: 8, scope: !3)
; !15 = !DILocation(line: 11, column: 1, scope: !3)
