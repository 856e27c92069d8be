;; set same-named-types
%pair = type { i32, float }
define i32 @f(ptr %p) {
  %q = getelementptr %pair, ptr %p, i32 0, i32 0
  %r = load i32, ptr %q
  ret i32 %r
}
;; with
%pair = type { i32, float }
define void @g(ptr %p) {
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  store float 1.0, ptr %q
  ret void
}
;; set different-types-of-one-name
%pair = type { i32, float }
define i64 @f() {
  %p = alloca %pair
  ret i64 1
}
;; with
%pair = type { double, ptr, i8 }
define i64 @g() {
  %p = alloca %pair
  ret i64 2
}
;; set opaque-completed
%t = type opaque
declare void @take(ptr byval({ i8 }))
define ptr @f(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  ret ptr %q
}
;; with
%t = type { i32, i32 }
define i32 @g() {
  %p = alloca %t
  ret i32 0
}
;; set renamed-types
%node.1 = type { i32, ptr }
@a = global %node.1 { i32 1, ptr @b }
@b = external global %node.1
;; with
%node = type { i32, ptr }
@a = external global %node
@b = global %node { i32 2, ptr @a }
;; set nested-types
%inner = type { i16, i16 }
%outer = type { %inner, [2 x %inner] }
@x = global %outer zeroinitializer
;; with
%inner = type { i16, i16 }
%outer = type { %inner, [2 x %inner] }
@y = global %outer zeroinitializer
define i16 @get() {
  %v = load i16, ptr getelementptr (%outer, ptr @y, i32 0, i32 1, i32 1, i32 0)
  ret i16 %v
}
;; set packed-and-not
%s = type { i8, i32 }
@x = global %s { i8 1, i32 2 }
;; with
%s = type <{ i8, i32 }>
@y = global %s <{ i8 1, i32 2 }>
;; set literal-and-named
@x = external global { i32, i32 }
define ptr @get() {
  ret ptr @x
}
;; with
%s = type { i32, i32 }
@x = global %s { i32 1, i32 2 }
;; set attributes-of-types
%s = type { i32, i64 }
declare void @f(ptr byval(%s) align 8)
define void @caller(ptr %p) {
  call void @f(ptr byval(%s) align 8 %p)
  ret void
}
;; with
%s = type { i32, i64 }
define void @f(ptr byval(%s) align 8 %p) {
  ret void
}
;; set target-types
define void @f(target("spirv.Image", i32, 0) %x) {
  ret void
}
;; with
define void @g(target("spirv.Image", i32, 0) %x) {
  ret void
}
