; test: pass define_builtins --arch sm_90
; Bodies in the place of calls: written ones, those made by rule, and one with branches after it.
declare i32 @__nvvm_vote_any_sync(i32, i32)
declare float @__nvvm_mul_rz_ftz_f(float, float)
declare i32 @__match32_all_sync(i32, i32, ptr)
declare void @__builtin_unreachable()
declare i32 @__nv_idp4a_s_s_impl(i32, i32, i32)

define i32 @vote(i32 %mask, i32 %x) {
  %any = call i32 @__nvvm_vote_any_sync(i32 %mask, i32 %x)
  ret i32 %any
}

define float @product(float %a, float %b) {
  %p = call float @__nvvm_mul_rz_ftz_f(float %a, float %b)
  ret float %p
}

define i32 @match(i32 %mask, i32 %x, ptr %p) {
  %m = call i32 @__match32_all_sync(i32 %mask, i32 %x, ptr %p)
  ret i32 %m
}

define i32 @never(i1 %c) {
  br i1 %c, label %yes, label %no

yes:
  ret i32 1

no:
  call void @__builtin_unreachable()
  ret i32 2
}

define i32 @dot(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @__nv_idp4a_s_s_impl(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; The user's own stays.
define i32 @__nvvm_min_i(i32 %a, i32 %b) {
  ret i32 %a
}

define i32 @own(i32 %a, i32 %b) {
  %r = call i32 @__nvvm_min_i(i32 %a, i32 %b)
  ret i32 %r
}

; expect ll:
; define i32 @vote(i32 %mask, i32 %x) {
;   %1 = icmp ne i32 %x, 0
;   %2 = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %1)
;   %3 = zext i1 %2 to i32
;   ret i32 %3
; }
;
; define float @product(float %a, float %b) {
;   %1 = call float @llvm.nvvm.mul.rz.ftz.f(float %a, float %b)
;   ret float %1
; }
;
; define i32 @match(i32 %mask, i32 %x, ptr %p) {
;   %1 = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %x)
;   %2 = extractvalue { i32, i1 } %1, 1
;   %3 = zext i1 %2 to i32
;   store i32 %3, ptr %p
;   %4 = extractvalue { i32, i1 } %1, 0
;   ret i32 %4
; }
;
; define i32 @never(i1 %c) {
;   br i1 %c, label %yes, label %no
;
; yes:                                              ; preds = %0
;   ret i32 1
;
; no:                                               ; preds = %0
;   unreachable
;
; 1:                                                ; No predecessors!
;   ret i32 2
; }
;
; define i32 @dot(i32 %a, i32 %b, i32 %c) {
;   %1 = call i32 @llvm.nvvm.idp4a.s.s(i32 %a, i32 %b, i32 %c)
;   ret i32 %1
; }
;
; define i32 @__nvvm_min_i(i32 %a, i32 %b) {
;   ret i32 %a
; }
;
; define i32 @own(i32 %a, i32 %b) {
;   %r = call i32 @__nvvm_min_i(i32 %a, i32 %b)
;   ret i32 %r
; }
;
; define internal float @__nvvm_mul_rz_ftz_f(float %0, float %1) {
;   %r = call float @llvm.nvvm.mul.rz.ftz.f(float %0, float %1)
;   ret float %r
; }
;
; declare float @llvm.nvvm.mul.rz.ftz.f(float, float)
;
; define internal void @__builtin_unreachable() {
;   unreachable
; }
;
; define internal i32 @__nv_idp4a_s_s_impl(i32 %a, i32 %b, i32 %c) {
;   %result = call i32 @llvm.nvvm.idp4a.s.s(i32 %a, i32 %b, i32 %c)
;   ret i32 %result
; }
;
; declare i32 @llvm.nvvm.idp4a.s.s(i32, i32, i32)
;
; define internal i32 @__nvvm_vote_any_sync(i32 %mask, i32 %vote) {
;   %yes = icmp ne i32 %vote, 0
;   %any = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %yes)
;   %result = zext i1 %any to i32
;   ret i32 %result
; }
;
; declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
;
; define internal i32 @__match32_all_sync(i32 %mask, i32 %value, ptr %same) {
;   %both = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %value)
;   %all = extractvalue { i32, i1 } %both, 1
;   %number = zext i1 %all to i32
;   store i32 %number, ptr %same
;   %result = extractvalue { i32, i1 } %both, 0
;   ret i32 %result
; }
;
; declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)
