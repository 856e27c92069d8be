; test: pass expand_memory_intrinsics
; Small constant sizes: loads before stores, as wide as the alignment allows.
declare void @llvm.memcpy.p0.p3.i64(ptr, ptr addrspace(3), i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)

define void @copy(ptr %to, ptr addrspace(3) %from) {
  call void @llvm.memcpy.p0.p3.i64(ptr align 16 %to, ptr addrspace(3) align 8 %from, i64 15, i1 false)
  ret void
}

define void @wide(ptr %to, ptr %from) {
  call void @llvm.memcpy.inline.p0.p0.i32(ptr align 32 %to, ptr align 16 %from, i32 48, i1 true)
  ret void
}

define void @move(ptr %to, ptr %from) {
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 12, i1 false)
  ret void
}

define void @nothing(ptr %to, ptr %from) {
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 0, i1 false)
  ret void
}

define void @set(ptr addrspace(1) %to, i8 %byte) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 16 %to, i8 %byte, i64 22, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %to, i8 -1, i64 8, i1 false)
  ret void
}

; The alignment of a variable counts, too.
define void @local(ptr %from) {
  %to = alloca [4 x i32], align 16
  call void @llvm.memcpy.inline.p0.p0.i32(ptr %to, ptr align 16 %from, i32 16, i1 false)
  ret void
}

; expect ll:
; declare void @llvm.memcpy.p0.p3.i64(ptr, ptr addrspace(3), i64, i1)
;
; declare void @llvm.memcpy.inline.p0.p0.i32(ptr, ptr, i32, i1)
;
; declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
;
; declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
;
; define void @copy(ptr %to, ptr addrspace(3) %from) {
;   %1 = load i64, ptr addrspace(3) %from, align 8
;   %2 = getelementptr i8, ptr addrspace(3) %from, i64 8
;   %3 = load i32, ptr addrspace(3) %2, align 8
;   %4 = getelementptr i8, ptr addrspace(3) %from, i64 12
;   %5 = load i16, ptr addrspace(3) %4, align 4
;   %6 = getelementptr i8, ptr addrspace(3) %from, i64 14
;   %7 = load i8, ptr addrspace(3) %6, align 2
;   store i64 %1, ptr %to, align 8
;   %8 = getelementptr i8, ptr %to, i64 8
;   store i32 %3, ptr %8, align 8
;   %9 = getelementptr i8, ptr %to, i64 12
;   store i16 %5, ptr %9, align 4
;   %10 = getelementptr i8, ptr %to, i64 14
;   store i8 %7, ptr %10, align 2
;   ret void
; }
;
; define void @wide(ptr %to, ptr %from) {
;   %1 = load volatile <4 x i32>, ptr %from, align 16
;   %2 = getelementptr i8, ptr %from, i64 16
;   %3 = load volatile <4 x i32>, ptr %2, align 16
;   %4 = getelementptr i8, ptr %from, i64 32
;   %5 = load volatile <4 x i32>, ptr %4, align 16
;   store volatile <4 x i32> %1, ptr %to, align 16
;   %6 = getelementptr i8, ptr %to, i64 16
;   store volatile <4 x i32> %3, ptr %6, align 16
;   %7 = getelementptr i8, ptr %to, i64 32
;   store volatile <4 x i32> %5, ptr %7, align 16
;   ret void
; }
;
; define void @move(ptr %to, ptr %from) {
;   %1 = load i32, ptr %from, align 4
;   %2 = getelementptr i8, ptr %from, i64 4
;   %3 = load i32, ptr %2, align 4
;   %4 = getelementptr i8, ptr %from, i64 8
;   %5 = load i32, ptr %4, align 4
;   store i32 %1, ptr %to, align 4
;   %6 = getelementptr i8, ptr %to, i64 4
;   store i32 %3, ptr %6, align 4
;   %7 = getelementptr i8, ptr %to, i64 8
;   store i32 %5, ptr %7, align 4
;   ret void
; }
;
; define void @nothing(ptr %to, ptr %from) {
;   ret void
; }
;
; define void @set(ptr addrspace(1) %to, i8 %byte) {
;   %1 = zext i8 %byte to i32
;   %2 = mul i32 %1, 16843009
;   %3 = insertelement <4 x i32> poison, i32 %2, i64 0
;   %4 = insertelement <4 x i32> %3, i32 %2, i64 1
;   %5 = insertelement <4 x i32> %4, i32 %2, i64 2
;   %6 = insertelement <4 x i32> %5, i32 %2, i64 3
;   %7 = zext i8 %byte to i16
;   %8 = mul i16 %7, 257
;   store <4 x i32> %6, ptr addrspace(1) %to, align 16
;   %9 = getelementptr i8, ptr addrspace(1) %to, i64 16
;   store i32 %2, ptr addrspace(1) %9, align 4
;   %10 = getelementptr i8, ptr addrspace(1) %to, i64 20
;   store i16 %8, ptr addrspace(1) %10, align 2
;   store i32 -1, ptr addrspace(1) %to, align 4
;   %11 = getelementptr i8, ptr addrspace(1) %to, i64 4
;   store i32 -1, ptr addrspace(1) %11, align 4
;   ret void
; }
;
; define void @local(ptr %from) {
;   %to = alloca [4 x i32], align 16
;   %1 = load <4 x i32>, ptr %from, align 16
;   store <4 x i32> %1, ptr %to, align 16
;   ret void
; }
