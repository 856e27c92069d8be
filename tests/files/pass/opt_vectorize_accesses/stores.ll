; test: pass opt_vectorize_accesses
; Stores move down to the last of them.
define void @copy(ptr addrspace(1) noalias %to, ptr addrspace(1) %from) {
  %f1 = getelementptr i32, ptr addrspace(1) %from, i64 1
  %t1 = getelementptr i32, ptr addrspace(1) %to, i64 1
  %a = load i32, ptr addrspace(1) %from, align 8
  store i32 %a, ptr addrspace(1) %to, align 8
  %b = load i32, ptr addrspace(1) %f1, align 4
  store i32 %b, ptr addrspace(1) %t1, align 4
  ret void
}

; Without the promise the second load may read what was stored.
define void @careful(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  %f1 = getelementptr i32, ptr addrspace(1) %from, i64 1
  %t1 = getelementptr i32, ptr addrspace(1) %to, i64 1
  %a = load i32, ptr addrspace(1) %from, align 8
  store i32 %a, ptr addrspace(1) %to, align 8
  %b = load i32, ptr addrspace(1) %f1, align 4
  store i32 %b, ptr addrspace(1) %t1, align 4
  ret void
}

; The same bytes twice: the later store stays later.
define void @twice(i16 %x, i16 %y) {
  %v = alloca [4 x i16], align 8
  %v1 = getelementptr i16, ptr %v, i64 1
  store i16 %x, ptr %v
  store i16 %y, ptr %v1
  store i16 %y, ptr %v
  %p3 = getelementptr i16, ptr %v, i64 3
  %p2 = getelementptr i16, ptr %v, i64 2
  store i16 %x, ptr %p3
  store i16 %y, ptr %p2
  ret void
}

; expect ll:
; define void @copy(ptr addrspace(1) noalias %to, ptr addrspace(1) %from) {
;   %f1 = getelementptr i32, ptr addrspace(1) %from, i64 1
;   %t1 = getelementptr i32, ptr addrspace(1) %to, i64 1
;   %1 = load <2 x i32>, ptr addrspace(1) %from, align 8
;   %2 = extractelement <2 x i32> %1, i64 0
;   %3 = extractelement <2 x i32> %1, i64 1
;   %4 = insertelement <2 x i32> poison, i32 %2, i64 0
;   %5 = insertelement <2 x i32> %4, i32 %3, i64 1
;   %6 = getelementptr i8, ptr addrspace(1) %t1, i64 -4
;   store <2 x i32> %5, ptr addrspace(1) %6, align 8
;   ret void
; }
;
; define void @careful(ptr addrspace(1) %to, ptr addrspace(1) %from) {
;   %f1 = getelementptr i32, ptr addrspace(1) %from, i64 1
;   %t1 = getelementptr i32, ptr addrspace(1) %to, i64 1
;   %a = load i32, ptr addrspace(1) %from, align 8
;   store i32 %a, ptr addrspace(1) %to, align 8
;   %b = load i32, ptr addrspace(1) %f1, align 4
;   store i32 %b, ptr addrspace(1) %t1, align 4
;   ret void
; }
;
; define void @twice(i16 %x, i16 %y) {
;   %v = alloca [4 x i16], align 8
;   %v1 = getelementptr i16, ptr %v, i64 1
;   %1 = insertelement <2 x i16> poison, i16 %x, i64 0
;   %2 = insertelement <2 x i16> %1, i16 %y, i64 1
;   %3 = getelementptr i8, ptr %v1, i64 -2
;   store <2 x i16> %2, ptr %3, align 4
;   store i16 %y, ptr %v
;   %p3 = getelementptr i16, ptr %v, i64 3
;   %p2 = getelementptr i16, ptr %v, i64 2
;   %4 = insertelement <2 x i16> poison, i16 %y, i64 0
;   %5 = insertelement <2 x i16> %4, i16 %x, i64 1
;   store <2 x i16> %5, ptr %p2, align 4
;   ret void
; }
