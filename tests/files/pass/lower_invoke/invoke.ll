; test: pass lower_invoke
; Calls, and no landing pads.
declare i32 @f(i32)
declare void @g(ptr)
declare i32 @__gxx_personality_v0(...)

define i32 @two(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %a = invoke fastcc i32 @f(i32 signext %x) #0 [ "tag"(i32 7) ]
          to label %next unwind label %pad, !prof !0, !noalias !1

next:
  invoke void @g(ptr null)
          to label %end unwind label %pad

end:
  %r = phi i32 [ %a, %next ]
  ret i32 %r

pad:
  %p = phi i32 [ 1, %entry ], [ 2, %next ]
  %l = landingpad { ptr, i32 }
          cleanup
  store i32 %p, ptr null
  resume { ptr, i32 } %l
}

define i32 @straight_to_a_phi(i32 %x, i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  br i1 %c, label %work, label %end

work:
  %a = invoke i32 @f(i32 %x)
          to label %end unwind label %pad

end:
  %r = phi i32 [ %a, %work ], [ 0, %entry ]
  ret i32 %r

pad:
  %l = landingpad { ptr, i32 }
          catch ptr null
  br label %end2

end2:
  ret i32 9
}

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 1, i32 2}
!1 = !{!2}
!2 = !{!2, !3}
!3 = !{!3}

; expect ll:
; declare i32 @f(i32)
;
; declare void @g(ptr)
;
; declare i32 @__gxx_personality_v0(...)
;
; define i32 @two(i32 %x) {
; entry:
;   %a = call fastcc i32 @f(i32 signext %x) #0 [ "tag"(i32 7) ], !noalias !0
;   br label %next
;
; next:                                             ; preds = %entry
;   call void @g(ptr null)
;   br label %end
;
; end:                                              ; preds = %next
;   %r = phi i32 [ %a, %next ]
;   ret i32 %r
; }
;
; define i32 @straight_to_a_phi(i32 %x, i1 %c) {
; entry:
;   br i1 %c, label %work, label %end
;
; work:                                             ; preds = %entry
;   %a = call i32 @f(i32 %x)
;   br label %end
;
; end:                                              ; preds = %work, %entry
;   %r = phi i32 [ %a, %work ], [ 0, %entry ]
;   ret i32 %r
; }
;
; attributes #0 = { nounwind }
;
; !0 = !{!1}
; !1 = !{!1, !2}
; !2 = !{!2}
