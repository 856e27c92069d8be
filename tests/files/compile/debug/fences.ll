; Labels for debuggers do not keep fences apart: the code is the same with and without them.
; test: compile --arch sm_90 -O0 -g
; check: $L__func_begin0:
; check: fence.sc.gpu;
; check-not: fence.acq_rel
; test: compile --arch sm_90 -O0
; check: fence.sc.gpu;
; check-not: fence.acq_rel
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !5 {
  store i32 1, ptr addrspace(1) %p, !dbg !8
  fence syncscope("device") acq_rel, !dbg !8
  fence syncscope("device") seq_cst, !dbg !9
  store i32 2, ptr addrspace(1) %p, !dbg !9
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, producer: "test", emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/source")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", scope: !2, file: !2, line: 1, type: !6, scopeLine: 1, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 2, column: 3, scope: !5)
!9 = !DILocation(line: 3, column: 3, scope: !10)
!10 = distinct !DILexicalBlock(scope: !5, file: !2, line: 3, column: 3)
