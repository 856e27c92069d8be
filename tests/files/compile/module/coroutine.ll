; test: compile --arch sm_90
; check: .pragma "coroutine";
; check: .visible .func part()
; check-not: .pragma "other"
target triple = "nvptx64-nvidia-cuda"

define void @part() !coroutine !0 {
  ret void
}

!0 = !{}
