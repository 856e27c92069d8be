; test: pass expand_mbarriers --arch sm_86
declare i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3), i32)

define i64 @arrives(ptr addrspace(3) %b, i32 %n) {
  %a = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) %b, i32 %n) ; error: does not exist on sm_86
  ret i64 %a
}
