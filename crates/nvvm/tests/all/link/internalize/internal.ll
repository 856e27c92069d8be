$g = comdat nodeduplicate

@kept = global i32 1
@gone = internal global i32 2
@outside = externally_initialized global i32 3
@used = global i32 4
@table = internal global [2 x ptr] [ptr @inner, ptr @used]
@llvm.used = appending global [1 x ptr] [ptr @used], section "llvm.metadata"
@h = internal global i32 5

@other = internal alias i32, ptr @gone

@chosen = ifunc void (), ptr @choose

define hidden void @api() {
  call void @inner()
  call void @declared()
  %x = load ptr, ptr @h, align 8
  ret void
}

define internal ptr @choose() {
  ret ptr @inner
}

define internal void @inner() {
  ret void
}

define internal void @g() comdat {
  call void @g2()
  ret void
}

define internal void @g2() comdat($g) {
  ret void
}

declare void @declared()

declare void @never()

!nvvm.annotations = !{!0, !1}

!0 = !{ptr @api, !"k", i32 1}
!1 = !{ptr @gone, !"k", i32 1}
