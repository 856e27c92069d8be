; test: pass generic_to_nvvm
; As `opt -passes=generic-to-nvvm` of LLVM 22 does it, and `nvvm.` names stay too.
target triple = "nvptx64-nvidia-cuda"
@g = global i32 3
@c = constant [2 x ptr] [ptr @g, ptr getelementptr (i8, ptr @g, i64 2)]
@nvvm.kept = global i32 0
@own = thread_local global i32 0
@llvm.kept = global i32 0
@shared = addrspace(3) global i32 undef
@const = addrspace(4) constant i32 1
@d = external global i32
@tex = global i64 0
@a = alias i32, ptr @g
@i = global i64 ptrtoint (ptr @g to i64)
@as = global ptr addrspace(1) addrspacecast (ptr @g to ptr addrspace(1))
define i32 @f(i32 %n) {
  %p = getelementptr [2 x ptr], ptr @c, i32 0, i32 %n
  %q = load ptr, ptr %p
  %v = load i32, ptr %q
  %w = load i32, ptr @d
  %x = load i32, ptr @a
  %s = add i32 %v, %w
  ret i32 %s
}
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @tex, !"texture", i32 1}
!1 = !{ptr @g, !"managed", i32 1}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; @g = addrspace(1) global i32 3
; @c = addrspace(1) constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @g to ptr), ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @g to ptr), i64 2)]
; @nvvm.kept = global i32 0
; @own = thread_local global i32 0
; @llvm.kept = global i32 0
; @shared = addrspace(3) global i32 undef
; @const = addrspace(4) constant i32 1
; @d = external addrspace(1) global i32
; @tex = global i64 0
; @i = addrspace(1) global i64 ptrtoint (ptr addrspacecast (ptr addrspace(1) @g to ptr) to i64)
; @as = addrspace(1) global ptr addrspace(1) @g
;
; @a = alias i32, addrspacecast (ptr addrspace(1) @g to ptr)
;
; define i32 @f(i32 %n) {
;   %p = getelementptr [2 x ptr], ptr addrspacecast (ptr addrspace(1) @c to ptr), i32 0, i32 %n
;   %q = load ptr, ptr %p
;   %v = load i32, ptr %q
;   %w = load i32, ptr addrspacecast (ptr addrspace(1) @d to ptr)
;   %x = load i32, ptr @a
;   %s = add i32 %v, %w
;   ret i32 %s
; }
;
; !nvvm.annotations = !{!0, !1}
;
; !0 = !{ptr @tex, !"texture", i32 1}
; !1 = !{ptr addrspacecast (ptr addrspace(1) @g to ptr), !"managed", i32 1}
