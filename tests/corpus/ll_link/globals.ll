;; set appending-used
@a = global i32 1
@llvm.used = appending global [1 x ptr] [ptr @a], section "llvm.metadata"
;; with
@b = global i32 2
@c = internal global i32 3
@llvm.used = appending global [2 x ptr] [ptr @b, ptr @c], section "llvm.metadata"
;; set appending-constructors
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @first, ptr null }]
define internal void @first() {
  ret void
}
;; with
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 2, ptr @second, ptr @data }]
@data = global i8 1
define internal void @second() {
  ret void
}
;; set appending-one-side
@a = global i32 1
;; with
@b = global i32 1
@llvm.compiler.used = appending global [1 x ptr] [ptr @b], section "llvm.metadata"
;; set internal-renamed
@x = internal global i32 1
define ptr @first() {
  ret ptr @x
}
;; with
@x = internal global i32 2
define ptr @second() {
  ret ptr @x
}
;; set internal-against-external
@x = internal global i32 1
define ptr @first() {
  ret ptr @x
}
;; with
@x = global i32 2
define ptr @second() {
  ret ptr @x
}
;; set private-strings
@.str = private unnamed_addr constant [3 x i8] c"ab\00"
define ptr @first() {
  ret ptr @.str
}
;; with
@.str = private unnamed_addr constant [4 x i8] c"abc\00"
define ptr @second() {
  ret ptr @.str
}
;; with
@.str = private unnamed_addr constant [5 x i8] c"abcd\00"
define ptr @third() {
  ret ptr @.str
}
;; set declaration-resolved
declare i32 @f(i32)
define i32 @main() {
  %r = call i32 @f(i32 3)
  ret i32 %r
}
;; with
define i32 @f(i32 %x) {
  ret i32 %x
}
;; set declaration-of-another-type
declare i32 @f(i32)
define i32 @main() {
  %r = call i32 @f(i32 3)
  ret i32 %r
}
;; with
define float @f(float %x) {
  ret float %x
}
;; set variable-of-another-type
@x = external global i32
define i32 @get() {
  %r = load i32, ptr @x
  ret i32 %r
}
;; with
@x = global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
;; set function-against-variable
declare void @x()
define void @call() {
  call void @x()
  ret void
}
;; with
@x = global i32 5
;; set two-functions
define void @f() {
  ret void
}
;; with
define void @f() {
  unreachable
}
;; set two-variables
@x = global i32 1
;; with
@x = global i32 2
;; set common-sizes
@x = common global i32 0, align 4
;; with
@x = common global [4 x i32] zeroinitializer, align 16
;; set common-alignment
@x = common global i64 0, align 8
;; with
@x = common global i64 0, align 32
;; set alignment-joined
@x = weak global i32 1, align 4
;; with
@x = weak global i32 1, align 16
;; set constness-joined
@x = external constant i32
define ptr @get() {
  ret ptr @x
}
;; with
@x = global i32 3
;; set address-space-differs
@x = external addrspace(1) global i32
define ptr addrspace(1) @get() {
  ret ptr addrspace(1) @x
}
;; with
@x = addrspace(3) global i32 undef
;; set address-space-same
@x = external addrspace(3) global [0 x float]
define ptr addrspace(3) @get() {
  ret ptr addrspace(3) @x
}
;; with
@x = addrspace(3) global [0 x float] undef, align 16
;; set unnamed-address-joined
@x = weak unnamed_addr constant i32 1
define void @f() unnamed_addr {
  ret void
}
;; with
@x = weak constant i32 1
declare void @f() local_unnamed_addr
define void @g() {
  call void @f()
  ret void
}
;; set visibility-joined
@x = external hidden global i32
@y = external global i32
define void @f(ptr %p) {
  store ptr @x, ptr %p
  store ptr @y, ptr %p
  ret void
}
;; with
@x = global i32 1
@y = protected global i32 2
;; set thread-local
@x = external thread_local global i32
define ptr @get() {
  ret ptr @x
}
;; with
@x = thread_local(initialexec) global i32 1
;; set section
@x = external global i32, section "here"
define ptr @get() {
  ret ptr @x
}
;; with
@x = global i32 1, section "there"
;; set initialised-outside
@x = external addrspace(4) constant i32
define ptr addrspace(4) @get() {
  ret ptr addrspace(4) @x
}
;; with
@x = addrspace(4) externally_initialized constant i32 undef, align 4
;; set metadata-of-globals
@x = external global i32, !a !0
define ptr @get() {
  ret ptr @x
}
!0 = !{!"first"}
;; with
@x = global i32 1, !a !0, !b !1
!0 = !{!"second"}
!1 = !{i32 7}
;; set available-externally-resolved
define available_externally i32 @f() {
  ret i32 1
}
define i32 @use() {
  %r = call i32 @f()
  ret i32 %r
}
;; with
define i32 @f() {
  ret i32 1
}
;; set unused-declarations
declare void @unused()
@nothing = external global i32
define void @main() {
  ret void
}
;; with
declare void @also_unused(i32)
define void @other() {
  ret void
}
;; set unused-linkonce
define void @main() {
  ret void
}
;; with
define linkonce_odr void @lazy() {
  call void @deeper()
  ret void
}
define linkonce_odr void @deeper() {
  ret void
}
;; set needed-linkonce
declare void @lazy()
define void @main() {
  call void @lazy()
  ret void
}
;; with
define linkonce_odr void @lazy() {
  call void @deeper()
  ret void
}
define linkonce_odr void @deeper() {
  ret void
}
define linkonce_odr void @never() {
  ret void
}
;; set module-asm
module asm "// one"
define void @f() {
  ret void
}
;; with
module asm "// two"
;; set triples
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
define void @f() {
  ret void
}
;; with
define void @g() {
  ret void
}
;; set no-triple-first
define void @f() {
  ret void
}
;; with
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
define void @g() {
  ret void
}
;; set three-modules
declare i32 @b(i32)
define i32 @a(i32 %x) {
  %r = call i32 @b(i32 %x)
  ret i32 %r
}
;; with
declare i32 @c(i32)
define i32 @b(i32 %x) {
  %r = call i32 @c(i32 %x)
  ret i32 %r
}
;; with
@seed = internal constant i32 17
define i32 @c(i32 %x) {
  %s = load i32, ptr @seed
  %r = add i32 %x, %s
  ret i32 %r
}
;; set device-library
target triple = "nvptx64-nvidia-cuda"
declare float @__nv_sinf(float)
define ptx_kernel void @k(ptr %p) {
  %v = load float, ptr %p
  %r = call float @__nv_sinf(float %v)
  store float %r, ptr %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
;; with --only-needed
target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(1) constant [2 x float] [float 0.0, float 1.0]
define float @__nv_sinf(float %x) {
  %p = getelementptr [2 x float], ptr addrspace(1) @table, i64 0, i64 1
  %s = load float, ptr addrspace(1) %p
  %r = call float @helper(float %s)
  ret float %r
}
define internal float @helper(float %x) {
  %r = fmul float %x, 2.0
  ret float %r
}
define float @__nv_cosf(float %x) {
  ret float %x
}
;; set internalised
declare i32 @f()
define i32 @main() {
  %r = call i32 @f()
  ret i32 %r
}
;; with --internalize
@state = global i32 4
define i32 @f() {
  %r = load i32, ptr @state
  ret i32 %r
}
define i32 @g() {
  ret i32 2
}
;; set internalised-needed
declare i32 @f()
define i32 @main() {
  %r = call i32 @f()
  ret i32 %r
}
;; with --internalize --only-needed
@state = global i32 4
define i32 @f() {
  %r = load i32, ptr @state
  ret i32 %r
}
define i32 @g() {
  ret i32 2
}
