; Types of every kind: classes with bit fields, bases, static members and methods, enumerations, arrays, templates, namespaces.
; test: compile --arch sm_90 -O0 -g
; check: .section .debug_info
; check: .b64 __local_depot0
; check: .b8 110, 0, *
; check-not: .section .debug_loc
; test: compile --arch sm_75 -O0 -g --ptx-version 6.3
; check: .target sm_75, debug
; check: .section .debug_info
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !5 {
  %x = alloca [64 x i8]
    #dbg_declare(ptr %x, !20, !DIExpression(), !30)
  store volatile i8 1, ptr %x, !dbg !30
  ret void, !dbg !30
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !2, producer: "test", emissionKind: FullDebug, enums: !50, retainedTypes: !51, imports: !52)
!2 = !DIFile(filename: "a.cu", directory: "/source")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", linkageName: "k", scope: !2, file: !2, line: 1, type: !6, scopeLine: 1, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null, !16}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "S", scope: !40, file: !2, line: 1, size: 512, flags: DIFlagTypePassByValue, elements: !10, templateParams: !44, identifier: "S")
!10 = !{!11, !12, !13, !14, !15, !18, !19, !60}
!11 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !9, file: !2, line: 1, baseType: !8, size: 3, offset: 5, flags: DIFlagBitField | DIFlagPublic, extraData: i64 0)
!12 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !9, baseType: !41, extraData: i32 0)
!13 = !DIDerivedType(tag: DW_TAG_member, name: "s", scope: !9, file: !2, line: 1, baseType: !8, flags: DIFlagStaticMember, extraData: i32 7)
!14 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !9, file: !2, line: 1, baseType: !21, size: 96, offset: 64)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !9, file: !2, line: 1, baseType: !16, size: 64, offset: 192)
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!17 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !9)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "call", scope: !9, file: !2, line: 1, baseType: !22, size: 64, offset: 256)
!19 = !DISubprogram(name: "method", linkageName: "_ZN1S6methodEv", scope: !9, file: !2, line: 2, type: !24, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!20 = !DILocalVariable(name: "n", scope: !5, file: !2, line: 2, type: !26)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 96, elements: !27)
!22 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !23, size: 64)
!23 = !DISubroutineType(types: !25)
!24 = !DISubroutineType(types: !28)
!25 = !{!8, !8, null}
!26 = !DIDerivedType(tag: DW_TAG_typedef, name: "T", file: !2, line: 3, baseType: !29)
!27 = !{!DISubrange(count: 3)}
!28 = !{null, !31}
!29 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !9)
!30 = !DILocation(line: 2, column: 5, scope: !5)
!31 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!40 = !DINamespace(name: "space", scope: null)
!41 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Base", file: !2, line: 1, size: 8, elements: !42)
!42 = !{}
!43 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "E", file: !2, line: 4, baseType: !8, size: 32, elements: !45)
!44 = !{!DITemplateTypeParameter(name: "T", type: !8), !DITemplateValueParameter(name: "N", type: !8, value: i32 4)}
!45 = !{!DIEnumerator(name: "A", value: -1), !DIEnumerator(name: "B", value: 300, isUnsigned: true)}
!46 = !DICompositeType(tag: DW_TAG_union_type, name: "U", file: !2, line: 5, size: 32, elements: !47)
!47 = !{!48}
!48 = !DIDerivedType(tag: DW_TAG_member, name: "i", scope: !46, file: !2, line: 5, baseType: !49, size: 32)
!49 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !16)
!50 = !{!43}
!51 = !{!46}
!52 = !{!53}
!53 = !DIImportedEntity(tag: DW_TAG_imported_declaration, scope: !1, entity: !9, file: !2, line: 6)
!60 = !DIDerivedType(tag: DW_TAG_ptr_to_member_type, baseType: !8, size: 64, extraData: !9)
