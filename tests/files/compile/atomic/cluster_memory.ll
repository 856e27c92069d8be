; test: compile --arch sm_90
; check: ) both
; check: atom.relaxed.cluster.shared::cluster.cas.b64
; check: atom.relaxed.cluster.shared::cluster.add.u64
; check: atom.relaxed.cluster.shared::cluster.and.b32
; check: ) pairs
; check: atom.relaxed.cluster.shared::cluster.cas.b32
; check: ) mapped
; check: isspacep.shared::cluster
; check: atom.relaxed.cluster.cas.b64
; check: atom.relaxed.cluster.max.s64
; check: ) known
; check: atom.relaxed.cluster.global.max.s64
; check: ) inline
; check: @!* bra $cas$end;
; check: isspacep.shared::cluster
; check: atom.relaxed.gpu.cas.b64
; check: ) own_name
; check: .reg .b64 %cas$old_;
; check: xor.b64 %cas$new_, %cas$old_, %cas$old;
; check-not: shared::cluster.and.b64
; check-not: shared::cluster.add.noftz
; ptxas makes a plain load and store of some operations on the shared memory of another block: loops stand for them,
; at a generic address after a test whether it lies there.
target triple = "nvptx64-nvidia-cuda"
declare ptr @llvm.nvvm.mapa(ptr, i32)

define i64 @both(ptr addrspace(7) %p, i64 %v, i32 %w) {
  %a = atomicrmw and ptr addrspace(7) %p, i64 %v syncscope("cluster") monotonic
  %b = atomicrmw add ptr addrspace(7) %p, i64 %v syncscope("cluster") monotonic
  %c = atomicrmw and ptr addrspace(7) %p, i32 %w syncscope("cluster") monotonic
  %d = zext i32 %c to i64
  %e = add i64 %a, %b
  %f = add i64 %e, %d
  ret i64 %f
}

define <2 x half> @pairs(ptr addrspace(7) %p, <2 x half> %v) {
  %a = atomicrmw fadd ptr addrspace(7) %p, <2 x half> %v syncscope("cluster") monotonic
  ret <2 x half> %a
}

define i64 @mapped(ptr %p, i32 %rank, i64 %v) {
  %there = call ptr @llvm.nvvm.mapa(ptr %p, i32 %rank)
  %slot = getelementptr i64, ptr %there, i64 3
  %a = atomicrmw max ptr %slot, i64 %v syncscope("cluster") monotonic
  ret i64 %a
}

define i64 @known(ptr addrspace(1) %p, i64 %v) {
  %generic = addrspacecast ptr addrspace(1) %p to ptr
  %a = atomicrmw max ptr %generic, i64 %v syncscope("cluster") monotonic
  ret i64 %a
}

define i64 @inline(ptr %p, i64 %v, i32 %w) {
  %a = call i64 asm sideeffect "{ .reg .pred q; setp.ne.u32 q, $3, 0; mov.b64 $0, 0; @q atom.xor.b64 $0, [$1+8], $2; }", "=&l,l,l,r,~{memory}"(ptr %p, i64 %v, i32 %w)
  ret i64 %a
}

define i64 @own_name(ptr %p, i64 %v) {
  %a = call i64 asm sideeffect "{ .reg .b64 %cas$$old; mov.b64 %cas$$old, $2; atom.xor.b64 $0, [$1], %cas$$old; }", "=l,l,l,~{memory}"(ptr %p, i64 %v)
  ret i64 %a
}
