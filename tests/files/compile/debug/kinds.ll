; How much debug information is written is up to the unit: `-g` gives lines where it asks for no more.
; test: compile --arch sm_90 -g
; check: .target sm_90
; check: .loc 1 2 3
; check: .file 1 "/source/a.c"
; check-not: debug
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !5 {
  store i32 1, ptr addrspace(1) %p, !dbg !8
  ret void, !dbg !8
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, producer: "test", emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "a.c", directory: "/source")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", scope: !2, file: !2, line: 1, type: !6, scopeLine: 1, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 2, column: 3, scope: !5)
