; test: compile --arch sm_90
; check: .entry through_generic
; check: cvta.global.u64
; check: cvta.to.shared.u64
; check: .entry near
; check: .entry back
; check: cvta.shared::cluster.u64
; check: cvta.to.shared.u64
; run: --kernel through_generic --grid 1 --block 1 --arg u32[2]=7,8 --arg u8=0 --expect 0:=7,8
; run: --kernel back --grid 1 --block 1 --arg u32[1]=5 --arg u32[1]=0 --expect 1:=5
; An address is cast between any two spaces through the generic one.
target triple = "nvptx64-nvidia-cuda"

@here = internal addrspace(3) global i32 poison

; An address that is not in the other space has no meaning there, but may be asked for where it never matters.
define ptx_kernel void @through_generic(ptr addrspace(1) %in, i1 %never) {
  br i1 %never, label %yes, label %no

yes:
  %s = addrspacecast ptr addrspace(1) %in to ptr addrspace(3)
  store i32 1, ptr addrspace(3) %s
  br label %no

no:
  ret void
}

define ptx_kernel void @near(ptr addrspace(7) %p, ptr addrspace(1) %out) {
  %c = addrspacecast ptr addrspace(3) @here to ptr addrspace(7)
  %v = load i32, ptr addrspace(7) %p
  store i32 %v, ptr addrspace(7) %c
  ret void
}

define ptx_kernel void @back(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) %in
  store i32 %v, ptr addrspace(3) @here
  %c = addrspacecast ptr addrspace(3) @here to ptr addrspace(7)
  %s = addrspacecast ptr addrspace(7) %c to ptr addrspace(3)
  %w = load volatile i32, ptr addrspace(3) %s
  store i32 %w, ptr addrspace(1) %out
  ret void
}
