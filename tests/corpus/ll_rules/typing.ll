; Types of operands and results.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, float }
%opaque = type opaque

define i32 @arithmetic(i32 %a, i32 %b, float %x, float %y, <4 x i32> %v, ptr %p) {
  %add = add nsw i32 %a, %b
  %shl = shl nuw i32 %add, 3
  %div = sdiv exact i32 %shl, 2
  %or = or disjoint i32 %div, 64
  %fadd = fadd nnan nsz float %x, %y
  %frem = frem float %fadd, %x
  %fneg = fneg fast float %frem
  %vmul = mul <4 x i32> %v, splat (i32 3)
  %cmp = icmp samesign ult i32 %or, %b
  %fcmp = fcmp olt float %fneg, 0.0
  %pcmp = icmp eq ptr %p, null
  %both = and i1 %cmp, %fcmp
  %sel = select i1 %both, i32 %a, i32 %b
  %fsel = select ninf i1 %pcmp, float %x, float %y
  %fr = freeze i32 %sel
  ret i32 %fr
}

define i64 @casts(i32 %a, i64 %b, float %x, ptr %p, <2 x i32> %v, ptr addrspace(3) %s) {
  %t = trunc nuw i64 %b to i32
  %z = zext nneg i32 %t to i64
  %s1 = sext i32 %a to i64
  %f = fpext float %x to double
  %g = fptrunc double %f to half
  %u = fptoui float %x to i16
  %i = uitofp i32 %a to float
  %n = ptrtoint ptr %p to i64
  %q = inttoptr i64 %n to ptr
  %bc = bitcast <2 x i32> %v to i64
  %as = addrspacecast ptr addrspace(3) %s to ptr
  %sum = add i64 %bc, %n
  ret i64 %sum
}

define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b, i32 %e, i32 %i) {
  %x = extractelement <4 x i32> %a, i32 %i
  %y = insertelement <4 x i32> %b, i32 %e, i64 2
  %s = shufflevector <4 x i32> %a, <4 x i32> %y, <4 x i32> <i32 0, i32 5, i32 poison, i32 7>
  %c = icmp sgt <4 x i32> %s, zeroinitializer
  %r = select <4 x i1> %c, <4 x i32> %a, <4 x i32> %s
  ret <4 x i32> %r
}

define %pair @aggregates(%pair %p, [3 x i16] %a, { i8, { i64, ptr } } %n) {
  %x = extractvalue %pair %p, 0
  %y = insertvalue %pair %p, float 1.0, 1
  %z = extractvalue [3 x i16] %a, 2
  %w = insertvalue { i8, { i64, ptr } } %n, i64 5, 1, 0
  ret %pair %y
}

define ptr @addresses(ptr %p, i64 %i, <2 x ptr> %v, <2 x i64> %j) {
  %a = getelementptr inbounds nuw %pair, ptr %p, i64 %i, i32 1
  %b = getelementptr [8 x { i8, [4 x i16] }], ptr %a, i64 0, i64 %i, i32 1, i64 2
  %c = getelementptr i32, <2 x ptr> %v, <2 x i64> %j
  %d = getelementptr i8, ptr %b, i32 -4
  %l = load i32, ptr %d, align 4
  store i32 %l, ptr %p, align 4
  ret ptr %d
}
;; binary-types || add nsw i32 %a, %b || add nsw i32 %a, %x
;; binary-types || add nsw i32 %a, %b || add nsw float %x, %y
;; binary-types || add nsw i32 %a, %b || add ptr %p, %p
;; binary-types || add nsw i32 %a, %b || fadd i32 %a, %b
;; binary-types || fadd nnan nsz float %x, %y || fadd i32 %a, %b
;; binary-types || frem float %fadd, %x || srem float %fadd, %x
;; binary-types || frem float %fadd, %x || xor float %fadd, %x
;; binary-types || mul <4 x i32> %v, splat (i32 3) || mul <4 x i32> %v, splat (i64 3)
;; binary-types || mul <4 x i32> %v, splat (i32 3) || mul <4 x i32> %v, %a
;; binary-types || mul <4 x i32> %v, splat (i32 3) || fmul <4 x i32> %v, %v
;; binary-flags || add nsw i32 || add exact i32
;; binary-flags || add nsw i32 || add disjoint i32
;; binary-flags || shl nuw i32 || shl exact i32
;; binary-flags || sdiv exact i32 || sdiv nsw i32
;; binary-flags || or disjoint i32 || or nuw i32
;; binary-flags || or disjoint i32 || xor disjoint i32
;; binary-flags || fadd nnan nsz float || fadd nsw float
;; binary-flags || add nsw i32 || add nnan i32
;; binary-flags || icmp samesign ult i32 || icmp nsw ult i32
;; binary-flags || select ninf i1 %pcmp, float %x, float %y || select ninf i1 %pcmp, i32 %a, i32 %b
;; unary-types || fneg fast float %frem || fneg i32 %a
;; unary-types || freeze i32 %sel || freeze i64 %sel
;; compare-types || icmp samesign ult i32 %or, %b || icmp ult float %x, %y
;; compare-types || icmp samesign ult i32 %or, %b || icmp ult i32 %or, %x
;; compare-types || fcmp olt float %fneg, 0.0 || fcmp olt i32 %a, 0
;; compare-types || fcmp olt float || fcmp slt float
;; compare-types || icmp samesign ult || icmp samesign olt
;; compare-types || icmp eq ptr %p, null || icmp eq ptr %p, 0
;; compare-types || %both = and i1 %cmp, %fcmp || %both = and i32 %cmp, %fcmp
;; select-types || select i1 %both, i32 %a, i32 %b || select i32 %a, i32 %a, i32 %b
;; select-types || select i1 %both, i32 %a, i32 %b || select i1 %both, i32 %a, float %x
;; select-types || select <4 x i1> %c, <4 x i32> %a, <4 x i32> %s || select <2 x i1> zeroinitializer, <4 x i32> %a, <4 x i32> %s
;; select-types || select <4 x i1> %c, <4 x i32> %a || select i1 true, <4 x i32> %a
;; return-type || ret i32 %fr || ret i64 7
;; return-type || ret i32 %fr || ret void
;; return-type || ret i32 %fr || ret float %x
;; return-type || ret %pair %y || ret %pair { i32 1, float 2.0 }
;; return-type || ret %pair %y || ret { i32, float } zeroinitializer
;; return-type || define i32 @arithmetic || define void @arithmetic
;; return-type || define i32 @arithmetic || define %opaque @arithmetic
;; return-type || define i32 @arithmetic || define label @arithmetic
;; return-type || define i32 @arithmetic || define metadata @arithmetic
;; return-type || define i32 @arithmetic || define token @arithmetic
;; parameter-type || (i32 %a, i32 %b, float %x, float %y || (void %a, i32 %b, float %x, float %y
;; parameter-type || @casts(i32 %a, i64 %b || @casts(label %a, i64 %b
;; parameter-type || @casts(i32 %a, i64 %b || @casts(%opaque %a, i64 %b
;; parameter-type || @casts(i32 %a, i64 %b || @casts(metadata %a, i64 %b
;; parameter-type || @casts(i32 %a, i64 %b || @casts(token %a, i64 %b
;; cast-trunc || trunc nuw i64 %b to i32 || trunc i32 %a to i64
;; cast-trunc || trunc nuw i64 %b to i32 || trunc float %x to i32
;; cast-trunc || trunc nuw i64 %b to i32 || trunc i32 %a to i32
;; cast-trunc || trunc nuw i64 %b to i32 || trunc nneg i64 %b to i32
;; cast-extend || zext nneg i32 %t to i64 || zext i64 %b to i32
;; cast-extend || zext nneg i32 %t to i64 || zext i32 %t to i32
;; cast-extend || sext i32 %a to i64 || sext nneg i32 %a to i64
;; cast-extend || sext i32 %a to i64 || sext i32 %a to <2 x i64>
;; cast-extend || sext i32 %a to i64 || sext float %x to i64
;; cast-float || fpext float %x to double || fpext float %x to half
;; cast-float || fpext float %x to double || fpext i32 %a to double
;; cast-float || fptrunc double %f to half || fptrunc half 0xH0000 to double
;; cast-float || fptrunc double %f to half || fptrunc double %f to bfloat
;; cast-float || fptoui float %x to i16 || fptoui i32 %a to i16
;; cast-float || fptoui float %x to i16 || fptoui float %x to half
;; cast-float || uitofp i32 %a to float || uitofp float %x to i32
;; cast-float || uitofp i32 %a to float || uitofp <2 x i32> %v to <4 x float>
;; cast-float || uitofp i32 %a to float || sitofp nneg i32 %a to float
;; cast-pointer || ptrtoint ptr %p to i64 || ptrtoint i64 %b to i64
;; cast-pointer || ptrtoint ptr %p to i64 || ptrtoint ptr %p to double
;; cast-pointer || inttoptr i64 %n to ptr || inttoptr ptr %p to ptr
;; cast-pointer || inttoptr i64 %n to ptr || inttoptr float %x to ptr
;; cast-pointer || addrspacecast ptr addrspace(3) %s to ptr || addrspacecast ptr %p to ptr
;; cast-pointer || addrspacecast ptr addrspace(3) %s to ptr || addrspacecast i64 %b to ptr
;; cast-pointer || addrspacecast ptr addrspace(3) %s to ptr || bitcast ptr addrspace(3) %s to ptr
;; cast-bits || bitcast <2 x i32> %v to i64 || bitcast <2 x i32> %v to i32
;; cast-bits || bitcast <2 x i32> %v to i64 || bitcast ptr %p to i64
;; cast-bits || bitcast <2 x i32> %v to i64 || bitcast { i64 } { i64 1 } to i64
;; cast-bits || bitcast <2 x i32> %v to i64 || bitcast <2 x i32> %v to [2 x i32]
;; element-types || extractelement <4 x i32> %a, i32 %i || extractelement i32 %e, i32 %i
;; element-types || extractelement <4 x i32> %a, i32 %i || extractelement <4 x i32> %a, float 1.0
;; element-types || insertelement <4 x i32> %b, i32 %e, i64 2 || insertelement <4 x i32> %b, i64 2, i64 2
;; element-types || insertelement <4 x i32> %b, i32 %e, i64 2 || insertelement <4 x i32> %b, i32 %e, ptr null
;; element-types || insertelement <4 x i32> %b, i32 %e, i64 2 || insertelement <4 x i32> %b, i32 %e, i64 9
;; shuffle-mask || <i32 0, i32 5, i32 poison, i32 7> || <i32 0, i32 5, i32 8, i32 7>
;; shuffle-mask || <4 x i32> <i32 0, i32 5, i32 poison, i32 7> || <4 x i64> <i64 0, i64 5, i64 1, i64 7>
;; shuffle-mask || <4 x i32> <i32 0, i32 5, i32 poison, i32 7> || <4 x i32> %b
;; shuffle-mask || shufflevector <4 x i32> %a, <4 x i32> %y || shufflevector <4 x i32> %a, <2 x i32> zeroinitializer
;; aggregate-index || extractvalue %pair %p, 0 || extractvalue %pair %p, 2
;; aggregate-index || extractvalue %pair %p, 0 || extractvalue i32 7, 0
;; aggregate-index || extractvalue [3 x i16] %a, 2 || extractvalue [3 x i16] %a, 3
;; aggregate-index || extractvalue [3 x i16] %a, 2 || extractvalue [3 x i16] %a, 2, 0
;; aggregate-index || insertvalue %pair %p, float 1.0, 1 || insertvalue %pair %p, i32 1, 1
;; aggregate-index || i64 5, 1, 0 || i64 5, 1, 1
;; aggregate-index || i64 5, 1, 0 || i64 5, 0, 0
;; aggregate-index || extractvalue %pair %p, 0 || extractvalue %pair %p
;; gep-indices || ptr %p, i64 %i, i32 1 || ptr %p, i64 %i, i32 2
;; gep-indices || ptr %p, i64 %i, i32 1 || ptr %p, i64 %i, i64 1
;; gep-indices || ptr %p, i64 %i, i32 1 || ptr %p, i64 %i, i64 %i
;; gep-indices || ptr %p, i64 %i, i32 1 || ptr %p, float 1.0, i32 1
;; gep-indices || ptr %a, i64 0, i64 %i, i32 1, i64 2 || ptr %a, i64 0, i64 %i, i32 1, i64 2, i64 0
;; gep-indices || getelementptr inbounds nuw %pair, || getelementptr inbounds nuw %opaque,
;; gep-indices || getelementptr i8, ptr %b || getelementptr i8, i64 %i
;; gep-indices || getelementptr i8, ptr %b || getelementptr void, ptr %b
;; gep-indices || getelementptr i32, <2 x ptr> %v, <2 x i64> %j || getelementptr i32, <2 x ptr> %v, <4 x i64> zeroinitializer
;; gep-indices || getelementptr i32, <2 x ptr> %v, <2 x i64> %j || getelementptr i32, <2 x ptr> %v, i64 %i
;; gep-indices || getelementptr inbounds nuw %pair || getelementptr nsw %pair
;; load-store-types || load i32, ptr %d, align 4 || load i32, i64 %i, align 4
;; load-store-types || load i32, ptr %d, align 4 || load %opaque, ptr %d
;; load-store-types || load i32, ptr %d, align 4 || load void, ptr %d
;; load-store-types || load i32, ptr %d, align 4 || load i32 (i32), ptr %d
;; load-store-types || store i32 %l, ptr %p, align 4 || store i32 %l, i64 %i, align 4
;; load-store-types || store i32 %l, ptr %p, align 4 || store void undef, ptr %p
;; load-store-types || store i32 %l, ptr %p, align 4 || store i64 %l, ptr %p, align 4
;; load-store-types || store i32 %l, ptr %p, align 4 || store i32 %l, ptr %p, align 3
;; load-store-types || store i32 %l, ptr %p, align 4 || store i32 %l, ptr %p, align 0
;; load-store-types || load i32, ptr %d, align 4 || load i32, ptr %d, align 8589934592
;; type-definition || %pair = type { i32, float } || %pair = type { i32, %pair }
;; type-definition || %pair = type { i32, float } || %pair = type { i32, void }
;; type-definition || %pair = type { i32, float } || %pair = type { i32, label }
;; type-definition || %pair = type { i32, float } || %pair = type { i32, float }\n%pair = type { i32 }
;; type-definition || %pair = type { i32, float } || %pair = type <{ i32, float }>
;; type-definition || %pair = type { i32, float } || %pair = type i32
;; type-definition || [3 x i16] %a, { i8 || [3 x void] %a, { i8
;; type-definition || @vectors(<4 x i32> %a, <4 x i32> %b, i32 %e || @vectors(<0 x i32> %a, <4 x i32> %b, i32 %e
;; type-definition || <2 x ptr> %v, <2 x i64> %j) || <2 x { i32 }> %v, <2 x i64> %j)
;; type-definition || define i64 @casts(i32 %a || define i64 @casts(i8388609 %a
;; type-definition || define i64 @casts(i32 %a || define i64 @casts(i0 %a
;; constant-range || shl nuw i32 %add, 3 || shl nuw i32 %add, 4294967296
;; constant-range || shl nuw i32 %add, 3 || shl nuw i32 %add, 3.0
;; constant-range || shl nuw i32 %add, 3 || shl nuw i32 %add, null
;; constant-range || float %fneg, 0.0 || float %fneg, 0.1
;; constant-range || float %fneg, 0.0 || float %fneg, 0
;; constant-range || float %fneg, 0.0 || float %fneg, 0x3FB99999A0000000
;; constant-range || icmp eq ptr %p, null || icmp eq ptr %p, zeroinitializer
