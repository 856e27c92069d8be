; test: compile --arch sm_90
; check: .visible .global .attribute(.unified(1, 2)) .align 4 .b32 shared_by_all;
; check: .visible .global .attribute(.unified(0, 7)) .align 4 .b32 short;
; Variables that several modules share, by an identifier of 128 bits.
target triple = "nvptx64-nvidia-cuda"

@shared_by_all = addrspace(1) global i32 0
@short = addrspace(1) global i32 0

!nvvm.annotations = !{!0, !1}
!0 = !{ptr addrspace(1) @shared_by_all, !"unified", i128 18446744073709551618}
!1 = !{ptr addrspace(1) @short, !"unified", i32 7}
