; test: pass lower_reflect
; Only constant strings can be asked for.
@text = global [4 x i8] c"abc\00"

declare i32 @__nvvm_reflect(ptr)

define i32 @f(ptr %name) {
  %a = call i32 @__nvvm_reflect(ptr %name) ; error: argument of __nvvm_reflect is not a constant string
  %b = call i32 @__nvvm_reflect(ptr @text) ; error: argument of __nvvm_reflect is not a constant string
  %c = add i32 %a, %b
  ret i32 %c
}
