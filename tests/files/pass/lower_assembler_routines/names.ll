; test: pass lower_assembler_routines
; Routines of the assembler under their names; one that the module defines stays.
declare void @__cuda_sm70_barrier_sync_3()
declare void @__cuda_sm70_barrier_arrive_15_cnt(i32)
declare void @__cuda_sm70_barrier_arrive_2()
declare i32 @__cuda_sm70_barrier_red_and_7(i32)
declare i32 @__cuda_sm70_barrier_red_popc_0_cnt(i32, i1)
declare i1 @__cuda_sm70_votesync_all(i32, i1)
declare i32 @__cuda_sm70_votesync_ballot(i32, i32)
declare { i32, i32 } @__cuda_sm70_shflsync_up_pred(i32, i32, i32, i32)
declare i32 @__cuda_sm70_matchsync_any_b64(i32, i64)
declare void @__cuda_sm70_warpsync(i32)
declare i32 @__cuda_reduxsync_u32_add(i32, i32)
declare float @__cuda_reduxsync_f32_max_NaN(float, i32)

define i32 @__cuda_reduxsync_s32_min(i32 %v, i32 %mask) {
  ret i32 %v
}

define i32 @barriers(i32 %n, i32 %p, i1 %q) {
  call void @__cuda_sm70_barrier_sync_3()
  call void @__cuda_sm70_barrier_arrive_15_cnt(i32 %n)
  call void @__cuda_sm70_barrier_arrive_2()
  %a = call i32 @__cuda_sm70_barrier_red_and_7(i32 %p)
  %b = call i32 @__cuda_sm70_barrier_red_popc_0_cnt(i32 64, i1 %q)
  %c = add i32 %a, %b
  ret i32 %c
}

define { i32, i32 } @warps(i32 %mask, i32 %v, i64 %w, float %f, i1 %q) {
  %a = call i1 @__cuda_sm70_votesync_all(i32 %mask, i1 %q)
  %b = call i32 @__cuda_sm70_votesync_ballot(i32 %mask, i32 %v)
  %c = call i32 @__cuda_sm70_matchsync_any_b64(i32 %mask, i64 %w)
  call void @__cuda_sm70_warpsync(i32 %mask)
  %d = call i32 @__cuda_reduxsync_u32_add(i32 %v, i32 %mask)
  %e = call float @__cuda_reduxsync_f32_max_NaN(float %f, i32 %mask)
  %g = call i32 @__cuda_reduxsync_s32_min(i32 %v, i32 %mask)
  %r = call { i32, i32 } @__cuda_sm70_shflsync_up_pred(i32 %mask, i32 %v, i32 1, i32 0)
  ret { i32, i32 } %r
}

; expect ll:
; declare void @__cuda_sm70_barrier_sync_3()
;
; declare void @__cuda_sm70_barrier_arrive_15_cnt(i32)
;
; declare void @__cuda_sm70_barrier_arrive_2()
;
; declare i32 @__cuda_sm70_barrier_red_and_7(i32)
;
; declare i32 @__cuda_sm70_barrier_red_popc_0_cnt(i32, i1)
;
; declare i1 @__cuda_sm70_votesync_all(i32, i1)
;
; declare i32 @__cuda_sm70_votesync_ballot(i32, i32)
;
; declare { i32, i32 } @__cuda_sm70_shflsync_up_pred(i32, i32, i32, i32)
;
; declare i32 @__cuda_sm70_matchsync_any_b64(i32, i64)
;
; declare void @__cuda_sm70_warpsync(i32)
;
; declare i32 @__cuda_reduxsync_u32_add(i32, i32)
;
; declare float @__cuda_reduxsync_f32_max_NaN(float, i32)
;
; define i32 @__cuda_reduxsync_s32_min(i32 %v, i32 %mask) {
;   ret i32 %v
; }
;
; define i32 @barriers(i32 %n, i32 %p, i1 %q) {
;   call void @llvm.nvvm.barrier.cta.sync.all(i32 3)
;   call void @llvm.nvvm.barrier.cta.arrive.count(i32 15, i32 %n)
;   %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %2 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %3 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %4 = mul i32 %1, %2
;   %5 = mul i32 %4, %3
;   %6 = add i32 %5, 31
;   %7 = and i32 %6, -32
;   call void @llvm.nvvm.barrier.cta.arrive.count(i32 2, i32 %7)
;   %8 = icmp ne i32 %p, 0
;   %9 = call i1 @llvm.nvvm.barrier.cta.red.and.all(i32 7, i1 %8)
;   %10 = zext i1 %9 to i32
;   %11 = call i32 @llvm.nvvm.barrier.cta.red.popc.count(i32 0, i32 64, i1 %q)
;   %c = add i32 %10, %11
;   ret i32 %c
; }
;
; define { i32, i32 } @warps(i32 %mask, i32 %v, i64 %w, float %f, i1 %q) {
;   %1 = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %q)
;   %2 = icmp ne i32 %v, 0
;   %3 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %2)
;   %4 = call i32 @llvm.nvvm.match.any.sync.i64(i32 %mask, i64 %w)
;   call void @llvm.nvvm.bar.warp.sync(i32 %mask)
;   %5 = call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 %mask)
;   %6 = call float @llvm.nvvm.redux.sync.fmax.NaN(float %f, i32 %mask)
;   %g = call i32 @__cuda_reduxsync_s32_min(i32 %v, i32 %mask)
;   %7 = call { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32 %mask, i32 %v, i32 1, i32 0)
;   %8 = extractvalue { i32, i1 } %7, 0
;   %9 = extractvalue { i32, i1 } %7, 1
;   %10 = zext i1 %9 to i32
;   %11 = insertvalue { i32, i32 } poison, i32 %8, 0
;   %12 = insertvalue { i32, i32 } %11, i32 %10, 1
;   ret { i32, i32 } %12
; }
;
; declare void @llvm.nvvm.barrier.cta.sync.all(i32)
;
; declare void @llvm.nvvm.barrier.cta.arrive.count(i32, i32)
;
; declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;
; declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;
; declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;
; declare i1 @llvm.nvvm.barrier.cta.red.and.all(i32, i1)
;
; declare i32 @llvm.nvvm.barrier.cta.red.popc.count(i32, i32, i1)
;
; declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
;
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
;
; declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
;
; declare void @llvm.nvvm.bar.warp.sync(i32)
;
; declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
;
; declare float @llvm.nvvm.redux.sync.fmax.NaN(float, i32)
;
; declare { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
