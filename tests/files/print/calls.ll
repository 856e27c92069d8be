source_filename = "calls.ll"

%t = type { i32 }

declare void @v(ptr, ...)

declare i32 @f(i32, ptr)

declare float @ff(float)

declare void @asm_target()

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #0

; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(none)
declare token @llvm.experimental.convergence.entry() #1

define zeroext i8 @calls(i32 %x, ptr noundef %p, ptr %fp, float %y) {
  call void (ptr, ...) @v(ptr %p, i32 1, double 2.000000e+00)
  %1 = tail call i32 @f(i32 noundef signext %x, ptr nonnull align 16 dereferenceable(8) %p) #3
  %2 = notail call fastcc noundef i32 %fp(i32 %x)
  %3 = call nnan nsz noundef nofpclass(nan inf) float @ff(float %y) #4
  %4 = call range(i32 0, 9) i32 %fp(ptr byval(%t) align 4 %p)
  call void %fp(ptr sret({ i32, i32 }) %p)
  call void asm sideeffect "bar.sync 0;\0A\09", "~{memory}"() #5
  %5 = call i32 asm sideeffect alignstack inteldialect unwind "mov $0, \22x\22", "=r,r"(i32 %x)
  %6 = call { i32, i32 } asm "mov", "=r,=r,0"(i32 %x)
  call void @asm_target() [ "deopt"(i32 %x, ptr null), "odd \22tag\22"() ]
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
  %7 = call ptx_device i32 @f(i32 poison, ptr undef), !range !0, !srcloc !1
  %8 = call cc1000 i32 @f(i32 0, ptr null)
  ret i8 0
}

define void @tails(ptr %p, ...) {
  musttail call void (ptr, ...) @v(ptr %p, ...)
  ret void
}

define i32 @tail2(i32 %x, ptr %p) {
  %r = musttail call i32 @f(i32 %x, ptr %p)
  ret i32 %r
}

declare i32 @__gxx_personality_v0(...)

define i32 @eh() personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke fastcc noundef i32 @f(i32 1, ptr null) #3 [ "b"(i32 1) ]
          to label %ok unwind label %lpad, !md !0

ok:                                               ; preds = %entry
  invoke void @asm_target()
          to label %ok2 unwind label %lpad2

ok2:                                              ; preds = %ok
  ret i32 %r

lpad:                                             ; preds = %entry
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @f]
  resume { ptr, i32 } %l

lpad2:                                            ; preds = %ok
  %l2 = landingpad { ptr, i32 }
          catch ptr @f
          catch ptr null
  resume { ptr, i32 } %l2
}

declare i32 @__CxxFrameHandler3(...)

define void @seh() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @asm_target()
          to label %exit unwind label %cs

cs:                                               ; preds = %entry
  %sw = catchswitch within none [label %c1, label %c2] unwind label %clean

c1:                                               ; preds = %cs
  %p1 = catchpad within %sw [ptr null, i32 64, ptr null]
  catchret from %p1 to label %exit

c2:                                               ; preds = %cs
  %p2 = catchpad within %sw []
  catchret from %p2 to label %c4

c4:                                               ; preds = %c2
  unreachable

clean:                                            ; preds = %cs
  %cp = cleanuppad within none []
  call void @asm_target() [ "funclet"(token %cp) ]
  cleanupret from %cp unwind to caller

exit:                                             ; preds = %c1, %entry
  ret void
}

define i32 @callbr(i32 %x) {
  %r = callbr i32 asm "", "=r,r,!i,!i"(i32 %x)
          to label %direct [label %ind, label %ind2]

direct:                                           ; preds = %0
  ret i32 %r

ind:                                              ; preds = %0
  ret i32 1

ind2:                                             ; preds = %0
  ret i32 2
}

; Function Attrs: alwaysinline nounwind memory(argmem: read, inaccessiblemem: write) alignstack(16) uwtable(sync) vscale_range(1,2)
define void @groups() #2 {
  call void @asm_target() #3
  call void @asm_target() #6
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #1 = { convergent nocallback nofree nosync nounwind willreturn memory(none) }
attributes #2 = { alwaysinline nounwind memory(argmem: read, inaccessiblemem: write) alignstack=16 uwtable(sync) vscale_range(1,2) "a"="b\22" "c" }
attributes #3 = { nounwind }
attributes #4 = { nounwind memory(none) }
attributes #5 = { convergent nounwind }
attributes #6 = { uwtable "d" }

!0 = !{i32 0, i32 5}
!1 = !{i64 12}
