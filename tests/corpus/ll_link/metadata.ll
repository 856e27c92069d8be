;; set flags-error-same
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"value", i32 4}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"value", i32 4}
;; set flags-error-differs
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"value", i32 4}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"value", i32 8}
;; set flags-warning
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"value", i32 4}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"value", i32 8}
;; set flags-require
!llvm.module.flags = !{!0, !1}
!0 = !{i32 3, !"value", !2}
!1 = !{i32 1, !"needed", i32 1}
!2 = !{!"needed", i32 1}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"needed", i32 1}
;; set flags-require-fails
!llvm.module.flags = !{!0, !1}
!0 = !{i32 3, !"value", !2}
!1 = !{i32 4, !"needed", i32 1}
!2 = !{!"needed", i32 1}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 4, !"needed", i32 2}
;; set flags-override
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"value", i32 4}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 4, !"value", i32 8}
;; set flags-append
!llvm.module.flags = !{!0}
!0 = !{i32 5, !"value", !1}
!1 = !{!"a", !"b"}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 5, !"value", !1}
!1 = !{!"b", !"c"}
;; set flags-append-unique
!llvm.module.flags = !{!0}
!0 = !{i32 6, !"value", !1}
!1 = !{!"a", !"b"}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 6, !"value", !1}
!1 = !{!"b", !"c"}
;; set flags-max
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"value", i32 4}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"value", i32 8}
;; set flags-min
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"value", i32 4}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"value", i32 2}
;; set flags-min-missing
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"value", i32 4}
;; with
define void @f() {
  ret void
}
;; set flags-behaviours-differ
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"value", i32 4}
;; with
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"value", i32 4}
;; set named-lists
define ptx_kernel void @k1() {
  ret void
}
!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!llvm.ident = !{!2}
!0 = !{ptr @k1, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
!2 = !{!"one"}
;; with
define ptx_kernel void @k2() {
  ret void
}
!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!llvm.ident = !{!2}
!0 = !{ptr @k2, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
!2 = !{!"one"}
;; set distinct-nodes
define void @f(ptr %p) {
  %v = load i32, ptr %p, !alias.scope !0
  ret void
}
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
;; with
define void @g(ptr %p) {
  %v = load i32, ptr %p, !alias.scope !0
  ret void
}
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
;; set uniqued-nodes
define void @f(ptr %p) {
  %v = load i32, ptr %p, !tbaa !0
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
;; with
define void @g(ptr %p) {
  %v = load i32, ptr %p, !tbaa !0
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
;; set debug-units
define void @f() !dbg !4 {
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 1, scope: !4)
;; with
define void @g() !dbg !4 {
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "b.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 1, scope: !4)
;; set debug-types-by-identifier
@x = global i32 1, !dbg !0
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!7}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 1, type: !6, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: FullDebug, globals: !5)
!3 = !DIFile(filename: "a.cpp", directory: "/src")
!5 = !{!0}
!6 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !3, line: 1, flags: DIFlagFwdDecl, identifier: "S")
!7 = !{i32 2, !"Debug Info Version", i32 3}
;; with
@y = global i32 1, !dbg !0
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!7}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "y", scope: !2, file: !3, line: 1, type: !6, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: FullDebug, globals: !5)
!3 = !DIFile(filename: "b.cpp", directory: "/src")
!5 = !{!0}
!6 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !3, line: 1, size: 32, elements: !8, identifier: "S")
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = !{}
;; set attribute-groups
define void @f() #0 {
  ret void
}
attributes #0 = { nounwind "target-cpu"="sm_80" }
;; with
define void @g() #0 {
  ret void
}
attributes #0 = { noinline "target-cpu"="sm_90" }
;; set declaration-attributes
declare void @f(ptr nocapture) #0
define void @call(ptr %p) {
  call void @f(ptr %p)
  ret void
}
attributes #0 = { nounwind }
;; with
define void @f(ptr %p) #0 {
  ret void
}
attributes #0 = { noinline }
