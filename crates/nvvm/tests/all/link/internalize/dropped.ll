@kept = global i32 1
@outside = externally_initialized global i32 3
@used = global i32 4
@llvm.used = appending global [1 x ptr] [ptr @used], section "llvm.metadata"
@h = internal global i32 5

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

declare void @declared()

!nvvm.annotations = !{!0, !1}

!0 = !{ptr @api, !"k", i32 1}
!1 = distinct !{null, !"k", i32 1}
