; PTX in `module asm` meets the same rules about what ptxas loses: order in shared memory, atomicity in other blocks' memory.
; test: compile --arch sm_90
; check: .func sum(
; check: fence.acq_rel.cta;
; check: atom.relaxed.cta.shared::cta.add.f32 %f, [%a], 0f3F800000;
; check: fence.acq_rel.cta;
; check: .func most(
; check: ld.relaxed.cluster.shared::cluster.b64 *, [%a];
; check: max.u64 *, *, 5;
; check: atom.relaxed.cluster.shared::cluster.cas.b64 *, [%a], *, *;
; check-not: atom.acq_rel
; check-not: max.u64 %d
target triple = "nvptx64-nvidia-cuda"
module asm ".func sum(.param .b32 at) {"
module asm "  .reg .b32 %a; .reg .f32 %f;"
module asm "  ld.param.b32 %a, [at];"
module asm "  atom.acq_rel.cta.shared::cta.add.f32 %f, [%a], 0f3F800000;"
module asm "  ret;"
module asm "}"
module asm ".func most(.param .b32 at) {"
module asm "  .reg .b32 %a; .reg .b64 %d;"
module asm "  ld.param.b32 %a, [at];"
module asm "  atom.relaxed.cluster.shared::cluster.max.u64 %d, [%a], 5;"
module asm "  ret;"
module asm "}"
define ptx_kernel void @k() {
  ret void
}
