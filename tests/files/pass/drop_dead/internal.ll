; test: pass drop_dead
; Kernels stay even if internal; what only the dead use goes with them.
@used = internal global i32 0
@unused = internal global i32 0
@seen = global i32 0

declare void @needed(ptr)
declare void @not_needed(ptr)

define internal ptx_kernel void @kernel() {
  call void @needed(ptr @used)
  ret void

dead:
  call void @not_needed(ptr @unused)
  br label %dead
}

define internal void @helper() {
  call void @not_needed(ptr @unused)
  ret void
}

; expect ll:
; @used = internal global i32 0
; @seen = global i32 0
;
; declare void @needed(ptr)
;
; define internal ptx_kernel void @kernel() {
;   call void @needed(ptr @used)
;   ret void
; }
