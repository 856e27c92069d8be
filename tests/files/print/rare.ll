source_filename = "rare.ll"
target datalayout = "e-P1-G1-A5"

%t = type { i32, float }
%onlymd = type { i8 }

@v0 = addrspace(1) global <4 x i32> splat (i32 -7)

; Function Attrs: nounwind memory(read, argmem: readwrite, inaccessiblemem: none)
define void @attrs(ptr dead_on_unwind noalias nofree nonnull writable captures(address, read_provenance) initializes((0, 4), (8, 16)) %a, float nofpclass(nan pinf nnorm) %b, i128 range(i128 -170141183460469231731687303715884105728, 5) %c, i1 range(i1 0, -1) %c1, ptr inalloca(%t) %d) addrspace(1) #0 {
  ret void
}

; Function Attrs: alwaysinline cold convergent hot minsize mustprogress naked nocallback nofree norecurse noredzone noreturn nosync optsize presplitcoroutine returns_twice sanitize_address speculatable ssp sspreq strictfp willreturn memory(none)
define void @a2(ptr inreg nest swiftself %x, ptr elementtype(i32) %y, ptr byref(%t) align 4 %z, ptr returned dereferenceable_or_null(4) %w, ptr swiftasync %sa, i8 immarg zeroext %k, ptr captures(ret: address, provenance) %cp) addrspace(1) #1 {
  unreachable
}

define void @sc(<vscale x 4 x i32> %v, <vscale x 2 x ptr> %p) addrspace(1) {
  %a = add <vscale x 4 x i32> %v, splat (i32 1)
  %b = add <vscale x 4 x i32> %v, zeroinitializer
  %c = fadd <2 x half> splat (half 0xH3C00), <half 0xH0001, half 0xHFC00>
  %d = getelementptr i8, <vscale x 2 x ptr> %p, i64 1
  ret void
}

define void @unnamed(i32 %0, i32 %x, i32 %1) addrspace(1) {
  %3 = add i32 %0, %1
  br label %4

4:                                                ; preds = %2
  %y = add i32 %3, %x
  %5 = alloca i32, align 4, addrspace(5)
  br label %6

6:                                                ; preds = %4
  ret void
}

define i32 @"odd fn"() addrspace(1) {
"quoted entry":
  br label %"1"

"1":                                              ; preds = %"quoted entry"
  ret i32 0
}

define void @tok() addrspace(1) {
  %t = call addrspace(1) token @llvm.experimental.convergence.anchor()
  call addrspace(1) void @bar() [ "convergencectrl"(token %t) ]
  ret void
}

; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(none)
declare token @llvm.experimental.convergence.anchor() addrspace(1) #2

declare void @bar() addrspace(1)

attributes #0 = { nounwind memory(read, argmem: readwrite, inaccessiblemem: none) "x" }
attributes #1 = { alwaysinline cold convergent hot minsize mustprogress naked nocallback nofree norecurse noredzone noreturn nosync optsize presplitcoroutine returns_twice sanitize_address speculatable ssp sspreq strictfp willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nosync nounwind willreturn memory(none) }

!a = !{!0, !2}

!0 = !{%onlymd { i8 3 }, i1 true, i128 -1, double 1.000000e-01, [2 x i8] c"ab", !1}
!1 = !{!"\00\FF\22\\"}
!2 = distinct !{}
