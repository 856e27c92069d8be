; test: compile --arch sm_75
; check: add.rn.f32 *;
; check: add.rn.ftz.f32 *;
; check: setp.lt.ftz.f32 *;
; check: add.rn.f32 *;
; check: add.rn.ftz.f32 *;
; check: add.rn.ftz.f32 *;
; test: compile --arch sm_75 --ftz on
; check: add.rn.ftz.f32 *;
; check: add.rn.ftz.f32 *;
; check: add.rn.ftz.f32 *;
; check: add.rn.f16 *;
; check-not: add.rn.f32
; test: compile --arch sm_75 --ftz off
; check: add.rn.f32 *;
; check-not: ftz
; Who asks for denormal numbers to be flushed: attributes of functions, unless the command line does.
target triple = "nvptx64-nvidia-cuda"

define void @plain(ptr %p, float %a) {
  %x = fadd float %a, 1.0
  store float %x, ptr %p
  ret void
}

define void @single(ptr %p, float %a) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %x = fadd float %a, 1.0
  %less = fcmp olt float %a, %x
  %chosen = select i1 %less, float %a, float 2.0
  store float %chosen, ptr %p
  ret void
}

define void @single_is_special(ptr %p, float %a) "denormal-fp-math"="preserve-sign,preserve-sign" "denormal-fp-math-f32"="ieee" {
  %x = fadd float %a, 1.0
  store float %x, ptr %p
  ret void
}

define void @all(ptr %p, float %a) "denormal-fp-math"="preserve-sign,preserve-sign" {
  %x = fadd float %a, 1.0
  store float %x, ptr %p
  ret void
}

define void @old(ptr %p, float %a, half %h) "nvptx-f32ftz"="true" {
  %x = fadd float %a, 1.0
  store float %x, ptr %p
  %y = fadd half %h, 1.0
  store half %y, ptr %p
  ret void
}
