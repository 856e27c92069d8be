target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%S = type { i32*, %S*, void (i8*)*, [4 x i8*] }
%struct.foo = type { i32, float }
@str = private unnamed_addr constant [4 x i8] c"abc\00", align 1
@tab = internal addrspace(4) constant [2 x i8*] [i8* getelementptr inbounds ([4 x i8], [4 x i8]* @str, i32 0, i32 0), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @str, i64 0, i64 1)], align 8
@fp = global void (i8*)* bitcast (void (i32*)* @callee to void (i8*)*)
@sh = external addrspace(3) global [0 x float], align 4
@gen = global float* addrspacecast (float addrspace(3)* getelementptr inbounds ([0 x float], [0 x float] addrspace(3)* @sh, i32 0, i32 3) to float*)
@vt = linkonce_odr constant { [2 x i8*] } { [2 x i8*] [i8* null, i8* bitcast (void (i32*)* @callee to i8*)] }
@vp = global i8** getelementptr inbounds ({ [2 x i8*] }, { [2 x i8*] }* @vt, i32 0, inrange i32 0, i32 1)
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (float*, i32)* @k to i8*)], section "llvm.metadata"
@al = alias i32 (i32), i32 (i32)* @id
define i32 @id(i32 %x) readnone { ret i32 %x }
define void @callee(i32* nocapture readonly %p) argmemonly nounwind readonly { ret void }
define void @by(%struct.foo* byval(%struct.foo) align 4 %p, %struct.foo* noalias sret(%struct.foo) %q) inaccessiblemem_or_argmemonly { ret void }
define void @k(float* %x, i32 %n) #0 !dbg !10 {
entry:
  %a = alloca i32, align 4
  %fpv = load void (i8*)*, void (i8*)** @fp, align 8
  call void @llvm.dbg.declare(metadata i32* %a, metadata !13, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.value(metadata i32 %n, metadata !14, metadata !DIExpression()), !dbg !15
  call void %fpv(i8* null), !dbg !15
  %0 = bitcast float* %x to i32*
  %1 = getelementptr inbounds float, float* %x, i32 %n
  %2 = load float, float* %1, align 4, !tbaa !16
  %3 = addrspacecast float* %x to float addrspace(1)*
  %4 = load atomic volatile float, float addrspace(1)* %3 syncscope("block") seq_cst, align 4
  %5 = call i32 (i8*, ...) @printf(i8* getelementptr inbounds ([4 x i8], [4 x i8]* @str, i64 0, i64 0), i32 1)
  %6 = cmpxchg i32* %0, i32 0, i32 1 seq_cst seq_cst
  %7 = atomicrmw add i32* %0, i32 1 seq_cst
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 bitcast (float** @gen to i8*), i8* align 1 getelementptr inbounds ([4 x i8], [4 x i8]* @str, i64 0, i64 0), i64 4, i1 false)
  %8 = call float @llvm.nvvm.fabs.f(float %2)
  %9 = call i32 @llvm.nvvm.atomic.load.inc.32.p0i32(i32* %0, i32 7)
  call void @llvm.nvvm.barrier0()
  %10 = call i32 bitcast (i32 (i32)* @id to i32 (i8)*)(i8 3)
  %11 = tail call i8* @llvm.ptr.annotation.p0i8(i8* null, i8* null, i8* null, i32 0)
  call void @by(%struct.foo* byval(%struct.foo) align 4 null, %struct.foo* sret(%struct.foo) null)
  store i32* null, i32** null
  %12 = icmp eq i32* %0, %a
  %13 = select i1 %12, i32* %0, i32* %a
  ret void
}
declare i32 @printf(i8*, ...)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg)
declare float @llvm.nvvm.fabs.f(float)
declare i32 @llvm.nvvm.atomic.load.inc.32.p0i32(i32*, i32)
declare void @llvm.nvvm.barrier0() #1
declare i8* @llvm.ptr.annotation.p0i8(i8*, i8*, i8*, i32)
attributes #0 = { nounwind "frame-pointer"="all" }
attributes #1 = { convergent inaccessiblememonly nounwind }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!nvvm.annotations = !{!5, !6, !7}
!nvvmir.version = !{!8}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2, nameTableKind: None)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{}
!3 = !{i32 2, !"Dwarf Version", i32 2}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{void (float*, i32)* @k, !"kernel", i32 1}
!6 = !{void (float*, i32)* @k, !"maxntidx", i32 256}
!7 = !{void (float*, i32)* @k, !"minctasm", i32 2}
!8 = !{i32 2, i32 0, i32 3, i32 1}
!10 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !11, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!11 = !DISubroutineType(types: !12)
!12 = !{null}
!13 = !DILocalVariable(name: "a", scope: !10, file: !1, line: 3, type: !20)
!14 = !DILocalVariable(name: "n", arg: 2, scope: !10, file: !1, line: 1, type: !20)
!15 = !DILocation(line: 3, column: 5, scope: !10)
!16 = !{!17, !17, i64 0}
!17 = !{!"float", !18, i64 0}
!18 = !{!"omnipotent char", !19, i64 0}
!19 = !{!"Simple C++ TBAA"}
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
