; Full debug information: variables in local memory, in a parameter, in registers that change, and in the memory of the module.
; Lines alone with `--lineinfo`, nothing without a flag.
; test: compile --arch sm_90 -O0 -g
; check: .target sm_90, debug
; check: .visible .entry k(*
; check: $L__func_begin0:
; check: $L__tmp0_*:
; check: .loc 1 3 5
; check: ret;
; check: $L__func_end0:
; check: .file 1 "/source/a.c"
; check: .section .debug_loc
; check: .b64 $L__tmp0_*
; check: .b64 $L__tmp0_*
; check: .b8 5, 0, 144, *
; check: .b64 0
; check: .b64 0
; check: .section .debug_abbrev
; check: .section .debug_info
; check: .b8 2, 0
; check: .b32 .debug_abbrev
; check: .b32 .debug_line
; check: .b64 $L__func_begin0
; check: .b64 $L__func_end0
; check: .b64 k_param_1
; check: .b64 __local_depot0
; check: .b32 .debug_loc
; check: .b64 shared_sum
; test: compile --arch sm_90 -O0 --lineinfo
; check: .target sm_90
; check: .loc 1 3 5
; check-not: .section
; check-not: $L__tmp
; check-not: $L__func
; test: compile --arch sm_90 -O0
; check-not: .loc 1
; check-not: .section
target triple = "nvptx64-nvidia-cuda"

@shared_sum = internal addrspace(3) global i32 undef, align 4, !dbg !40

define ptx_kernel void @k(ptr addrspace(1) %p, ptr byval({ i32, i32 }) %s, i32 %n) !dbg !5 {
  %x = alloca i32
    #dbg_declare(ptr %x, !20, !DIExpression(), !30)
    #dbg_declare(ptr %s, !21, !DIExpression(), !30)
  store volatile i32 %n, ptr %x, !dbg !30
  %a = load volatile i32, ptr %x, !dbg !31
    #dbg_value(i32 %a, !22, !DIExpression(), !31)
  %f = load i32, ptr %s, !dbg !31
  %b = add i32 %a, %f, !dbg !32
    #dbg_value(i32 %b, !22, !DIExpression(), !32)
  store i32 %b, ptr addrspace(3) @shared_sum, !dbg !32
  store i32 %b, ptr addrspace(1) %p, !dbg !32
  ret void, !dbg !33
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3, !4}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, producer: "test", emissionKind: FullDebug, globals: !42)
!2 = !DIFile(filename: "a.c", directory: "/source")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 2, !"Dwarf Version", i32 2}
!5 = distinct !DISubprogram(name: "k", scope: !2, file: !2, line: 1, type: !6, scopeLine: 1, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !2, line: 1, size: 64, elements: !10)
!10 = !{!11, !12}
!11 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !9, file: !2, line: 1, baseType: !8, size: 32)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "g", scope: !9, file: !2, line: 1, baseType: !8, size: 32, offset: 32)
!20 = !DILocalVariable(name: "x", scope: !5, file: !2, line: 2, type: !8)
!21 = !DILocalVariable(name: "s", arg: 2, scope: !5, file: !2, line: 1, type: !9)
!22 = !DILocalVariable(name: "v", scope: !5, file: !2, line: 3, type: !8)
!30 = !DILocation(line: 2, column: 5, scope: !5)
!31 = !DILocation(line: 3, column: 5, scope: !5)
!32 = !DILocation(line: 4, column: 5, scope: !5)
!33 = !DILocation(line: 5, column: 1, scope: !5)
!40 = !DIGlobalVariableExpression(var: !41, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!41 = distinct !DIGlobalVariable(name: "sum", scope: !5, file: !2, line: 2, type: !8, isLocal: true, isDefinition: true)
!42 = !{!40}
