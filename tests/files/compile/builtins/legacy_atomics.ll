; CUDA's atomics: contended sums, minima and counters; a result that nobody reads needs no `atom`.
; test: compile --arch sm_60
; test: compile --arch sm_75 --atomics cuda
; test: compile --arch sm_90
; check: red.*gpu.global.add.u32
; check: atom.*cta.shared.inc.u32
; check: atom.*sys.global.cas.b64
; check-not: fence
; check-not: membar
; check-not: call
; run: --grid 2 --block 32 --arg u32[8]=100 --arg u64[2]=0 --arg f32[1]=0 --expect 0:=164,131,0,36,36,100,100,100 --expect 1:=64,0 --expect 2:=32
target triple = "nvptx64-nvidia-cuda"

@turn = internal addrspace(3) global i32 poison

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @__nvvm_atom_add_gen_i(ptr, i32)
declare i32 @__nvvm_atom_max_gen_i(ptr, i32)
declare i32 @__nvvm_atom_min_gen_ui(ptr, i32)
declare i32 @__nvvm_atom_dec_gen_ui(ptr, i32)
declare i32 @__nvvm_atom_cta_inc_gen_ui(ptr, i32)
declare i32 @__nvvm_atom_and_gen_i(ptr, i32)
declare float @__nvvm_atom_add_gen_f(ptr, float)
declare i64 @__nvvm_atom_sys_cas_gen_ll(ptr, i64, i64)

define ptx_kernel void @k(ptr %sums, ptr %wide, ptr %numbers) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 0, ptr addrspace(3) @turn
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a = call i32 @__nvvm_atom_add_gen_i(ptr %sums, i32 1)
  %big = add i32 %t, 100
  %p1 = getelementptr i32, ptr %sums, i32 1
  %c = call i32 @__nvvm_atom_max_gen_i(ptr %p1, i32 %big)
  %p2 = getelementptr i32, ptr %sums, i32 2
  %d = call i32 @__nvvm_atom_min_gen_ui(ptr %p2, i32 %t)
  ; Each thread of a block takes a number below 31 and its block counts them: 32 turns come back to 0.
  %n = call i32 @__nvvm_atom_cta_inc_gen_ui(ptr addrspacecast (ptr addrspace(3) @turn to ptr), i32 31)
  %last = icmp eq i32 %n, 31
  %p4 = getelementptr i32, ptr %sums, i32 4
  %low = and i32 %n, 1
  br i1 %last, label %once, label %rest

once:
  %p3 = getelementptr i32, ptr %sums, i32 3
  %x = call i32 @__nvvm_atom_and_gen_i(ptr %p3, i32 63)
  br label %rest

rest:
  ; 64 steps down from 100 end at 36.
  %y = call i32 @__nvvm_atom_dec_gen_ui(ptr %p4, i32 100)
  %half = call float @__nvvm_atom_add_gen_f(ptr %numbers, float 5.000000e-01)
  br label %try

try:
  %seen = phi i64 [ 0, %rest ], [ %found, %try ]
  %new = add i64 %seen, 1
  %found = call i64 @__nvvm_atom_sys_cas_gen_ll(ptr %wide, i64 %seen, i64 %new)
  %same = icmp eq i64 %found, %seen
  br i1 %same, label %done, label %try

done:
  ret void
}
