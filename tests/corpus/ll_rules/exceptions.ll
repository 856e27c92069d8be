; Unwinding. Device code has none, but modules that a front end made for the host have.
target triple = "x86_64-pc-linux-gnu"

declare void @may_throw()
declare i32 @__gxx_personality_v0(...)
@type = external constant ptr

define i32 @landing() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @may_throw()
          to label %fine unwind label %pad

fine:
  %r = invoke i32 @value(i32 4)
          to label %done unwind label %pad

done:
  ret i32 %r

pad:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr @type
          filter [1 x ptr] [ptr @type]
  %x = extractvalue { ptr, i32 } %l, 0
  resume { ptr, i32 } %l
}

declare i32 @value(i32)

define void @funclets() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @may_throw()
          to label %done unwind label %dispatch

dispatch:
  %cs = catchswitch within none [label %handler] unwind label %cleanup

handler:
  %cp = catchpad within %cs [ptr @type, i32 0, ptr null]
  catchret from %cp to label %done

cleanup:
  %cl = cleanuppad within none []
  call void @may_throw() [ "funclet"(token %cl) ]
  cleanupret from %cl unwind to caller

done:
  ret void
}
;; personality || define i32 @landing() personality ptr @__gxx_personality_v0 || define i32 @landing()
;; personality || define void @funclets() personality ptr @__gxx_personality_v0 || define void @funclets()
;; personality || define i32 @landing() personality ptr @__gxx_personality_v0 || define i32 @landing() personality i32 5
;; invoke || to label %fine unwind label %pad || to label %fine unwind label %done
;; invoke || to label %fine unwind label %pad || to label %pad unwind label %pad
;; invoke || to label %fine unwind label %pad || to label %fine
;; invoke || invoke i32 @value(i32 4) || invoke i32 @value(i64 4)
;; invoke || invoke i32 @value(i32 4) || invoke float @value(i32 4)
;; invoke || ret i32 %r || br label %pad
;; invoke || resume { ptr, i32 } %l || %bad = add i32 %r, 1\n  resume { ptr, i32 } %l
;; invoke || invoke void @may_throw()\n          to label %fine || call void @may_throw()\n  br label %pad\n\nother:\n  invoke void @may_throw()\n          to label %fine
;; landingpad || %l = landingpad { ptr, i32 }\n || %e = add i32 1, 2\n  %l = landingpad { ptr, i32 }\n
;; landingpad || cleanup\n          catch ptr @type\n          filter [1 x ptr] [ptr @type]\n ||
;; landingpad || catch ptr @type || catch i32 5
;; landingpad || catch ptr @type || catch [1 x ptr] [ptr @type]
;; landingpad || filter [1 x ptr] [ptr @type] || filter ptr @type
;; landingpad || filter [1 x ptr] [ptr @type] || filter [0 x ptr] undef
;; landingpad || %l = landingpad { ptr, i32 } || %l = landingpad ptr
;; landingpad || ret i32 %r || %second = landingpad { ptr, i32 } cleanup\n  ret i32 %r
;; resume || resume { ptr, i32 } %l || resume ptr %x
;; resume || resume { ptr, i32 } %l || resume { ptr, i64 } zeroinitializer
;; resume || resume { ptr, i32 } %l || resume { ptr, i32 } zeroinitializer
;; resume || define i32 @landing() personality ptr @__gxx_personality_v0 { || define void @bare() {\n  resume { ptr, i32 } zeroinitializer\n}\n\ndefine i32 @landing() personality ptr @__gxx_personality_v0 {
;; catchswitch || %cs = catchswitch within none [label %handler] || %cs = catchswitch within none []
;; catchswitch || %cs = catchswitch within none [label %handler] || %cs = catchswitch within none [label %done]
;; catchswitch || %cs = catchswitch within none [label %handler] || %cs = catchswitch within none [label %entry]
;; catchswitch || %cs = catchswitch within none [label %handler] || %cs = catchswitch within %cs [label %handler]
;; catchswitch || unwind label %cleanup\n\nhandler || unwind label %dispatch\n\nhandler
;; catchswitch || unwind label %cleanup\n\nhandler || unwind label %done\n\nhandler
;; catchswitch || unwind label %cleanup\n\nhandler || unwind to caller\n\nhandler
;; catchswitch || dispatch:\n || dispatch:\n  %z = add i32 1, 1\n
;; catchpad || %cp = catchpad within %cs || %cp = catchpad within none
;; catchpad || %cp = catchpad within %cs || %cp = catchpad within %cl
;; catchpad || %cp = catchpad within %cs || %zz = add i32 1, 1\n  %cp = catchpad within %cs
;; catchpad || catchret from %cp to label %done || catchret from %cs to label %done
;; catchpad || catchret from %cp to label %done || catchret from %cp to label %cleanup
;; catchpad || catchret from %cp to label %done || br label %done
;; cleanuppad || %cl = cleanuppad within none [] || %cl = cleanuppad within %cp []
;; cleanuppad || %cl = cleanuppad within none [] || %zz = add i32 1, 1\n  %cl = cleanuppad within none []
;; cleanuppad || cleanupret from %cl unwind to caller || cleanupret from %cp unwind to caller
;; cleanuppad || cleanupret from %cl unwind to caller || cleanupret from %cl unwind label %done
;; cleanuppad || cleanupret from %cl unwind to caller || cleanupret from %cl unwind label %cleanup
;; funclet-bundle || [ "funclet"(token %cl) ] || [ "funclet"(i32 5) ]
;; funclet-bundle || [ "funclet"(token %cl) ] || [ "funclet"(token %cl), "funclet"(token %cl) ]
;; funclet-bundle || [ "funclet"(token %cl) ] || [ "funclet"(token %cs) ]
;; funclet-bundle || [ "funclet"(token %cl) ] || [ "funclet"() ]
;; tokens || %cl = cleanuppad within none []\n || %cl = cleanuppad within none []\n  %sel = select i1 true, token %cl, token %cl\n
;; tokens || %cl = cleanuppad within none []\n || %cl = cleanuppad within none []\n  store token %cl, ptr @type\n
