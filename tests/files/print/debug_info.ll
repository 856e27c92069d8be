source_filename = "di"

define void @f(ptr %p) !dbg !3 {
    #dbg_declare(ptr poison, !8, !DIExpression(DW_OP_LLVM_convert, 16, DW_ATE_unsigned, DW_OP_LLVM_convert, 32, DW_ATE_signed), !13)
    #dbg_declare_value(ptr %p, !8, !DIExpression(), !13)
  br label %b

b:                                                ; preds = %0
    #dbg_value(ptr %p, !8, !DIExpression(DW_OP_deref), !13)
    #dbg_label(!14, !13)
  ret void, !dbg !13, !annotation !15, !foo !16
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_20, file: !1, isOptimized: false, runtimeVersion: 2, splitDebugFilename: "s.dwo", emissionKind: LineTablesOnly, dwoId: 18446744073709551615, debugInfoForProfiling: true, nameTableKind: GNU, rangesBaseAddress: true, sysroot: "/", sdk: "x.sdk")
!1 = !DIFile(filename: "a", directory: "", source: "int main;\0A")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: null, file: !1, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !0, annotations: !6, targetFuncName: "tf")
!4 = !DISubroutineType(flags: DIFlagLValueReference, types: !5)
!5 = !{null}
!6 = !{!7}
!7 = !{!"a", !"b"}
!8 = !DILocalVariable(scope: !3, file: !1, type: !9)
!9 = !DICompositeType(tag: DW_TAG_variant_part, scope: !1, file: !1, size: 64, align: 32, offset: 8, num_extra_inhabitants: 3, elements: !10, discriminator: !11)
!10 = !{}
!11 = !DIDerivedType(tag: DW_TAG_LLVM_ptrauth_type, baseType: !12, ptrAuthKey: 2, ptrAuthIsAddressDiscriminated: true, ptrAuthExtraDiscriminator: 1234, ptrAuthIsaPointer: false, ptrAuthAuthenticatesNullValues: false)
!12 = !DIBasicType(tag: DW_TAG_unspecified_type, name: "decltype(nullptr)")
!13 = !DILocation(line: 0, scope: !3, isImplicitCode: true)
!14 = !DILabel(scope: !3, name: "l", file: !1, line: 1, column: 3, isArtificial: true)
!15 = !{!"auto-init"}
!16 = !{!17, !18, !19, !20, !21}
!17 = !DIFixedPointType(name: "fp", size: 32, encoding: DW_ATE_signed_fixed, kind: Binary, factor: -4)
!18 = !DIFixedPointType(name: "r", size: 32, encoding: DW_ATE_unsigned_fixed, kind: Rational, numerator: 1, denominator: 3)
!19 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", flags: DIFlagFwdDecl | DIFlagStaticMember, runtimeLang: DW_LANG_C89, specification: !9)
!20 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !19, baseType: !9, flags: DIFlagProtected | DIFlagVirtual, extraData: i32 0)
!21 = !DITemplateValueParameter(tag: DW_TAG_GNU_template_template_param, name: "T", value: !"std::vector")
