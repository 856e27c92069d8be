; Collectives of a warp.

; Before the `.sync` forms a vote was among the threads that were active.
define i32 @__nvvm_vote_all(i32 %vote) {
  %mask = call i32 @llvm.nvvm.activemask()
  %yes = icmp ne i32 %vote, 0
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %yes)
  %result = zext i1 %all to i32
  ret i32 %result
}

define i32 @__nvvm_vote_any(i32 %vote) {
  %mask = call i32 @llvm.nvvm.activemask()
  %yes = icmp ne i32 %vote, 0
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %yes)
  %result = zext i1 %any to i32
  ret i32 %result
}

define i32 @__nvvm_vote_uni(i32 %vote) {
  %mask = call i32 @llvm.nvvm.activemask()
  %yes = icmp ne i32 %vote, 0
  %same = call i1 @llvm.nvvm.vote.uni.sync(i32 %mask, i1 %yes)
  %result = zext i1 %same to i32
  ret i32 %result
}

define i32 @__nvvm_vote_ballot(i32 %vote) {
  %mask = call i32 @llvm.nvvm.activemask()
  %yes = icmp ne i32 %vote, 0
  %result = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %yes)
  ret i32 %result
}

define i32 @__nvvm_vote_all_sync(i32 %mask, i32 %vote) {
  %yes = icmp ne i32 %vote, 0
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %yes)
  %result = zext i1 %all to i32
  ret i32 %result
}

define i32 @__nvvm_vote_any_sync(i32 %mask, i32 %vote) {
  %yes = icmp ne i32 %vote, 0
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %yes)
  %result = zext i1 %any to i32
  ret i32 %result
}

define i32 @__nvvm_vote_uni_sync(i32 %mask, i32 %vote) {
  %yes = icmp ne i32 %vote, 0
  %same = call i1 @llvm.nvvm.vote.uni.sync(i32 %mask, i1 %yes)
  %result = zext i1 %same to i32
  ret i32 %result
}

define i32 @__nvvm_vote_ballot_sync(i32 %mask, i32 %vote) {
  %yes = icmp ne i32 %vote, 0
  %result = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %yes)
  ret i32 %result
}

define i32 @__match32_any_sync(i32 %mask, i32 %value) {
  %result = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %value)
  ret i32 %result
}

define i32 @__match64_any_sync(i32 %mask, i64 %value) {
  %result = call i32 @llvm.nvvm.match.any.sync.i64(i32 %mask, i64 %value)
  ret i32 %result
}

define i32 @__match32_all_sync(i32 %mask, i32 %value, ptr %same) {
  %both = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %value)
  %all = extractvalue { i32, i1 } %both, 1
  %number = zext i1 %all to i32
  store i32 %number, ptr %same
  %result = extractvalue { i32, i1 } %both, 0
  ret i32 %result
}

define i32 @__match64_all_sync(i32 %mask, i64 %value, ptr %same) {
  %both = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 %mask, i64 %value)
  %all = extractvalue { i32, i1 } %both, 1
  %number = zext i1 %all to i32
  store i32 %number, ptr %same
  %result = extractvalue { i32, i1 } %both, 0
  ret i32 %result
}

define i32 @__nvvm_shfl_up_sync(i32 %mask, i32 %value, i32 %by, i32 %clamp) {
  %result = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  ret i32 %result
}

define i32 @__nvvm_shfl_down_sync(i32 %mask, i32 %value, i32 %by, i32 %clamp) {
  %result = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  ret i32 %result
}

define i32 @__nvvm_shfl_bfly_sync(i32 %mask, i32 %value, i32 %by, i32 %clamp) {
  %result = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  ret i32 %result
}

define i32 @__nvvm_shfl_idx_sync(i32 %mask, i32 %value, i32 %lane, i32 %clamp) {
  %result = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %mask, i32 %value, i32 %lane, i32 %clamp)
  ret i32 %result
}

declare i32 @llvm.nvvm.activemask()
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32, i64)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
