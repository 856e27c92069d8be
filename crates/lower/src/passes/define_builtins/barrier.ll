; Barriers of a block of threads, and what the compiler itself answers.

define void @__syncthreads() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define void @__nvvm_bar0() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define i32 @__nvvm_bar0_popc(i32 %vote) {
  %yes = icmp ne i32 %vote, 0
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %yes)
  ret i32 %count
}

define i32 @__nvvm_bar0_and(i32 %vote) {
  %yes = icmp ne i32 %vote, 0
  %all = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %yes)
  %result = zext i1 %all to i32
  ret i32 %result
}

define i32 @__nvvm_bar0_or(i32 %vote) {
  %yes = icmp ne i32 %vote, 0
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %yes)
  %result = zext i1 %any to i32
  ret i32 %result
}

define void @__nvvm_bar_sync_all(i32 %barrier) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 %barrier)
  ret void
}

define void @__nvvm_bar_sync_all_cnt(i32 %barrier, i32 %threads) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %barrier, i32 %threads)
  ret void
}

define void @__nvvm_barrier_sync(i32 %barrier) {
  call void @llvm.nvvm.barrier.cta.sync.all(i32 %barrier)
  ret void
}

define void @__nvvm_barrier_sync_cnt(i32 %barrier, i32 %threads) {
  call void @llvm.nvvm.barrier.cta.sync.count(i32 %barrier, i32 %threads)
  ret void
}

define i1 @__builtin_is_constant_evaluated() {
  ret i1 false
}

define void @__builtin_unreachable() {
  unreachable
}

define void @__builtin_assume(i1 %holds) {
  call void @llvm.assume(i1 %holds)
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare void @llvm.assume(i1)
