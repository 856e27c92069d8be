; A function that was inlined, with a variable of its own in a block: one abstract entry, and a place for each copy.
; test: compile --arch sm_90 -g
; check: $L__func_begin0:
; check: .loc 1 8 3
; check: .loc 1 2 5, function_name $L__info_string0, inlined_at 1 8 3
; check: mul.lo.s32 *
; check: $L__tmp0_*:
; check: .loc 1 9 1
; check: $L__func_end0:
; check: .section .debug_info
; check: .b64 $L__func_begin0
; check: .b64 $L__func_end0
; check: .b64 $L__tmp0_*
; check: .b64 $L__tmp0_*
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !5 {
  %x = load i32, ptr addrspace(1) %p, !dbg !30
    #dbg_value(i32 %x, !20, !DIExpression(), !31)
  %y = mul i32 %x, %x, !dbg !31
    #dbg_value(i32 %y, !21, !DIExpression(), !31)
  store i32 %y, ptr addrspace(1) %p, !dbg !32
  ret void, !dbg !32
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !2, producer: "test", emissionKind: FullDebug)
!2 = !DIFile(filename: "a.cu", directory: "/source")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", scope: !2, file: !2, line: 7, type: !6, scopeLine: 7, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = distinct !DISubprogram(name: "sq", linkageName: "_Z2sqi", scope: !2, file: !2, line: 1, type: !6, scopeLine: 1, unit: !1, spFlags: DISPFlagDefinition)
!10 = distinct !DILexicalBlock(scope: !9, file: !2, line: 2, column: 1)
!20 = !DILocalVariable(name: "x", arg: 1, scope: !9, file: !2, line: 1, type: !8)
!21 = !DILocalVariable(name: "y", scope: !10, file: !2, line: 2, type: !8)
!30 = !DILocation(line: 8, column: 3, scope: !5)
!31 = !DILocation(line: 2, column: 5, scope: !10, inlinedAt: !30)
!32 = !DILocation(line: 9, column: 1, scope: !5)
