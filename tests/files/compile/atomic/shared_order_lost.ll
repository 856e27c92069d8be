; test: compile --arch sm_90
; check: ) sum
; check: fence.acq_rel.gpu;
; check: atom.relaxed.gpu.shared.add.f32
; check: fence.acq_rel.gpu;
; check: ) wide
; check: fence.sc.gpu;
; check: atom.relaxed.gpu.shared.max.u64
; check: fence.acq_rel.gpu;
; check: red.relaxed.cta.shared.add.u64
; check: ) kept
; check: atom.acq_rel.sys.shared.add.u32
; check: atom.acq_rel.sys.shared.exch.b64
; ptxas drops the order of what is a loop in shared memory: fences have it. Other operations keep theirs.
target triple = "nvptx64-nvidia-cuda"

define float @sum(ptr addrspace(3) %p, float %v) {
  %a = atomicrmw fadd ptr addrspace(3) %p, float %v syncscope("device") acq_rel
  ret float %a
}

define i64 @wide(ptr addrspace(3) %p, i64 %v) {
  %a = atomicrmw umax ptr addrspace(3) %p, i64 %v syncscope("device") seq_cst
  %b = atomicrmw sub ptr addrspace(3) %p, i64 %v syncscope("block") release
  ret i64 %a
}

define i32 @kept(ptr addrspace(3) %p, i64 %w, i32 %v) {
  %a = atomicrmw add ptr addrspace(3) %p, i32 %v acq_rel
  %b = atomicrmw xchg ptr addrspace(3) %p, i64 %w acq_rel
  ret i32 %a
}
