; Debug information.
target triple = "nvptx64-nvidia-cuda"

@global = global i32 5, align 4, !dbg !0

define i32 @function(i32 %a, ptr %p) !dbg !10 {
entry:
  %slot = alloca i32, align 4
    #dbg_value(i32 %a, !14, !DIExpression(), !17)
    #dbg_declare(ptr %slot, !15, !DIExpression(), !18)
  %b = add i32 %a, 1, !dbg !18
    #dbg_value(!DIArgList(i32 %a, i32 %b), !14, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !18)
    #dbg_label(!20, !18)
  %c = call i32 @callee(i32 %b), !dbg !19
  ret i32 %c, !dbg !18
}

define internal i32 @callee(i32 %x) !dbg !22 {
  ret i32 %x, !dbg !23
}

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!7, !8}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "global", scope: !2, file: !3, line: 1, type: !6, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !5, nameTableKind: None)
!3 = !DIFile(filename: "a.cu", directory: "/src", checksumkind: CSK_MD5, checksum: "0123456789abcdef0123456789abcdef")
!4 = !{}
!5 = !{!0}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = !{i32 7, !"Dwarf Version", i32 4}
!9 = !DISubroutineType(types: !12)
!10 = distinct !DISubprogram(name: "function", scope: !3, file: !3, line: 3, type: !9, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !13)
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!12 = !{!6, !6, !11}
!13 = !{!14, !15}
!14 = !DILocalVariable(name: "a", arg: 1, scope: !10, file: !3, line: 3, type: !6)
!15 = !DILocalVariable(name: "slot", scope: !16, file: !3, line: 4, type: !6)
!16 = distinct !DILexicalBlock(scope: !10, file: !3, line: 4, column: 3)
!17 = !DILocation(line: 0, scope: !10)
!18 = !DILocation(line: 5, column: 7, scope: !16)
!19 = !DILocation(line: 6, column: 9, scope: !10)
!20 = !DILabel(scope: !10, name: "again", file: !3, line: 7)
!21 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !3, line: 9, size: 64, elements: !24, identifier: "S")
!22 = distinct !DISubprogram(name: "callee", scope: !3, file: !3, line: 8, type: !9, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2)
!23 = !DILocation(line: 8, scope: !22)
!24 = !{!25, !26}
!25 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !21, file: !3, baseType: !6, size: 32)
!26 = !DISubrange(count: 4, lowerBound: 0)
!27 = !DIEnumerator(name: "E", value: 3, isUnsigned: true)
!28 = !DITemplateTypeParameter(name: "T", type: !6)
!29 = !DIImportedEntity(tag: DW_TAG_imported_declaration, scope: !2, entity: !21, file: !3, line: 1)
!30 = !DINamespace(name: "n", scope: null)
!31 = !DIMacro(type: DW_MACINFO_define, line: 1, name: "M", value: "1")
!keep = !{!21, !27, !28, !29, !30, !31}
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: 5, column: 7)
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: 5, column: 7, scope: !6)
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: 5, column: 7, scope: !22)
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: 5, column: 70000, scope: !16)
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: 5, column: 7, scope: !16, inlinedAt: !6)
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: 5, column: 7, scope: !16, isImplicitCode: true)
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: -5, column: 7, scope: !16)
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: 5, line: 6, scope: !16)
;; location || !18 = !DILocation(line: 5, column: 7, scope: !16) || !18 = !DILocation(line: 5, column: 7, scope: !16, unknown: 1)
;; location || %b = add i32 %a, 1, !dbg !18 || %b = add i32 %a, 1, !dbg !6
;; location || %b = add i32 %a, 1, !dbg !18 || %b = add i32 %a, 1, !dbg !23
;; location || call i32 @callee(i32 %b), !dbg !19 || call i32 @callee(i32 %b)
;; subprogram || i32 @function(i32 %a, ptr %p) !dbg !10 || i32 @function(i32 %a, ptr %p) !dbg !22
;; subprogram || i32 @function(i32 %a, ptr %p) !dbg !10 || i32 @function(i32 %a, ptr %p) !dbg !6
;; subprogram || i32 @function(i32 %a, ptr %p) !dbg !10 || i32 @function(i32 %a, ptr %p) !dbg !10 !dbg !22
;; subprogram || i32 @function(i32 %a, ptr %p) !dbg !10 || i32 @function(i32 %a, ptr %p)
;; subprogram || spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2 || spFlags: DISPFlagDefinition | DISPFlagOptimized
;; subprogram || spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2 || spFlags: DISPFlagOptimized, unit: !2
;; subprogram || !10 = distinct !DISubprogram || !10 = !DISubprogram
;; subprogram || line: 3, type: !9, scopeLine || line: 3, type: !6, scopeLine
;; subprogram || line: 3, type: !9, scopeLine || line: 3, type: !26, scopeLine
;; subprogram || retainedNodes: !13 || retainedNodes: !6
;; subprogram || retainedNodes: !13 || retainedNodes: !24
;; subprogram || flags: DIFlagPrototyped, || flags: DIFlagPrototyped | DIFlagLValueReference | DIFlagRValueReference,
;; subprogram || flags: DIFlagPrototyped, || flags: DIFlagNoSuch,
;; subprogram || flags: DIFlagPrototyped, || declaration: !22, 
;; subprogram || flags: DIFlagPrototyped, || templateParams: !24, 
;; subprogram || flags: DIFlagPrototyped, || thrownTypes: !24, 
;; subprogram || flags: DIFlagPrototyped, || containingType: !4, 
;; compile-unit || !2 = distinct !DICompileUnit || !2 = !DICompileUnit
;; compile-unit || file: !3, producer: "x" || producer: "x"
;; compile-unit || file: !3, producer: "x" || file: !6, producer: "x"
;; compile-unit || enums: !4 || enums: !24
;; compile-unit || globals: !5 || globals: !12
;; compile-unit || globals: !5 || retainedTypes: !24
;; compile-unit || globals: !5 || imports: !24
;; compile-unit || globals: !5 || macros: !24
;; compile-unit || emissionKind: FullDebug || emissionKind: Whatever
;; compile-unit || nameTableKind: None || nameTableKind: 9
;; compile-unit || !llvm.dbg.cu = !{!2} || !llvm.dbg.cu = !{!6}
;; compile-unit || !llvm.dbg.cu = !{!2} || !llvm.dbg.cu = !{!2, !2}
;; compile-unit || !llvm.dbg.cu = !{!2} || !other = !{!2}
;; compile-unit || DW_LANG_C_plus_plus_14 || DW_LANG_Nothing
;; file || !3 = !DIFile(filename: "a.cu", directory: "/src" || !3 = !DIFile(filename: "a.cu"
;; file || checksum: "0123456789abcdef0123456789abcdef" || checksum: "0123"
;; file || checksum: "0123456789abcdef0123456789abcdef" || checksum: "zz23456789abcdef0123456789abcdef"
;; file || checksumkind: CSK_MD5, || checksumkind: CSK_SHA1,
;; file || checksumkind: CSK_MD5, || checksumkind: CSK_None,
;; file || checksumkind: CSK_MD5, ||
;; types || !6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed) || !6 = !DIBasicType(tag: DW_TAG_class_type, name: "int")
;; types || !6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed) || !6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_nothing)
;; types || !6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed) || !6 = !DIBasicType(tag: DW_TAG_unspecified_type, name: "decltype(nullptr)")
;; types || tag: DW_TAG_pointer_type, baseType: !6 || tag: DW_TAG_base_type, baseType: !6
;; types || tag: DW_TAG_pointer_type, baseType: !6 || tag: DW_TAG_pointer_type, baseType: !3
;; types || tag: DW_TAG_pointer_type, baseType: !6 || tag: DW_TAG_pointer_type, baseType: !4
;; types || tag: DW_TAG_pointer_type, baseType: !6 || tag: DW_TAG_member, scope: !3, baseType: !6
;; types || tag: DW_TAG_pointer_type, baseType: !6 || tag: DW_TAG_set_type, baseType: !21
;; types || tag: DW_TAG_pointer_type, baseType: !6, size: 64 || tag: DW_TAG_pointer_type, baseType: !6, size: 64, dwarfAddressSpace: 3
;; types || tag: DW_TAG_pointer_type, baseType: !6, size: 64 || tag: DW_TAG_typedef, baseType: !6, dwarfAddressSpace: 3
;; types || !12 = !{!6, !6, !11} || !12 = !{!6, !3, !11}
;; types || !12 = !{!6, !6, !11} || !12 = !{null, !6, null}
;; types || !9 = !DISubroutineType(types: !12) || !9 = !DISubroutineType(types: !6)
;; types || !9 = !DISubroutineType(types: !12) || !9 = !DISubroutineType()
;; types || !9 = !DISubroutineType(types: !12) || !9 = !DISubroutineType(types: !12, flags: DIFlagLValueReference | DIFlagRValueReference)
;; composite || tag: DW_TAG_structure_type, name: "S" || tag: DW_TAG_pointer_type, name: "S"
;; composite || elements: !24, identifier || elements: !6, identifier
;; composite || elements: !24, identifier: "S" || elements: !24, vtableHolder: !3, identifier: "S"
;; composite || elements: !24, identifier: "S" || elements: !24, identifier: ""
;; composite || elements: !24, identifier: "S" || baseType: !3, elements: !24
;; composite || elements: !24, identifier: "S" || templateParams: !24, elements: !24
;; composite || elements: !24, identifier: "S" || elements: !24, dataLocation: !6
;; composite || elements: !24, identifier: "S" || elements: !24, discriminator: !6
;; composite || tag: DW_TAG_structure_type, name: "S", || tag: DW_TAG_array_type, flags: DIFlagVector, name: "S",
;; composite || scope: !21, file: !3, baseType: !6 || scope: !4, file: !3, baseType: !6
;; subrange || !DISubrange(count: 4, lowerBound: 0) || !DISubrange(lowerBound: 0)
;; subrange || !DISubrange(count: 4, lowerBound: 0) || !DISubrange(count: -7)
;; subrange || !DISubrange(count: 4, lowerBound: 0) || !DISubrange(count: 4, upperBound: 9)
;; subrange || !DISubrange(count: 4, lowerBound: 0) || !DISubrange(count: !6)
;; subrange || !DISubrange(count: 4, lowerBound: 0) || !DISubrange(count: !14)
;; subrange || !DISubrange(count: 4, lowerBound: 0) || !DISubrange(count: !DIExpression())
;; variables || arg: 1, scope: !10 || arg: 70000, scope: !10
;; variables || arg: 1, scope: !10 || arg: 1, scope: !2
;; variables || arg: 1, scope: !10 || arg: 1, scope: !22
;; variables || arg: 1, scope: !10, file: !3, line: 3, type: !6 || arg: 1, scope: !10, file: !3, line: 3, type: !3
;; variables || arg: 1, scope: !10, file: !3, line: 3, type: !6 || arg: 1, scope: !10, file: !6, line: 3, type: !6
;; variables || arg: 1, scope: !10, || arg: 1,
;; variables || name: "slot", scope: !16 || name: "slot", arg: 1, scope: !10
;; variables || !1 = distinct !DIGlobalVariable(name: "global" || !1 = distinct !DIGlobalVariable(name: ""
;; variables || !1 = distinct !DIGlobalVariable(name: "global", scope: !2, file: !3, line: 1, type: !6 || !1 = distinct !DIGlobalVariable(name: "global", scope: !2, file: !3, line: 1
;; variables || isDefinition: true) || isDefinition: true, declaration: !6)
;; variables || !0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression()) || !0 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
;; variables || !0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression()) || !0 = !DIGlobalVariableExpression(expr: !DIExpression())
;; variables || !0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression()) || !0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_LLVM_fragment, 0, 64))
;; variables || @global = global i32 5, align 4, !dbg !0 || @global = global i32 5, align 4, !dbg !1
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_plus_uconst), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_plus_uconst, 4, DW_OP_stack_value), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_stack_value, DW_OP_deref), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_LLVM_fragment, 16, 32), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_LLVM_fragment, 0, 16, DW_OP_deref), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_nothing), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(12345), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_LLVM_entry_value, 1), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_swap, DW_OP_xderef), !17)
;; expressions || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_stack_value), !17)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !6, !DIExpression(), !17)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !6, !17)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(), !6)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression(), !23)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %a, !14, !DIExpression())
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(!4, !14, !DIExpression(), !17)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %b, !14, !DIExpression(), !17)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 %missing, !14, !DIExpression(), !17)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(poison, !14, !DIExpression(), !17)
;; records || #dbg_value(i32 %a, !14, !DIExpression(), !17) || #dbg_value(i32 poison, !14, !DIExpression(), !17)
;; records || #dbg_declare(ptr %slot, || #dbg_declare(i32 %a,
;; records || #dbg_declare(ptr %slot, || #dbg_declare(!DIArgList(ptr %slot),
;; records || #dbg_declare(ptr %slot, || #dbg_declare(ptr null,
;; records || #dbg_declare(ptr %slot, || #dbg_declare(ptr %p,
;; records || #dbg_declare(ptr %slot, || #dbg_assign(ptr %slot,
;; records || #dbg_declare(ptr %slot, || #dbg_nothing(ptr %slot,
;; records || #dbg_label(!20, !18) || #dbg_label(!14, !18)
;; records || #dbg_label(!20, !18) || #dbg_label(!20)
;; records || #dbg_label(!20, !18) || #dbg_label(!20, !23)
;; records || DW_OP_LLVM_arg, 1, DW_OP_plus || DW_OP_LLVM_arg, 2, DW_OP_plus
;; records || ret i32 %c, !dbg !18 || ret i32 %c, !dbg !18\n    #dbg_label(!20, !18)
;; records || #dbg_label(!20, !18) || call void @llvm.dbg.value(metadata i32 %a, metadata !14, metadata !DIExpression()), !dbg !17
;; records || #dbg_label(!20, !18) || call void @llvm.dbg.label(metadata !20), !dbg !18
;; scopes || !16 = distinct !DILexicalBlock(scope: !10 || !16 = distinct !DILexicalBlock(scope: !6
;; scopes || !16 = distinct !DILexicalBlock(scope: !10 || !16 = distinct !DILexicalBlock(scope: !16
;; scopes || !16 = distinct !DILexicalBlock(scope: !10 || !16 = distinct !DILexicalBlock(scope: !22
;; scopes || !16 = distinct !DILexicalBlock(scope: !10, file: !3, line: 4, column: 3) || !16 = !DILexicalBlockFile(scope: !10, file: !3, discriminator: 2)
;; scopes || !16 = distinct !DILexicalBlock(scope: !10, file: !3, line: 4, column: 3) || !16 = distinct !DILexicalBlock(scope: !10, file: !3, column: 3)
;; scopes || !20 = !DILabel(scope: !10 || !20 = !DILabel(scope: !3
;; scopes || !30 = !DINamespace(name: "n", scope: null) || !30 = !DINamespace(name: "n", scope: !4)
;; entities || entity: !21, file || entity: !4, file
;; entities || tag: DW_TAG_imported_declaration || tag: DW_TAG_member
;; entities || !28 = !DITemplateTypeParameter(name: "T", type: !6) || !28 = !DITemplateTypeParameter(name: "T", type: !3)
;; entities || !28 = !DITemplateTypeParameter(name: "T", type: !6) || !28 = !DITemplateValueParameter(tag: DW_TAG_member, name: "T", type: !6, value: i32 3)
;; entities || !28 = !DITemplateTypeParameter(name: "T", type: !6) || !28 = !DITemplateValueParameter(name: "T", type: !6, value: i32 3)
;; entities || !27 = !DIEnumerator(name: "E", value: 3, isUnsigned: true) || !27 = !DIEnumerator(name: "E")
;; entities || !27 = !DIEnumerator(name: "E", value: 3, isUnsigned: true) || !27 = !DIEnumerator(name: "E", value: -3, isUnsigned: true)
;; entities || type: DW_MACINFO_define || type: DW_MACINFO_start_file
;; versions || !"Debug Info Version", i32 3 || !"Debug Info Version", i32 2
;; versions || !llvm.module.flags = !{!7, !8} || !llvm.module.flags = !{!8}
