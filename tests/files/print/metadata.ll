source_filename = "m.c"

@g = global i32 0, !dbg !0

declare !dbg !25 void @decl()

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare i32 @llvm.read_register.i32(metadata) #0

; Function Attrs: nocallback nofree nosync nounwind strictfp willreturn memory(inaccessiblemem: readwrite)
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata) #1

define ptx_kernel i32 @f(i32 %x, ptr %p) !dbg !21 {
entry:
    #dbg_value(i32 %x, !27, !DIExpression(), !54)
    #dbg_declare(ptr %p, !20, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_LLVM_fragment, 0, 32), !54)
    #dbg_value(!DIArgList(i32 %x, i32 7, ptr %p), !27, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !55)
    #dbg_assign(i32 %x, !27, !DIExpression(), !58, ptr %p, !DIExpression(), !54)
    #dbg_label(!28, !54)
    #dbg_value(!32, !27, !DIExpression(), !54)
    #dbg_value(i32 poison, !27, !DIExpression(), !54)
  %a = add i32 %x, 1, !dbg !54
  store i32 %a, ptr %p, align 4, !dbg !59, !tbaa !60, !nontemporal !63, !DIAssignID !58
  %l = load i32, ptr %p, align 4, !tbaa !60, !range !64, !alias.scope !65, !noalias !65, !noundef !32
  %r = call i32 @llvm.read_register.i32(metadata !68)
  %s = call float @llvm.experimental.constrained.fadd.f32(float 1.000000e+00, float 2.000000e+00, metadata !"round.tonearest", metadata !"fpexcept.strict")
  br label %entry2

entry2:                                           ; preds = %entry2, %entry
  br i1 true, label %entry2, label %out, !prof !69, !llvm.loop !70

out:                                              ; preds = %entry2
    #dbg_value(i32 0, !27, !DIExpression(), !54)
  ret i32 %a, !dbg !72
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #1 = { nocallback nofree nosync nounwind strictfp willreturn memory(inaccessiblemem: readwrite) }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!50, !51}
!llvm.ident = !{!52}
!nvvm.annotations = !{}
!other = !{!53}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 18446744073709551615, DW_OP_stack_value))
!1 = distinct !DIGlobalVariable(name: "g", linkageName: "_g", scope: !2, file: !3, line: 1, type: !49, isLocal: false, isDefinition: true, align: 64, annotations: !40)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: true, flags: "-g", runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !11, globals: !42, imports: !43, macros: !45, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "m.c", directory: "/d\\x", checksumkind: CSK_MD5, checksum: "00112233445566778899aabbccddeeff")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "E", file: !3, line: 11, baseType: !6, size: 32, elements: !7)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{!8, !9, !10}
!8 = !DIEnumerator(name: "A", value: 0)
!9 = !DIEnumerator(name: "B", value: 18446744073709551615, isUnsigned: true)
!10 = !DIEnumerator(name: "M", value: -1)
!11 = !{!12, !6}
!12 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "C", scope: !13, file: !3, line: 10, size: 128, flags: DIFlagTypePassByValue | DIFlagNonTrivial, elements: !14, vtableHolder: !12, templateParams: !29, identifier: "_C", annotations: !40)
!13 = !DINamespace(name: "ns", scope: null, exportSymbols: true)
!14 = !{!15, !36, !37, !38, !39}
!15 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !12, file: !3, line: 2, baseType: !16, size: 3, offset: 5, flags: DIFlagBitField, extraData: i64 0)
!16 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 96, elements: !17, dataLocation: !DIExpression(DW_OP_push_object_address), associated: !20, allocated: !20, rank: !DIExpression(DW_OP_push_object_address))
!17 = !{!18, !19, !33, !34, !35}
!18 = !DISubrange(count: 3)
!19 = !DISubrange(count: !20, lowerBound: 1)
!20 = !DILocalVariable(name: "p", arg: 2, scope: !21, file: !3, line: 1, type: !24, flags: DIFlagArtificial, align: 32)
!21 = distinct !DISubprogram(name: "f", linkageName: "_f", scope: !3, file: !3, line: 1, type: !22, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, templateParams: !29, declaration: !25, retainedNodes: !26, thrownTypes: !32)
!22 = !DISubroutineType(cc: DW_CC_normal, types: !23)
!23 = !{!6, !6, !24}
!24 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64, dwarfAddressSpace: 1)
!25 = !DISubprogram(name: "decl", scope: !12, file: !3, line: 5, type: !22, containingType: !12, virtualIndex: 0, thisAdjustment: -8, flags: DIFlagPublic, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!26 = !{!27, !20, !28}
!27 = !DILocalVariable(name: "x", arg: 1, scope: !21, file: !3, line: 1, type: !6)
!28 = !DILabel(scope: !21, name: "lab", file: !3, line: 4)
!29 = !{!30, !31}
!30 = !DITemplateTypeParameter(name: "T", type: !6)
!31 = !DITemplateValueParameter(name: "N", type: !6, defaulted: true, value: i32 7)
!32 = !{}
!33 = !DISubrange(lowerBound: -1, upperBound: !DIExpression(DW_OP_constu, 3), stride: 4)
!34 = !DIGenericSubrange(lowerBound: !20, upperBound: !DIExpression(DW_OP_constu, 1), stride: !20)
!35 = !DISubrangeType(name: "sr", scope: !13, file: !3, line: 4, size: 32, baseType: !6, lowerBound: i64 1, upperBound: i64 9)
!36 = !DIObjCProperty(name: "p", file: !3, line: 7, setter: "s", getter: "g", attributes: 7, type: !6)
!37 = !DIStringType(name: "character(*)", stringLength: !20, stringLengthExpression: !DIExpression(), size: 32)
!38 = !DIModule(scope: !13, name: "Mod", configMacros: "-DX", includePath: "/i", apinotes: "a", line: 4, isDecl: true)
!39 = !DICommonBlock(scope: !21, declaration: !1, name: "cb", file: !3, line: 3)
!40 = !{!41}
!41 = !{!"btf", !"x"}
!42 = !{!0}
!43 = !{!44}
!44 = !DIImportedEntity(tag: DW_TAG_imported_declaration, name: "i", scope: !13, entity: !12, file: !3, line: 1, elements: !32)
!45 = !{!46, !47}
!46 = !DIMacro(type: DW_MACINFO_define, line: 1, name: "X", value: "Y")
!47 = !DIMacroFile(file: !3, nodes: !48)
!48 = !{!46}
!49 = !DIDerivedType(tag: DW_TAG_typedef, name: "td", scope: !12, file: !3, line: 3, baseType: !12, align: 16, flags: DIFlagPublic, extraData: i32 5)
!50 = !{i32 2, !"Debug Info Version", i32 3}
!51 = !{i32 7, !"Dwarf Version", i32 2}
!52 = !{!"clang version 22"}
!53 = !GenericDINode(tag: DW_TAG_member, header: "h", operands: {!3, null, !"s"})
!54 = !DILocation(line: 1, column: 2, scope: !21)
!55 = distinct !DILocation(line: 2, column: 3, scope: !56, inlinedAt: !54)
!56 = distinct !DILexicalBlock(scope: !57, file: !3, line: 3, column: 1)
!57 = !DILexicalBlockFile(scope: !21, file: !3, discriminator: 2)
!58 = distinct !DIAssignID()
!59 = !DILocation(line: 2, column: 3, scope: !56, inlinedAt: !54)
!60 = !{!61, !61, i64 0}
!61 = !{!"int", !62, i64 0}
!62 = !{!"omnipotent char"}
!63 = !{i32 1}
!64 = !{i32 0, i32 5}
!65 = !{!66}
!66 = distinct !{!66, !67}
!67 = distinct !{!67, !"domain"}
!68 = !{!"sp"}
!69 = !{!"branch_weights", i32 1, i32 2}
!70 = distinct !{!70, !54, !71}
!71 = !{!"llvm.loop.unroll.count", i32 4}
!72 = !DILocation(line: 9, column: 1, scope: !21)
