;; set comdat-any
$f = comdat any
define linkonce_odr i32 @f() comdat {
  ret i32 1
}
define i32 @first() {
  %r = call i32 @f()
  ret i32 %r
}
;; with
$f = comdat any
define linkonce_odr i32 @f() comdat {
  ret i32 1
}
define i32 @second() {
  %r = call i32 @f()
  ret i32 %r
}
;; set comdat-largest
$x = comdat largest
@x = global i32 1, comdat
;; with
$x = comdat largest
@x = global [2 x i32] [i32 1, i32 2], comdat
;; set comdat-largest-first
$x = comdat largest
@x = global [2 x i32] [i32 1, i32 2], comdat
;; with
$x = comdat largest
@x = global i32 1, comdat
;; set comdat-samesize
$x = comdat samesize
@x = global i32 1, comdat
;; with
$x = comdat samesize
@x = global i32 2, comdat
;; set comdat-samesize-differs
$x = comdat samesize
@x = global i32 1, comdat
;; with
$x = comdat samesize
@x = global i64 2, comdat
;; set comdat-exactmatch
$x = comdat exactmatch
@x = global i32 1, comdat
;; with
$x = comdat exactmatch
@x = global i32 1, comdat
;; set comdat-exactmatch-differs
$x = comdat exactmatch
@x = global i32 1, comdat
;; with
$x = comdat exactmatch
@x = global i32 2, comdat
;; set comdat-nodeduplicate
$x = comdat nodeduplicate
@x = global i32 1, comdat
;; with
$x = comdat nodeduplicate
@x = global i32 1, comdat
;; set comdat-kinds-differ
$x = comdat any
@x = global i32 1, comdat
;; with
$x = comdat largest
@x = global i64 1, comdat
;; set comdat-kinds-conflict
$x = comdat exactmatch
@x = global i32 1, comdat
;; with
$x = comdat samesize
@x = global i32 1, comdat
;; set comdat-group
$g = comdat any
@data = linkonce_odr global i32 1, comdat($g)
@extra = internal global i32 2, comdat($g)
define linkonce_odr ptr @g() comdat {
  ret ptr @extra
}
define ptr @first() {
  %r = call ptr @g()
  ret ptr %r
}
;; with
$g = comdat any
@data = linkonce_odr global i32 1, comdat($g)
@extra = internal global i32 2, comdat($g)
define linkonce_odr ptr @g() comdat {
  ret ptr @extra
}
define ptr @second() {
  %r = call ptr @g()
  ret ptr %r
}
;; set comdat-only-in-second
define weak i32 @f() {
  ret i32 1
}
;; with
$f = comdat any
define weak i32 @f() comdat {
  ret i32 2
}
