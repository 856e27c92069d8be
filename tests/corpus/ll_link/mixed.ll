;; set weak-body-displaced-and-comdat-members
@f_ptr = global ptr @f
@x = extern_weak global i32
@w = weak_odr global i32 1, section "s", align 16
define weak void @f() {
entry:
  br label %l
l:
  ret void
}
@tab = global ptr blockaddress(@f, %l)
$c = comdat any
@cv = linkonce_odr constant i32 1, comdat($c)
@cp = private constant i32 2, comdat($c)
define linkonce_odr ptr @c() comdat { 
  %v = load ptr, ptr @cv
  ret ptr @cp }
define ptr @uc() { %a = call ptr @c() ret ptr %a }
;; with
define void @f() {
  ret void
}
@x = global i32 5
$c = comdat any
@cv = linkonce_odr constant i32 1, comdat($c)
@cp = private constant i32 2, comdat($c)
define linkonce_odr ptr @c() comdat { ret ptr @cp }
define ptr @uc2() { %a = call ptr @c() ret ptr %a }
define ptr @uc3() { ret ptr @cp }
;; set comdat-members-the-other-way
define void @f() {
  ret void
}
@x = global i32 5
$c = comdat any
@cv = linkonce_odr constant i32 1, comdat($c)
@cp = private constant i32 2, comdat($c)
define linkonce_odr ptr @c() comdat { ret ptr @cp }
define ptr @uc2() { %a = call ptr @c() ret ptr %a }
define ptr @uc3() { ret ptr @cp }
;; with
@f_ptr = global ptr @f
@x = extern_weak global i32
@w = weak_odr global i32 1, section "s", align 16
define weak void @f() {
entry:
  br label %l
l:
  ret void
}
@tab = global ptr blockaddress(@f, %l)
$c = comdat any
@cv = linkonce_odr constant i32 1, comdat($c)
@cp = private constant i32 2, comdat($c)
define linkonce_odr ptr @c() comdat { 
  %v = load ptr, ptr @cv
  ret ptr @cp }
define ptr @uc() { %a = call ptr @c() ret ptr %a }
;; set comdat-members-needed
@f_ptr = global ptr @f
@x = extern_weak global i32
@w = weak_odr global i32 1, section "s", align 16
define weak void @f() {
entry:
  br label %l
l:
  ret void
}
@tab = global ptr blockaddress(@f, %l)
$c = comdat any
@cv = linkonce_odr constant i32 1, comdat($c)
@cp = private constant i32 2, comdat($c)
define linkonce_odr ptr @c() comdat { 
  %v = load ptr, ptr @cv
  ret ptr @cp }
define ptr @uc() { %a = call ptr @c() ret ptr %a }
;; with --only-needed
define void @f() {
  ret void
}
@x = global i32 5
$c = comdat any
@cv = linkonce_odr constant i32 1, comdat($c)
@cp = private constant i32 2, comdat($c)
define linkonce_odr ptr @c() comdat { ret ptr @cp }
define ptr @uc2() { %a = call ptr @c() ret ptr %a }
define ptr @uc3() { ret ptr @cp }
;; set address-space-of-definition-differs
@x = external addrspace(1) global i32
@y = global ptr addrspace(1) @x
define i32 @g() { 
  %v = load i32, ptr addrspace(1) @x
  ret i32 %v }
@llvm.used = appending global [1 x ptr] [ptr @g], section "llvm.metadata"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @m(ptr %p) { call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 4, i1 false) ret void }
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
;; with
@x = addrspace(3) global i32 7
define i32 @h() { 
  %v = load i32, ptr addrspace(3) @x
  ret i32 %v }
@i = internal global i32 1
@llvm.used = appending global [2 x ptr] [ptr @h, ptr @i], section "llvm.metadata"
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @k, ptr null }, { i32, ptr, ptr } { i32 1, ptr @k, ptr @lo }]
define internal void @k() { ret void }
define linkonce void @lo() { ret void }
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
;; set address-space-of-declaration-differs
@x = addrspace(3) global i32 7
define i32 @h() { 
  %v = load i32, ptr addrspace(3) @x
  ret i32 %v }
@i = internal global i32 1
@llvm.used = appending global [2 x ptr] [ptr @h, ptr @i], section "llvm.metadata"
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @k, ptr null }, { i32, ptr, ptr } { i32 1, ptr @k, ptr @lo }]
define internal void @k() { ret void }
define linkonce void @lo() { ret void }
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
;; with
@x = external addrspace(1) global i32
@y = global ptr addrspace(1) @x
define i32 @g() { 
  %v = load i32, ptr addrspace(1) @x
  ret i32 %v }
@llvm.used = appending global [1 x ptr] [ptr @g], section "llvm.metadata"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @m(ptr %p) { call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 4, i1 false) ret void }
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
;; set appending-needed
@x = external addrspace(1) global i32
@y = global ptr addrspace(1) @x
define i32 @g() { 
  %v = load i32, ptr addrspace(1) @x
  ret i32 %v }
@llvm.used = appending global [1 x ptr] [ptr @g], section "llvm.metadata"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @m(ptr %p) { call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 4, i1 false) ret void }
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
;; with --only-needed
@x = addrspace(3) global i32 7
define i32 @h() { 
  %v = load i32, ptr addrspace(3) @x
  ret i32 %v }
@i = internal global i32 1
@llvm.used = appending global [2 x ptr] [ptr @h, ptr @i], section "llvm.metadata"
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @k, ptr null }, { i32, ptr, ptr } { i32 1, ptr @k, ptr @lo }]
define internal void @k() { ret void }
define linkonce void @lo() { ret void }
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
;; set opaque-inside
%n = type { i32, %o }
%o = type opaque
%lit = type { ptr, { i8, %q } }
%q = type { i16 }
@a = external global %n
@b = global %lit zeroinitializer
define ptr @u() { ret ptr @a }
define void @s(ptr sret(%q) %p) { 
  ret void }
declare void @ext(ptr byval(%q))
;; with
%n = type { i32, %o }
%o = type { i64 }
%q = type { i32 }
%q2 = type { i16 }
@a = global %n { i32 1, %o { i64 2 } }
define void @ext(ptr byval(%q2) %p) { ret void }
define %q @r() { ret %q { i32 3 } }
@z = global { %q, %q2 } zeroinitializer
;; set opaque-inside-the-other-way
%n = type { i32, %o }
%o = type { i64 }
%q = type { i32 }
%q2 = type { i16 }
@a = global %n { i32 1, %o { i64 2 } }
define void @ext(ptr byval(%q2) %p) { ret void }
define %q @r() { ret %q { i32 3 } }
@z = global { %q, %q2 } zeroinitializer
;; with
%n = type { i32, %o }
%o = type opaque
%lit = type { ptr, { i8, %q } }
%q = type { i16 }
@a = external global %n
@b = global %lit zeroinitializer
define ptr @u() { ret ptr @a }
define void @s(ptr sret(%q) %p) { 
  ret void }
declare void @ext(ptr byval(%q))
;; set aliases-and-numbered-globals
define weak_odr i32 @f() alwaysinline { ret i32 1 }
define available_externally i32 @ae() { ret i32 1 }
define i32 @ua() { 
 %a = call i32 @ae() 
 %b = call i32 @f()
 ret i32 %a }
@al = weak alias i32 (), ptr @f
@in = private unnamed_addr constant [3 x i8] c"ab\00"
@0 = private constant i32 4
@p0 = global ptr @0
@if = ifunc i32 (), ptr @res
define internal ptr @res() { ret ptr @f }
;; with
define i32 @ae() { ret i32 2 }
define i32 @f() { ret i32 2 }
@0 = private constant i32 5
@p1 = global ptr @0
define i32 @al() { ret i32 3 }
declare i32 @if()
define i32 @cc() { 
 %a = call i32 @if()
 ret i32 %a }
;; set aliases-and-numbered-globals-the-other-way
define i32 @ae() { ret i32 2 }
define i32 @f() { ret i32 2 }
@0 = private constant i32 5
@p1 = global ptr @0
define i32 @al() { ret i32 3 }
declare i32 @if()
define i32 @cc() { 
 %a = call i32 @if()
 ret i32 %a }
;; with
define weak_odr i32 @f() alwaysinline { ret i32 1 }
define available_externally i32 @ae() { ret i32 1 }
define i32 @ua() { 
 %a = call i32 @ae() 
 %b = call i32 @f()
 ret i32 %a }
@al = weak alias i32 (), ptr @f
@in = private unnamed_addr constant [3 x i8] c"ab\00"
@0 = private constant i32 4
@p0 = global ptr @0
@if = ifunc i32 (), ptr @res
define internal ptr @res() { ret ptr @f }
;; set debug-types-declared-then-defined
define void @f() !dbg !5 {
  ret void, !dbg !12
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug, retainedTypes: !4)
!1 = !DIFile(filename: "a.cpp", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 4}
!4 = !{!8}
!5 = distinct !DISubprogram(name: "f", linkageName: "f", scope: !1, file: !1, line: 1, type: !6, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{null, !8}
!8 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !1, line: 2, flags: DIFlagFwdDecl, identifier: "_ZTS1S")
!12 = !DILocation(line: 1, scope: !5)
;; with
define void @g() !dbg !5 {
  ret void, !dbg !12
}
define void @h() !dbg !13 {
  ret void, !dbg !14
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "b.cpp", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!5 = distinct !DISubprogram(name: "g", linkageName: "g", scope: !1, file: !1, line: 1, type: !6, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{null, !8}
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !1, line: 2, size: 32, elements: !9, identifier: "_ZTS1S")
!9 = !{!10, !11}
!10 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !8, file: !1, line: 3, baseType: !15, size: 32)
!11 = !DISubprogram(name: "m", linkageName: "_ZN1S1mEv", scope: !8, file: !1, line: 4, type: !6, spFlags: 0)
!12 = !DILocation(line: 1, scope: !5)
!13 = distinct !DISubprogram(name: "h", linkageName: "h", scope: !8, file: !1, line: 4, type: !6, spFlags: DISPFlagDefinition, unit: !0, declaration: !11)
!14 = !DILocation(line: 5, scope: !13)
!15 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
;; set metadata-in-circles
define void @f(ptr %p) {
  store i32 1, ptr %p, !my !0
  ret void
}
!0 = !{!1}
!1 = !{!0, !2, !3}
!2 = !{i64 9223372036854775807, !"s"}
!3 = distinct !{!3}
;; with
define void @g(ptr %p) {
  store i32 1, ptr %p, !my !0
  store i32 2, ptr %p, !my !2
  ret void
}
!0 = !{!1}
!1 = !{!0, !2, !3}
!2 = !{i64 9223372036854775807, !"s"}
!3 = distinct !{!3}
;; set synchronisation-scopes-bundles-and-asm
define void @f(ptr %p) {
  store atomic i32 1, ptr %p syncscope("block") release, align 4
  fence syncscope("device") seq_cst
  call void asm sideeffect "bar.sync 0;", "~{memory}"()
  ret void
}
;; with
define void @g(ptr %p, i1 %c) {
  store atomic i32 1, ptr %p syncscope("device") release, align 4
  fence syncscope("cluster") seq_cst
  call void asm sideeffect "bar.sync 1;", "~{memory}"()
  call void asm sideeffect "bar.sync 0;", "~{memory}"()
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p) ]
  ret void
}
declare void @llvm.assume(i1)
