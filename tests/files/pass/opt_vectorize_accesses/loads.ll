; test: pass opt_vectorize_accesses
; Loads move up to the first of them.
define float @pair(ptr addrspace(1) %p) {
  %a = load float, ptr addrspace(1) %p, align 8
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %b = load float, ptr addrspace(1) %q, align 4
  %s = fadd float %a, %b
  ret float %s
}

; In any order, with a variable index, each sum of which does not wrap; four at a time.
define i32 @backwards(ptr addrspace(1) align 16 %p, i32 %i) {
  %base = shl nsw i32 %i, 2
  %i3 = add nsw i32 %base, 3
  %x3 = sext i32 %i3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %p, i64 %x3
  %d = load i32, ptr addrspace(1) %p3, align 4
  %i2 = or disjoint i32 %base, 2
  %p2 = getelementptr i32, ptr addrspace(1) %p, i32 %i2
  %c = load i32, ptr addrspace(1) %p2, align 4
  %i1 = add nsw i32 %base, 1
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 %i1
  %b = load i32, ptr addrspace(1) %p1, align 4
  %p0 = getelementptr i32, ptr addrspace(1) %p, i32 %base
  %a = load i32, ptr addrspace(1) %p0, align 16
  %ab = sub i32 %a, %b
  %cd = sub i32 %c, %d
  %s = sub i32 %ab, %cd
  ret i32 %s
}

; Different types of one size; what all promise stays promised.
define double @mixed(ptr %p) {
  %a = load double, ptr %p, align 16, !invariant.load !0
  %q = getelementptr i8, ptr %p, i64 8
  %b = load ptr, ptr %q, align 8, !invariant.load !0
  %c = load double, ptr %b
  %s = fadd double %a, %c
  ret double %s
}

; A write that may touch the second load, one that cannot, and a call.
define i32 @writes(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(3) %s) {
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 1
  %a = load i32, ptr addrspace(1) %p, align 8
  store i32 1, ptr addrspace(1) %q
  %b = load i32, ptr addrspace(1) %p1
  %c = load i32, ptr addrspace(1) %p, align 8
  store i32 2, ptr addrspace(3) %s
  %d = load i32, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %p, i64 2
  %e = load i32, ptr addrspace(1) %p2, align 8
  call void @other()
  %p3 = getelementptr i32, ptr addrspace(1) %p, i64 3
  %f = load i32, ptr addrspace(1) %p3
  %x = add i32 %a, %b
  %y = add i32 %c, %d
  %z = add i32 %e, %f
  %xy = mul i32 %x, %y
  %xyz = mul i32 %xy, %z
  ret i32 %xyz
}

; These stay: alignment not known, volatile, sums that may wrap.
define i32 @not_these(ptr %p, i32 %i) {
  %p1 = getelementptr i32, ptr %p, i64 1
  %a = load i32, ptr %p, align 4
  %b = load i32, ptr %p1, align 4
  %c = load volatile i32, ptr %p, align 8
  %d = load volatile i32, ptr %p1, align 4
  %j = add i32 %i, 1
  %q = getelementptr i32, ptr %p, i32 %i
  %q1 = getelementptr i32, ptr %p, i32 %j
  %e = load i32, ptr %q, align 8
  %f = load i32, ptr %q1, align 4
  %x = add i32 %a, %b
  %y = add i32 %c, %d
  %z = add i32 %e, %f
  %xy = mul i32 %x, %y
  %xyz = mul i32 %xy, %z
  ret i32 %xyz
}

declare void @other()
!0 = !{}

; expect ll:
; define float @pair(ptr addrspace(1) %p) {
;   %1 = load <2 x float>, ptr addrspace(1) %p, align 8
;   %2 = extractelement <2 x float> %1, i64 0
;   %3 = extractelement <2 x float> %1, i64 1
;   %q = getelementptr float, ptr addrspace(1) %p, i64 1
;   %s = fadd float %2, %3
;   ret float %s
; }
;
; define i32 @backwards(ptr addrspace(1) align 16 %p, i32 %i) {
;   %base = shl nsw i32 %i, 2
;   %i3 = add nsw i32 %base, 3
;   %x3 = sext i32 %i3 to i64
;   %p3 = getelementptr i32, ptr addrspace(1) %p, i64 %x3
;   %1 = getelementptr i8, ptr addrspace(1) %p3, i64 -12
;   %2 = load <4 x i32>, ptr addrspace(1) %1, align 16
;   %3 = extractelement <4 x i32> %2, i64 0
;   %4 = extractelement <4 x i32> %2, i64 1
;   %5 = extractelement <4 x i32> %2, i64 2
;   %6 = extractelement <4 x i32> %2, i64 3
;   %i2 = or disjoint i32 %base, 2
;   %p2 = getelementptr i32, ptr addrspace(1) %p, i32 %i2
;   %i1 = add nsw i32 %base, 1
;   %p1 = getelementptr i32, ptr addrspace(1) %p, i32 %i1
;   %p0 = getelementptr i32, ptr addrspace(1) %p, i32 %base
;   %ab = sub i32 %3, %4
;   %cd = sub i32 %5, %6
;   %s = sub i32 %ab, %cd
;   ret i32 %s
; }
;
; define double @mixed(ptr %p) {
;   %1 = load <2 x i64>, ptr %p, align 16, !invariant.load !0
;   %2 = extractelement <2 x i64> %1, i64 0
;   %3 = bitcast i64 %2 to double
;   %4 = extractelement <2 x i64> %1, i64 1
;   %5 = inttoptr i64 %4 to ptr
;   %q = getelementptr i8, ptr %p, i64 8
;   %c = load double, ptr %5
;   %s = fadd double %3, %c
;   ret double %s
; }
;
; define i32 @writes(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(3) %s) {
;   %p1 = getelementptr i32, ptr addrspace(1) %p, i64 1
;   %a = load i32, ptr addrspace(1) %p, align 8
;   store i32 1, ptr addrspace(1) %q
;   %1 = getelementptr i8, ptr addrspace(1) %p1, i64 -4
;   %2 = load <2 x i32>, ptr addrspace(1) %1, align 8
;   %3 = extractelement <2 x i32> %2, i64 0
;   %4 = extractelement <2 x i32> %2, i64 1
;   store i32 2, ptr addrspace(3) %s
;   %d = load i32, ptr addrspace(1) %p1
;   %p2 = getelementptr i32, ptr addrspace(1) %p, i64 2
;   %e = load i32, ptr addrspace(1) %p2, align 8
;   call void @other()
;   %p3 = getelementptr i32, ptr addrspace(1) %p, i64 3
;   %f = load i32, ptr addrspace(1) %p3
;   %x = add i32 %a, %4
;   %y = add i32 %3, %d
;   %z = add i32 %e, %f
;   %xy = mul i32 %x, %y
;   %xyz = mul i32 %xy, %z
;   ret i32 %xyz
; }
;
; define i32 @not_these(ptr %p, i32 %i) {
;   %p1 = getelementptr i32, ptr %p, i64 1
;   %a = load i32, ptr %p, align 4
;   %b = load i32, ptr %p1, align 4
;   %c = load volatile i32, ptr %p, align 8
;   %d = load volatile i32, ptr %p1, align 4
;   %j = add i32 %i, 1
;   %q = getelementptr i32, ptr %p, i32 %i
;   %q1 = getelementptr i32, ptr %p, i32 %j
;   %e = load i32, ptr %q, align 8
;   %f = load i32, ptr %q1, align 4
;   %x = add i32 %a, %b
;   %y = add i32 %c, %d
;   %z = add i32 %e, %f
;   %xy = mul i32 %x, %y
;   %xyz = mul i32 %xy, %z
;   ret i32 %xyz
; }
;
; declare void @other()
;
; !0 = !{}
