; test: pass lower_access_properties --arch sm_80
; The policy of a pointer goes with the accesses through it; what has no place for one stays as it is.
target triple = "nvptx64-nvidia-cuda"

declare ptr @__nv_associate_access_property_impl(ptr, i64)

define i32 @f(ptr %p, i64 %policy, i8 %b, double %d, <4 x i32> %v) {
  %q = call ptr @__nv_associate_access_property_impl(ptr %p, i64 %policy)
  %r = getelementptr i32, ptr %q, i64 3
  %a = load i32, ptr %r
  store i8 %b, ptr %q
  store double %d, ptr %r
  store <4 x i32> %v, ptr %q
  %plain = load volatile i32, ptr %r
  %c = call ptr @__nv_associate_access_property_impl(ptr %p, i64 1368510564865671168)
  %old = atomicrmw add ptr %c, i32 %a syncscope("device") monotonic
  %other = load i32, ptr %p
  ret i32 %other
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; declare ptr @__nv_associate_access_property_impl(ptr, i64)
;
; define i32 @f(ptr %p, i64 %policy, i8 %b, double %d, <4 x i32> %v) {
;   %r = getelementptr i32, ptr %p, i64 3
;   %1 = addrspacecast ptr %r to ptr addrspace(1)
;   %2 = call i32 asm sideeffect "ld.global.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l,~{memory}"(ptr addrspace(1) %1, i64 %policy)
;   %3 = addrspacecast ptr %p to ptr addrspace(1)
;   %4 = zext i8 %b to i32
;   call void asm sideeffect "st.global.L2::cache_hint.b8 [$0], $1, $2;", "l,r,l,~{memory}"(ptr addrspace(1) %3, i32 %4, i64 %policy)
;   %5 = addrspacecast ptr %r to ptr addrspace(1)
;   call void asm sideeffect "st.global.L2::cache_hint.b64 [$0], $1, $2;", "l,d,l,~{memory}"(ptr addrspace(1) %5, double %d, i64 %policy)
;   store <4 x i32> %v, ptr %p
;   %plain = load volatile i32, ptr %r
;   %old = atomicrmw add ptr %p, i32 %2 syncscope("device") monotonic, !mem.cache_hint !0
;   %other = load i32, ptr %p
;   ret i32 %other
; }
;
; !0 = !{i32 0, !1}
; !1 = !{!"nvvm.l2_cache_hint", i64 1368510564865671168}
