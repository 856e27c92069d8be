; test: compile --arch sm_90
; check: .visible .entry k(
; check: .local .align 4 .b8 own[16];
; check: ld.local.b32 *, [own+8];
; run: --kernel k --grid 1 --block 1 --arg u32[1]=0 --expect 0:=3
; A variable in local memory belongs to the one kernel that uses it.
target triple = "nvptx64-nvidia-cuda"

@own = internal addrspace(5) global [4 x i32] undef, align 4

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %p = getelementptr i32, ptr addrspace(5) @own, i64 2
  store i32 3, ptr addrspace(5) %p
  %a = load volatile i32, ptr addrspace(5) %p
  store i32 %a, ptr addrspace(1) %out
  ret void
}
