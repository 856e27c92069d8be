;; set alias-kept
@x = global i32 1
@y = alias i32, ptr @x
;; with
@y = external global i32
define ptr @get() {
  ret ptr @y
}
;; set alias-resolves
@y = external global i32
define ptr @get() {
  ret ptr @y
}
;; with
@x = internal global i32 1
@y = alias i32, ptr @x
;; set alias-to-function
define void @f() {
  ret void
}
@g = alias void (), ptr @f
;; with
declare void @g()
define void @call() {
  call void @g()
  ret void
}
;; set weak-alias
@x = global i32 1
@y = weak alias i32, ptr @x
;; with
@z = global i32 2
@y = alias i32, ptr @z
;; set weak-alias-against-definition
@x = global i32 1
@y = weak alias i32, ptr @x
;; with
@y = global i32 7
;; set two-aliases
@x = global i32 1
@y = alias i32, ptr @x
;; with
@z = global i32 2
@y = alias i32, ptr @z
;; set internal-aliases
@x = internal global i32 1
@y = internal alias i32, ptr @x
define ptr @first() {
  ret ptr @y
}
;; with
@x = internal global i32 2
@y = internal alias i32, ptr @x
define ptr @second() {
  ret ptr @y
}
;; set alias-inside
@x = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@third = alias i32, getelementptr ([4 x i32], ptr @x, i64 0, i64 2)
;; with
@third = external global i32
define i32 @get() {
  %r = load i32, ptr @third
  ret i32 %r
}
;; set linkonce-alias
@x = linkonce_odr global i32 1
@y = linkonce_odr alias i32, ptr @x
define ptr @get() {
  ret ptr @y
}
;; with
@x = linkonce_odr global i32 1
@y = linkonce_odr alias i32, ptr @x
define ptr @other() {
  ret ptr @x
}
;; set ifunc
define ptr @resolver() {
  ret ptr null
}
@f = ifunc i32 (i32), ptr @resolver
;; with
declare i32 @f(i32)
define i32 @call() {
  %r = call i32 @f(i32 1)
  ret i32 %r
}
