; Memory accesses, atomics and their orders.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%opaque = type opaque

define i32 @atomics(ptr %p, ptr addrspace(1) %g, i32 %v, float %f, i64 %w) {
  %a = load atomic i32, ptr %p acquire, align 4
  %b = load atomic volatile float, ptr %p syncscope("device") monotonic, align 4
  store atomic i32 %v, ptr addrspace(1) %g syncscope("block") release, align 4
  store atomic i64 %w, ptr %p unordered, align 8
  fence syncscope("block") acq_rel
  fence seq_cst
  %c = cmpxchg weak ptr %p, i32 %v, i32 1 acq_rel monotonic, align 4
  %ok = extractvalue { i32, i1 } %c, 1
  %d = atomicrmw add ptr addrspace(1) %g, i32 %v monotonic, align 4
  %e = atomicrmw volatile fadd ptr %p, float %f syncscope("device") seq_cst, align 4
  %x = atomicrmw xchg ptr %p, ptr null acquire, align 8
  %u = atomicrmw uinc_wrap ptr %p, i32 %v release, align 4
  %m = atomicrmw umax ptr %p, i64 %w acq_rel, align 8
  %vf = atomicrmw fmax ptr %p, <2 x half> zeroinitializer monotonic, align 4
  ret i32 %a
}

define void @stack(i32 %n, ptr %q) {
  %a = alloca i32, align 4
  %b = alloca [16 x i8], i32 %n, align 16
  %c = alloca inalloca { i32, ptr }, align 8
  %d = alloca i8, addrspace(5)
  store volatile i32 %n, ptr %a, align 4, !nontemporal !0
  %l = load ptr, ptr %q, align 8, !nonnull !1, !align !2, !dereferenceable !2, !noundef !1
  %r = load i8, ptr %q, align 1, !range !3, !invariant.load !1
  %f = load float, ptr %q, align 4, !fpmath !4
  ret void
}
!0 = !{i32 1}
!1 = !{}
!2 = !{i64 8}
!3 = !{i8 0, i8 2, i8 4, i8 9}
!4 = !{float 2.5}
;; load-order || ptr %p acquire, align 4 || ptr %p release, align 4
;; load-order || ptr %p acquire, align 4 || ptr %p acq_rel, align 4
;; load-order || ptr %p acquire, align 4 || ptr %p seq_cst, align 4
;; load-order || ptr %p acquire, align 4 || ptr %p, align 4
;; load-order || load atomic i32, ptr %p acquire || load i32, ptr %p acquire
;; load-order || load atomic volatile float || load volatile atomic float
;; store-order || syncscope("block") release, align 4 || syncscope("block") acquire, align 4
;; store-order || syncscope("block") release, align 4 || syncscope("block") acq_rel, align 4
;; store-order || syncscope("block") release, align 4 || syncscope("whatever") release, align 4
;; store-order || syncscope("block") release, align 4 || syncscope(block) release, align 4
;; store-order || ptr %p unordered, align 8 || ptr %p not_atomic, align 8
;; fence-order || fence seq_cst || fence monotonic
;; fence-order || fence seq_cst || fence unordered
;; fence-order || fence seq_cst || fence
;; fence-order || fence seq_cst || fence release
;; cmpxchg-order || acq_rel monotonic, align 4 || acq_rel release, align 4
;; cmpxchg-order || acq_rel monotonic, align 4 || acq_rel acq_rel, align 4
;; cmpxchg-order || acq_rel monotonic, align 4 || monotonic seq_cst, align 4
;; cmpxchg-order || acq_rel monotonic, align 4 || unordered monotonic, align 4
;; cmpxchg-order || acq_rel monotonic, align 4 || acq_rel unordered, align 4
;; cmpxchg-order || acq_rel monotonic, align 4 || acq_rel, align 4
;; cmpxchg-types || i32 %v, i32 1 acq_rel || i32 %v, i64 1 acq_rel
;; cmpxchg-types || i32 %v, i32 1 acq_rel || float %f, float 1.0 acq_rel
;; cmpxchg-types || i32 %v, i32 1 acq_rel || i24 3, i24 1 acq_rel
;; cmpxchg-types || i32 %v, i32 1 acq_rel || i7 3, i7 1 acq_rel
;; cmpxchg-types || i32 %v, i32 1 acq_rel || ptr %p, ptr null acq_rel
;; cmpxchg-types || cmpxchg weak ptr %p || cmpxchg weak i64 %w
;; rmw-order || i32 %v monotonic, align 4 || i32 %v unordered, align 4
;; rmw-order || i32 %v monotonic, align 4 || i32 %v, align 4
;; rmw-types || atomicrmw add ptr addrspace(1) %g, i32 %v || atomicrmw add ptr addrspace(1) %g, float %f
;; rmw-types || atomicrmw add ptr addrspace(1) %g, i32 %v || atomicrmw fadd ptr addrspace(1) %g, i32 %v
;; rmw-types || atomicrmw add ptr addrspace(1) %g, i32 %v || atomicrmw and ptr addrspace(1) %g, ptr %p
;; rmw-types || atomicrmw add ptr addrspace(1) %g, i32 %v || atomicrmw xchg ptr addrspace(1) %g, float %f
;; rmw-types || atomicrmw add ptr addrspace(1) %g, i32 %v || atomicrmw xchg ptr addrspace(1) %g, <2 x i32> zeroinitializer
;; rmw-types || atomicrmw add ptr addrspace(1) %g, i32 %v || atomicrmw xchg ptr addrspace(1) %g, { i32 } zeroinitializer
;; rmw-types || atomicrmw add ptr addrspace(1) %g, i32 %v || atomicrmw add ptr addrspace(1) %g, i12 3
;; rmw-types || atomicrmw add ptr addrspace(1) %g, i32 %v || atomicrmw add ptr addrspace(1) %g, i4 3
;; rmw-types || fmax ptr %p, <2 x half> zeroinitializer || fmax ptr %p, <3 x half> zeroinitializer
;; rmw-types || fmax ptr %p, <2 x half> zeroinitializer || umin ptr %p, <2 x i16> zeroinitializer
;; rmw-types || uinc_wrap ptr %p, i32 %v || uinc_wrap ptr %p, float %f
;; rmw-types || atomicrmw umax ptr %p || atomicrmw unknown ptr %p
;; rmw-types || atomicrmw umax ptr %p || atomicrmw umax i64 %w
;; rmw-types || atomicrmw volatile fadd ptr || atomicrmw volatile fast fadd ptr
;; atomic-alignment || ptr %p acquire, align 4 || ptr %p acquire
;; atomic-alignment || ptr %p acquire, align 4 || ptr %p acquire, align 1
;; atomic-alignment || ptr %p acquire, align 4 || ptr %p acquire, align 3
;; atomic-alignment || release, align 4\n  store || release\n  store
;; atomic-alignment || i32 1 acq_rel monotonic, align 4 || i32 1 acq_rel monotonic
;; atomic-alignment || i32 %v monotonic, align 4 || i32 %v monotonic
;; atomic-alignment || i32 %v monotonic, align 4 || i32 %v monotonic, align 2
;; atomic-types || load atomic i32, ptr %p acquire || load atomic i24, ptr %p acquire
;; atomic-types || load atomic i32, ptr %p acquire || load atomic i4, ptr %p acquire
;; atomic-types || load atomic i32, ptr %p acquire || load atomic i1, ptr %p acquire
;; atomic-types || load atomic i32, ptr %p acquire || load atomic [4 x i8], ptr %p acquire
;; atomic-types || load atomic volatile float, || load atomic volatile <2 x half>,
;; atomic-types || load atomic volatile float, || load atomic volatile half,
;; atomic-types || store atomic i64 %w, ptr %p unordered || store atomic { i64 } zeroinitializer, ptr %p unordered
;; atomic-types || store atomic i64 %w, ptr %p unordered || store atomic i65 5, ptr %p unordered
;; atomic-types || store atomic i64 %w, ptr %p unordered || store atomic ptr %p, ptr %p unordered
;; alloca-types || alloca i32, align 4 || alloca void, align 4
;; alloca-types || alloca i32, align 4 || alloca %opaque, align 4
;; alloca-types || alloca i32, align 4 || alloca i32 (i32), align 4
;; alloca-types || alloca i32, align 4 || alloca label, align 4
;; alloca-types || alloca i32, align 4 || alloca token, align 4
;; alloca-types || alloca i32, align 4 || alloca i32, float 1.0, align 4
;; alloca-types || alloca i32, align 4 || alloca i32, align 5
;; alloca-types || alloca i32, align 4 || alloca i32, align 4294967296
;; alloca-types || alloca i32, align 4 || alloca i32, align 8589934592
;; alloca-types || alloca i32, align 4 || alloca swifterror i32, align 4
;; alloca-types || alloca [16 x i8], i32 %n || alloca [16 x i8], i64 7
;; alloca-types || addrspace(5) || addrspace(99999999)
;; access-metadata || !nonnull !1 || !nonnull !0
;; access-metadata || !align !2 || !align !1
;; access-metadata || !2 = !{i64 8} || !2 = !{i32 8}
;; access-metadata || !2 = !{i64 8} || !2 = !{i64 6}
;; access-metadata || !dereferenceable !2 || !dereferenceable !1
;; access-metadata || !dereferenceable !2 || !dereferenceable_or_null !2
;; access-metadata || %f = load float, ptr %q, align 4, !fpmath !4 || %f = load float, ptr %q, align 4, !nonnull !1
;; access-metadata || %f = load float, ptr %q, align 4, !fpmath !4 || %f = load float, ptr %q, align 4, !align !2
;; access-metadata || %f = load float, ptr %q, align 4, !fpmath !4 || %f = load float, ptr %q, align 4, !dereferenceable !2
;; access-metadata || !noundef !1 || !noundef !2
;; access-metadata || store volatile i32 %n, ptr %a, align 4, !nontemporal !0 || store volatile i32 %n, ptr %a, align 4, !nonnull !1
;; access-metadata || !4 = !{float 2.5} || !4 = !{float -2.5}
;; access-metadata || !4 = !{float 2.5} || !4 = !{i32 2}
;; access-metadata || !4 = !{float 2.5} || !4 = !{double 2.5}
;; access-metadata || !4 = !{float 2.5} || !4 = !{float 2.5, float 1.0}
;; access-metadata || !invariant.load !1 || !unknown.kind !1
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{i8 0, i8 2, i8 4}
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{}
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{i32 0, i32 2}
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{i8 0, i8 5, i8 4, i8 9}
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{i8 4, i8 9, i8 0, i8 2}
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{i8 0, i8 4, i8 4, i8 9}
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{i8 3, i8 3}
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{i8 3, i8 1}
;; range-metadata || !3 = !{i8 0, i8 2, i8 4, i8 9} || !3 = !{float 3.0, float 4.0}
;; range-metadata || %f = load float, ptr %q, align 4, !fpmath !4 || %f = load float, ptr %q, align 4, !range !3
