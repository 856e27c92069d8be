; test: pass expand_mbarriers --arch sm_80
; Waits that sleep become questions, arrivals of several threads two arrivals.
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.scope.cta.space.cta(ptr addrspace(3), i32, i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.scope.cta.space.cta(ptr addrspace(3), i64)
declare i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.drop.scope.cta.space.cta(ptr addrspace(3), i32)

define i1 @waits(ptr addrspace(3) %b, i32 %parity, i64 %state) {
  %a = call i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.scope.cta.space.cta(ptr addrspace(3) %b, i32 %parity, i32 100)
  %c = call i1 @llvm.nvvm.mbarrier.try.wait.scope.cta.space.cta(ptr addrspace(3) %b, i64 %state)
  %d = and i1 %a, %c
  ret i1 %d
}

define i64 @arrives(ptr addrspace(3) %b) {
  %a = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) %b, i32 1)
  %c = call i64 @llvm.nvvm.mbarrier.arrive.drop.scope.cta.space.cta(ptr addrspace(3) %b, i32 4)
  %d = xor i64 %a, %c
  ret i64 %d
}

; expect ll:
; declare i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.scope.cta.space.cta(ptr addrspace(3), i32, i32)
;
; declare i1 @llvm.nvvm.mbarrier.try.wait.scope.cta.space.cta(ptr addrspace(3), i64)
;
; declare i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3), i32)
;
; declare i64 @llvm.nvvm.mbarrier.arrive.drop.scope.cta.space.cta(ptr addrspace(3), i32)
;
; define i1 @waits(ptr addrspace(3) %b, i32 %parity, i64 %state) {
;   %1 = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) %b, i32 %parity)
;   %2 = call i1 @llvm.nvvm.mbarrier.test.wait.scope.cta.space.cta(ptr addrspace(3) %b, i64 %state)
;   %d = and i1 %1, %2
;   ret i1 %d
; }
;
; define i64 @arrives(ptr addrspace(3) %b) {
;   %1 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %b)
;   %2 = call i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete.shared(ptr addrspace(3) %b, i32 3)
;   %3 = call i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr addrspace(3) %b)
;   %d = xor i64 %1, %3
;   ret i64 %d
; }
;
; declare i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
;
; declare i1 @llvm.nvvm.mbarrier.test.wait.scope.cta.space.cta(ptr addrspace(3), i64)
;
; declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
;
; declare i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete.shared(ptr addrspace(3), i32)
;
; declare i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr addrspace(3))
