; Attributes of functions, parameters and results.
target triple = "nvptx64-nvidia-cuda"
%s = type { i32, i32 }

define noundef i32 @function(ptr noalias nonnull align 8 dereferenceable(16) %p, i32 noundef zeroext %n, float %f) #0 {
  %a = add i32 %n, 1
  ret i32 %a
}

declare ptr @allocate(i64, i64) #1
declare noalias ptr @other(ptr returned, ptr readonly captures(none)) #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "target-cpu"="sm_90" }
attributes #1 = { allockind("alloc,zeroed") allocsize(0,1) "alloc-family"="mine" }
attributes #2 = { noinline convergent }
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef zeroext signext %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef noalias %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef nonnull %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef align 4 %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef dereferenceable(4) %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef readonly %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef captures(none) %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef inreg %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef range(i32 1, 5) %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef range(i64 1, 5) %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef nofpclass(inf) %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef noreturn %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef unknownattr %n
;; parameter-attributes || i32 noundef zeroext %n || i32 noundef "key"="value" %n
;; parameter-attributes || i32 noundef zeroext %n || i32 returned zeroext %n
;; parameter-attributes || float %f) || float zeroext %f)
;; parameter-attributes || float %f) || float nofpclass(nan pinf) %f)
;; parameter-attributes || float %f) || float nofpclass() %f)
;; parameter-attributes || float %f) || float returned %f)
;; parameter-attributes || ptr noalias nonnull align 8 || ptr readnone readonly align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr readonly writeonly align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr sret(%s) returned align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr nest align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr inalloca(%s) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr inalloca(%s) byval(%s) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr preallocated(%s) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr swifterror align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr swiftself align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr immarg align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr elementtype(i32) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr byref(%s) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr noalias nonnull align 0
;; parameter-attributes || ptr noalias nonnull align 8 || ptr noalias nonnull align 12
;; parameter-attributes || ptr noalias nonnull align 8 || ptr noalias noalias align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr writable dereferenceable(4) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr writable readonly align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr initializes((0, 4)) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr initializes((4, 0)) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr initializes((0, 4), (2, 8)) align 8
;; parameter-attributes || ptr noalias nonnull align 8 || ptr dead_on_unwind align 8
;; parameter-attributes || dereferenceable(16) || dereferenceable(0)
;; parameter-attributes || dereferenceable(16) || dereferenceable_or_null(16)
;; parameter-attributes || dereferenceable(16) || dereferenceable
;; result-attributes || define noundef i32 || define noalias i32
;; result-attributes || define noundef i32 || define nonnull i32
;; result-attributes || define noundef i32 || define zeroext i32
;; result-attributes || define noundef i32 || define readonly i32
;; result-attributes || define noundef i32 || define byval(i32) i32
;; result-attributes || define noundef i32 || define sret(i32) i32
;; result-attributes || define noundef i32 || define nocapture i32
;; result-attributes || define noundef i32 || define nounwind i32
;; result-attributes || define noundef i32 || define range(i32 0, 4) i32
;; result-attributes || define noundef i32 || define range(i8 0, 4) i32
;; result-attributes || define noundef i32 || define "a"="b" i32
;; result-attributes || declare noalias ptr @other || declare align 3 ptr @other
;; result-attributes || declare noalias ptr @other || declare dereferenceable(8) align 16 ptr @other
;; returned || ptr returned, ptr readonly || ptr returned, ptr returned
;; returned || ptr returned, ptr readonly || i32 returned, ptr readonly
;; function-attributes || #2 = { noinline convergent } || #2 = { noinline alwaysinline }
;; function-attributes || #2 = { noinline convergent } || #2 = { optnone }
;; function-attributes || #2 = { noinline convergent } || #2 = { optnone noinline }
;; function-attributes || #2 = { noinline convergent } || #2 = { optnone noinline optsize }
;; function-attributes || #2 = { noinline convergent } || #2 = { optnone noinline minsize }
;; function-attributes || #2 = { noinline convergent } || #2 = { optdebug optnone noinline }
;; function-attributes || #2 = { noinline convergent } || #2 = { minsize optdebug }
;; function-attributes || #2 = { noinline convergent } || #2 = { noalias }
;; function-attributes || #2 = { noinline convergent } || #2 = { zeroext }
;; function-attributes || #2 = { noinline convergent } || #2 = { nonnull }
;; function-attributes || #2 = { noinline convergent } || #2 = { readnone readonly }
;; function-attributes || #2 = { noinline convergent } || #2 = { memory(none) memory(read) }
;; function-attributes || #2 = { noinline convergent } || #2 = { memory(somewhere: read) }
;; function-attributes || #2 = { noinline convergent } || #2 = { memory() }
;; function-attributes || #2 = { noinline convergent } || #2 = { jumptable }
;; function-attributes || #2 = { noinline convergent } || #2 = { jumptable unnamed_addr }
;; function-attributes || #2 = { noinline convergent } || #2 = { alignstack(3) }
;; function-attributes || #2 = { noinline convergent } || #2 = { alignstack(16) }
;; function-attributes || #2 = { noinline convergent } || #2 = { uwtable(sync) }
;; function-attributes || #2 = { noinline convergent } || #2 = { uwtable(what) }
;; function-attributes || #2 = { noinline convergent } || #2 = { vscale_range(1,16) }
;; function-attributes || #2 = { noinline convergent } || #2 = { vscale_range(0,16) }
;; function-attributes || #2 = { noinline convergent } || #2 = { vscale_range(8,4) }
;; function-attributes || #2 = { noinline convergent } || #2 = { vscale_range(3,12) }
;; function-attributes || #2 = { noinline convergent } || #2 = { "frame-pointer"="sometimes" }
;; function-attributes || #2 = { noinline convergent } || #2 = { "frame-pointer"="all" }
;; function-attributes || #2 = { noinline convergent } || #2 = { "patchable-function-prefix"="many" }
;; function-attributes || #2 = { noinline convergent } || #2 = { "patchable-function-entry"="3" }
;; function-attributes || #2 = { noinline convergent } || #2 = { "warn-stack-size"="big" }
;; function-attributes || #2 = { noinline convergent } || #2 = { "denormal-fp-math"="preserve-sign,preserve-sign" }
;; function-attributes || #2 = { noinline convergent } || #2 = { "denormal-fp-math"="squash" }
;; function-attributes || #2 = { noinline convergent } || #2 = { "no-infs-fp-math"="maybe" }
;; function-attributes || #2 = { noinline convergent } || #2 = { sanitize_thread naked cold hot }
;; function-attributes || #2 = { noinline convergent } || #2 = { nosuchattribute }
;; function-attributes || #2 = { noinline convergent } || #2 = { fn_ret_thunk_extern noprofile skipprofile }
;; function-attributes || #2 = { noinline convergent } || #2 = { "modular-format"="x" }
;; allocation-attributes || allocsize(0,1) || allocsize(0,7)
;; allocation-attributes || allocsize(0,1) || allocsize(5)
;; allocation-attributes || @allocate(i64, i64) || @allocate(i64, ptr)
;; allocation-attributes || allockind("alloc,zeroed") || allockind("alloc,free")
;; allocation-attributes || allockind("alloc,zeroed") || allockind("zeroed")
;; allocation-attributes || allockind("alloc,zeroed") || allockind("free,zeroed")
;; allocation-attributes || allockind("alloc,zeroed") || allockind("alloc,zeroed,uninitialized")
;; allocation-attributes || allockind("alloc,zeroed") || allockind("strange")
;; allocation-attributes || allockind("alloc,zeroed") || allockind("alloc") "alloc-variant-zeroed"=""
;; attribute-groups || %f) #0 { || %f) #7 {
;; attribute-groups || #1 = { allockind || #0 = { allockind
;; attribute-groups || "target-cpu"="sm_90" } || "target-cpu"="sm_90" #2 }
;; attribute-groups || "target-cpu"="sm_90" } || "target-cpu"= }
;; attribute-groups || %f) #0 { || %f) #0 #2 nounwind "x" {
;; attribute-groups || attributes #0 = { || attributes #0 {
