; test: pass lower_invoke
; What raises exceptions itself, and assembly that jumps.
declare i32 @__gxx_personality_v0(...)

define void @raises(i1 %c) personality ptr @__gxx_personality_v0 {
  resume { ptr, i32 } undef ; error: `resume` can be reached
}

define void @cleanup() personality ptr @__gxx_personality_v0 {
entry:
  br label %next

next:
  callbr void asm sideeffect "", "!i"() ; error: PTX has no assembly that jumps
          to label %one [label %two]

one:
  ret void

two:
  ret void
}
