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
