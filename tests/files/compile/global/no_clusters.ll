; The directives of a kernel that its target lacks.
; test: compile --arch sm_80
; check: .reqntid 128, 2
; check: .minnctapersm 2
; check: .maxnreg 32
; check-not: cluster
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(i32 %n) "nvvm.maxntid"="128" "nvvm.reqntid"="128,2" "nvvm.cluster_dim"="2,1,1" "nvvm.minctasm"="2" "nvvm.maxnreg"="32" "nvvm.maxclusterrank"="8" "nvvm.blocksareclusters" { ; warning: blocksareclusters requires clusters, which sm_80 does not have
  ret void
}
