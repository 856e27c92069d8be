; test: compile --arch sm_90 --demote-shared on
; check: // own has been demoted
; check: .shared .align 4 .b32 both;
; check: .visible .shared .align 4 .b32 seen;
; check: .visible .entry k(
; check: .shared .align 4 .b32 own;
; check: .visible .entry l(
; test: compile --arch sm_90
; check: .shared .align 4 .b32 own;
; check: .visible .entry k(
; check-not: demoted
; run: --kernel k --grid 1 --block 1 --arg u32[1]=0 --expect 0:=12
; run: --kernel l --grid 1 --block 1 --arg u32[1]=0 --expect 0:=9
; A shared variable that one function alone uses is declared inside of it.
target triple = "nvptx64-nvidia-cuda"

@own = internal addrspace(3) global i32 undef, align 4
@both = internal addrspace(3) global i32 undef, align 4
@seen = addrspace(3) global i32 undef, align 4

define ptx_kernel void @k(ptr addrspace(1) %out) {
  store i32 5, ptr addrspace(3) @own
  store i32 7, ptr addrspace(3) @both
  store i32 0, ptr addrspace(3) @seen
  %a = load volatile i32, ptr addrspace(3) @own
  %b = load volatile i32, ptr addrspace(3) @both
  %s = add i32 %a, %b
  store i32 %s, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @l(ptr addrspace(1) %out) {
  store i32 9, ptr addrspace(3) @both
  %b = load volatile i32, ptr addrspace(3) @both
  store i32 %b, ptr addrspace(1) %out
  ret void
}
