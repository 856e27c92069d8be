; test: compile --arch sm_60
; check: equal(
; check: membar.gl;
; check: ret;
; check: covered(
; check: membar.sys;
; check: ret;
; check: row(
; check: membar.cta;
; check: atom.cta.add.u32
; check: membar.cta;
; check: atom.cta.add.u32
; check: membar.cta;
; check: ret;
; check-not: fence
; test: compile --arch sm_75
; check: equal(
; check: fence.sc.gpu;
; check: ret;
; check: covered(
; check: fence.sc.sys;
; check: ret;
; check: apart(
; check: fence.acq_rel.cta;
; check: ld.b32
; check: fence.acq_rel.cta;
; check: ret;
; check: neither(
; check: fence.sc.cta;
; check: fence.acq_rel.gpu;
; check: ret;
; check: written(
; check: fence.sc.sys;
; check: atom.acquire.sys.add.u32
; check: ret;
; check: barrier(
; check: fence.acq_rel.cta;
; check: bar.sync 0;
; check: fence.acq_rel.cta;
; check: ret;
; Fences beside each other: equal ones and covered ones go, but never across accesses, barriers and inline PTX.
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.membar.cta()
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.membar.sys()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @equal() {
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("block") acquire
  ret void
}

define i32 @covered(i32 %x) {
  fence syncscope("block") release
  %y = mul i32 %x, %x
  call void @llvm.nvvm.membar.cta()
  call void @llvm.nvvm.membar.gl()
  fence seq_cst
  ret i32 %y
}

define i32 @row(ptr %p, ptr %q) {
  %a = atomicrmw add ptr %p, i32 1 syncscope("block") acq_rel
  %b = atomicrmw add ptr %q, i32 %a syncscope("block") acq_rel
  ret i32 %b
}

define i32 @apart(ptr %p) {
  fence syncscope("block") acq_rel
  %a = load i32, ptr %p
  fence syncscope("block") acq_rel
  ret i32 %a
}

define void @neither() {
  fence syncscope("block") seq_cst
  fence syncscope("device") acq_rel
  ret void
}

define i32 @written(ptr %p) {
  fence seq_cst
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  ret i32 %a
}

define void @barrier() {
  fence syncscope("block") acq_rel
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  fence syncscope("block") acq_rel
  ret void
}

define void @text() {
  fence syncscope("block") acq_rel
  call void asm sideeffect "// nothing", "~{memory}"()
  fence syncscope("block") acq_rel
  ret void
}
