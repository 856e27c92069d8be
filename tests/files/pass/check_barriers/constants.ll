; test: pass check_barriers
; Constants that barriers do not take.
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.count(i32, i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.all(i32, i1)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)

define void @wrong(ptr addrspace(3) %b, i1 %p) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 16) ; error: there is no barrier 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 33) ; error: 33 threads are not whole number of warps
  call void @llvm.nvvm.barrier.cta.arrive.count(i32 1, i32 0) ; error: 0 threads are not whole number of warps
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.count(i32 1, i32 48, i1 %p) ; error: 48 threads
  %q = call i1 @llvm.nvvm.barrier.cta.red.or.all(i32 -1, i1 %p) ; error: there is no barrier 4294967295
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %b, i32 0) ; error: 0 is out of range for the threads
  %s = call i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3) %b, i32 1048576) ; error: out of range
  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) %b, i32 1048576) ; error: out of range for the bytes
  ret void
}

define void @right(ptr addrspace(3) %b, i32 %n, i1 %p) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 15)
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %n, i32 64)
  call void @llvm.nvvm.barrier.cta.arrive.count(i32 1, i32 %n)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %b, i32 1048575)
  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) %b, i32 0)
  %q = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %b, i32 0)
  ret void
}
