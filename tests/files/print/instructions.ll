source_filename = "instructions.ll"

%t = type { i32, { i8, ptr } }

define void @arith(i32 %a, i32 %b, float %x, <2 x float> %v) {
  %1 = add nuw nsw i32 %a, %b
  %2 = sub nsw i32 %1, 5
  %3 = mul nuw i32 %2, %b
  %4 = udiv exact i32 %3, %b
  %5 = sdiv i32 %4, -3
  %6 = urem i32 %5, %b
  %7 = srem i32 %6, %b
  %8 = shl nuw i32 %7, 2
  %9 = lshr exact i32 %8, 1
  %10 = ashr i32 %9, 1
  %11 = and i32 %10, 255
  %12 = or disjoint i32 %11, 256
  %13 = xor i32 %12, -1
  %f1 = fadd fast float %x, 1.000000e+00
  %f2 = fsub fast float %x, %f1
  %f3 = fmul nnan contract float %f2, %x
  %f4 = fdiv arcp float %f3, %x
  %f5 = frem float %f4, %x
  %f6 = fneg nsz float %f5
  %f7 = fadd <2 x float> %v, splat (float 2.000000e+00)
  %c1 = icmp eq i32 %a, %b
  %c2 = icmp samesign ult i32 %a, 7
  %c3 = fcmp fast oeq float %x, 0.000000e+00
  %c4 = fcmp uno float %x, 0.000000e+00
  %c5 = fcmp true float %x, 0.000000e+00
  %s1 = select i1 %c1, i32 %a, i32 %b
  %s2 = select nnan i1 %c1, float %x, float 1.000000e+00
  %fr = freeze i32 %a
  ret void
}

define i64 @casts(i32 %a, float %x, ptr %p, ptr addrspace(1) %q) {
  %1 = trunc nuw nsw i32 %a to i8
  %2 = zext nneg i8 %1 to i64
  %3 = sext i8 %1 to i64
  %4 = fptrunc double 1.000000e+00 to float
  %5 = fpext fast float %x to double
  %6 = fptoui float %x to i32
  %7 = fptosi float %x to i32
  %8 = uitofp nneg i32 %a to float
  %9 = sitofp i32 %a to float
  %10 = ptrtoint ptr %p to i64
  %11 = inttoptr i64 %10 to ptr
  %12 = bitcast float %x to i32
  %13 = addrspacecast ptr addrspace(1) %q to ptr
  %14 = ptrtoaddr ptr %p to i64
  %15 = fptrunc nnan double 2.500000e+00 to float
  ret i64 %3
}

define i32 @memory(ptr %p, ptr addrspace(3) %s, i64 %n) {
entry:
  %a = alloca i32, align 4
  %a2 = alloca i32, i64 %n, align 8
  %a3 = alloca [4 x %t], align 8, addrspace(5)
  %a4 = alloca inalloca i32, align 4
  %a5 = alloca swifterror ptr, align 8
  %a6 = alloca i8, i32 7, align 1
  %a7 = alloca i8, i64 1, align 1
  %l = load i32, ptr %p, align 4
  %l2 = load volatile i32, ptr %p, align 4
  %l3 = load atomic i32, ptr %p seq_cst, align 4
  %l4 = load atomic volatile i32, ptr addrspace(3) %s syncscope("block") acquire, align 4
  store i32 %l, ptr %p, align 4
  store volatile i32 %l, ptr %p, align 4
  store atomic i32 %l, ptr %p unordered, align 4
  store atomic volatile i32 %l, ptr %p syncscope("device") release, align 4
  fence seq_cst
  fence syncscope("singlethread") acquire
  %x = cmpxchg ptr %p, i32 0, i32 1 acq_rel monotonic, align 4
  %x2 = cmpxchg weak volatile ptr %p, i32 0, i32 1 syncscope("agent") seq_cst acquire, align 8
  %x3 = cmpxchg ptr %p, ptr null, ptr %p monotonic monotonic, align 8
  %r = atomicrmw add ptr %p, i32 1 seq_cst, align 4
  %r2 = atomicrmw volatile fadd ptr %p, float 1.000000e+00 syncscope("device") monotonic, align 4
  %r3 = atomicrmw uinc_wrap ptr %p, i32 1 acquire, align 4
  %r4 = atomicrmw xchg ptr %p, ptr %p release, align 8
  %g = getelementptr i8, ptr %p, i64 4
  %g1 = getelementptr inbounds %t, ptr %p, i64 0, i32 1, i32 0
  %g2 = getelementptr inbounds nuw i8, ptr %p, i64 4
  %g3 = getelementptr nusw i8, ptr %p, i64 4
  %g4 = getelementptr nuw i8, ptr %p, i64 4
  %g5 = getelementptr i8, ptr %p, <2 x i64> <i64 1, i64 2>
  ret i32 %l
}

define void @vectors(<4 x i32> %v, i32 %i, { i32, [2 x i8] } %agg, <vscale x 2 x i32> %sv) {
  %1 = extractelement <4 x i32> %v, i32 %i
  %2 = insertelement <4 x i32> %v, i32 %1, i64 2
  %3 = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 poison, i32 0>
  %4 = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> <i32 1, i32 1>
  %5 = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer
  %6 = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> poison
  %7 = shufflevector <vscale x 2 x i32> %sv, <vscale x 2 x i32> poison, <vscale x 2 x i32> zeroinitializer
  %8 = extractvalue { i32, [2 x i8] } %agg, 1, 0
  %9 = insertvalue { i32, [2 x i8] } %agg, i8 %8, 1, 1
  %10 = add <4 x i32> %v, splat (i32 7)
  ret void
}

define void @control(i32 %n, ptr %addr, i1 %c) {
  br i1 %c, label %a, label %"odd label"

a:                                                ; preds = %a, %0
  switch i32 %n, label %d [
    i32 0, label %a
    i32 -5, label %"odd label"
    i32 7, label %"odd label"
  ]

"odd label":                                      ; preds = %a, %a, %0
  switch i32 %n, label %d [
  ]

d:                                                ; preds = %"odd label", %a
  %p = phi i32 [ 1, %a ], [ %n, %"odd label" ]
  %q = phi fast float [ 1.000000e+00, %a ], [ 0x7FF8000000000000, %"odd label" ]
  indirectbr ptr %addr, [label %d2, label %a2]

d2:                                               ; preds = %d
  br label %a2

a2:                                               ; preds = %d2, %d
  unreachable

dead:                                             ; No predecessors!
  br label %1

1:                                                ; preds = %dead
  br label %2

2:                                                ; preds = %1
  ret void
}

define i32 @va(ptr %ap, ...) {
  %x = va_arg ptr %ap, i32
  ret i32 %x
}
