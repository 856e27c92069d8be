; test: pass lower_builtins --arch sm_90
target triple = "nvptx64-nvidia-cuda"

declare void @__nvvm_membar_cta()
declare void @__nvvm_membar_gl()
declare void @__nvvm_membar_sys()

define void @f() {
  call void @__nvvm_membar_cta()
  call void @__nvvm_membar_gl()
  call void @__nvvm_membar_sys()
  ret void
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; declare void @__nvvm_membar_cta()
;
; declare void @__nvvm_membar_gl()
;
; declare void @__nvvm_membar_sys()
;
; define void @f() {
;   call void asm sideeffect "membar.cta;", "~{memory}"()
;   call void asm sideeffect "membar.gl;", "~{memory}"()
;   call void asm sideeffect "membar.sys;", "~{memory}"()
;   ret void
; }
