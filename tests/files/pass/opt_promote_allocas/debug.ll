; test: pass opt_promote_allocas
; A variable that becomes values keeps its name: a record per store and per phi, fragments for the fields of a struct.
; Records of other variables before an access that goes away stay.
define i32 @loop(i32 %n) !dbg !5 {
entry:
  %sum = alloca i32
    #dbg_declare(ptr %sum, !8, !DIExpression(), !10)
  store i32 0, ptr %sum
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %done
body:
    #dbg_value(i32 %i, !9, !DIExpression(), !10)
  %old = load i32, ptr %sum
  %new = add i32 %old, %i
  store i32 %new, ptr %sum
  %next = add i32 %i, 1
  br label %head
done:
  %r = load i32, ptr %sum
  ret i32 %r
}

define i32 @fields(i32 %a, i32 %b) !dbg !11 {
  %s = alloca { i32, i32 }
    #dbg_declare(ptr %s, !12, !DIExpression(), !13)
  store i32 %a, ptr %s
  %f = getelementptr { i32, i32 }, ptr %s, i32 0, i32 1
  store i32 %b, ptr %f
  %x = load i32, ptr %s
  %y = load i32, ptr %f
  %r = add i32 %x, %y
  ret i32 %r
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "k.c", directory: "/")
!3 = !DISubroutineType(types: !{null})
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = distinct !DISubprogram(name: "loop", scope: !2, file: !2, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocalVariable(name: "sum", scope: !5, file: !2, line: 2, type: !4)
!9 = !DILocalVariable(name: "i", scope: !5, file: !2, line: 3, type: !4)
!10 = !DILocation(line: 2, column: 1, scope: !5)
!11 = distinct !DISubprogram(name: "fields", scope: !2, file: !2, line: 9, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocalVariable(name: "s", scope: !11, file: !2, line: 9, type: !4)
!13 = !DILocation(line: 9, column: 1, scope: !11)

; expect ll:
; define i32 @loop(i32 %n) !dbg !3 {
; entry:
;   %sum = alloca i32
;     #dbg_value(i32 0, !6, !DIExpression(), !8)
;   br label %head
;
; head:                                             ; preds = %body, %entry
;   %0 = phi i32 [ 0, %entry ], [ %new, %body ]
;   %i = phi i32 [ 0, %entry ], [ %next, %body ]
;     #dbg_value(i32 %0, !6, !DIExpression(), !8)
;   %c = icmp slt i32 %i, %n
;   br i1 %c, label %body, label %done
;
; body:                                             ; preds = %head
;     #dbg_value(i32 %i, !9, !DIExpression(), !8)
;   %new = add i32 %0, %i
;     #dbg_value(i32 %new, !6, !DIExpression(), !8)
;   %next = add i32 %i, 1
;   br label %head
;
; done:                                             ; preds = %head
;   ret i32 %0
; }
;
; define i32 @fields(i32 %a, i32 %b) !dbg !10 {
;   %s = alloca { i32, i32 }
;     #dbg_value(i32 %a, !11, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !12)
;   %f = getelementptr { i32, i32 }, ptr %s, i32 0, i32 1
;     #dbg_value(i32 %b, !11, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !12)
;   %r = add i32 %a, %b
;   ret i32 %r
; }
;
; !llvm.dbg.cu = !{!0}
; !llvm.module.flags = !{!2}
;
; !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
; !1 = !DIFile(filename: "k.c", directory: "/")
; !2 = !{i32 2, !"Debug Info Version", i32 3}
; !3 = distinct !DISubprogram(name: "loop", scope: !1, file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
; !4 = !DISubroutineType(types: !5)
; !5 = !{null}
; !6 = !DILocalVariable(name: "sum", scope: !3, file: !1, line: 2, type: !7)
; !7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
; !8 = !DILocation(line: 2, column: 1, scope: !3)
; !9 = !DILocalVariable(name: "i", scope: !3, file: !1, line: 3, type: !7)
; !10 = distinct !DISubprogram(name: "fields", scope: !1, file: !1, line: 9, type: !4, unit: !0, spFlags: DISPFlagDefinition)
; !11 = !DILocalVariable(name: "s", scope: !10, file: !1, line: 9, type: !7)
; !12 = !DILocation(line: 9, column: 1, scope: !10)
