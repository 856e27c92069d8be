; test: compile --arch sm_90
; check: mbarrier.arrive.expect_tx
; check: cp.async.bulk
; run: --kernel bulk_ring --grid 2 --block 64 --arg u32=1000 --arg u32[4096]=iota --arg u32[64]=0 --expect 2:=4000
; Copies of 512 bytes arrive at the barrier of their slot: thread 0 says how many bytes will come and starts the copy,
; warp 1 waits for them, 1,000 phases. Each thread looks at four words.
target triple = "nvptx64-nvidia-cuda"

@full = internal addrspace(3) global [4 x i64] poison, align 8
@empty = internal addrspace(3) global [4 x i64] poison, align 8
@slots = internal addrspace(3) global [4 x [128 x i32]] poison, align 128

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.scope.cta.space.cta(ptr addrspace(3), i32, i32)
declare i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @bulk_ring(i32 %phases, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %lane = and i32 %tid, 31
  %slots = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @slots, i32 %rank)
  %is.maker = icmp ult i32 %tid, 4
  br i1 %is.maker, label %make, label %made

make:
  %full.own = getelementptr i64, ptr addrspace(3) @full, i32 %tid
  %empty.own = getelementptr i64, ptr addrspace(3) @empty, i32 %tid
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %full.own, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %empty.own, i32 32)
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  br label %made

made:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %takes = icmp uge i32 %tid, 32
  br i1 %takes, label %take, label %is.first

is.first:
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %fill, label %end

fill:
  %f.phase = phi i32 [ 0, %is.first ], [ %f.next, %fill.put ]
  %f.slot = and i32 %f.phase, 3
  %f.round = lshr i32 %f.phase, 2
  %f.parity.now = xor i32 %f.round, 1
  %f.parity = and i32 %f.parity.now, 1
  %f.empty = getelementptr i64, ptr addrspace(3) @empty, i32 %f.slot
  %f.full = getelementptr i64, ptr addrspace(3) @full, i32 %f.slot
  br label %fill.wait

fill.wait:
  %f.free = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) %f.empty, i32 %f.parity)
  br i1 %f.free, label %fill.put, label %fill.wait

fill.put:
  %f.row = and i32 %f.phase, 31
  %f.word = mul i32 %f.row, 128
  %f.from = getelementptr i32, ptr addrspace(1) %in, i32 %f.word
  %f.place = getelementptr [128 x i32], ptr addrspace(7) %slots, i32 %f.slot, i32 0
  %f.state = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %f.full, i32 512)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %f.place, ptr addrspace(3) %f.full, ptr addrspace(1) %f.from, i32 512, i16 0, i64 0, i1 false, i1 false)
  %f.next = add i32 %f.phase, 1
  %f.more = icmp ult i32 %f.next, %phases
  br i1 %f.more, label %fill, label %end

take:
  %t.phase = phi i32 [ 0, %made ], [ %t.next, %taken.out ]
  %right = phi i32 [ 0, %made ], [ %right.next, %taken.out ]
  %t.slot = and i32 %t.phase, 3
  %t.round = lshr i32 %t.phase, 2
  %t.parity = and i32 %t.round, 1
  %t.empty = getelementptr i64, ptr addrspace(3) @empty, i32 %t.slot
  %t.full = getelementptr i64, ptr addrspace(3) @full, i32 %t.slot
  br label %take.wait

take.wait:
  %t.there = call i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.scope.cta.space.cta(ptr addrspace(3) %t.full, i32 %t.parity, i32 1000)
  br i1 %t.there, label %take.out, label %take.wait

take.out:
  %t.step = phi i32 [ 0, %take.wait ], [ %t.step.next, %take.out ]
  %t.right = phi i32 [ %right, %take.wait ], [ %right.next, %take.out ]
  %t.base = mul i32 %t.step, 32
  %t.word = add i32 %t.base, %lane
  %t.place = getelementptr [128 x i32], ptr addrspace(3) @slots, i32 %t.slot, i32 %t.word
  %t.value = load i32, ptr addrspace(3) %t.place
  %t.row = and i32 %t.phase, 31
  %t.first = mul i32 %t.row, 128
  %t.wanted = add i32 %t.first, %t.word
  %t.is.right = icmp eq i32 %t.value, %t.wanted
  %t.one = zext i1 %t.is.right to i32
  %right.next = add i32 %t.right, %t.one
  %t.step.next = add i32 %t.step, 1
  %t.again = icmp ult i32 %t.step.next, 4
  br i1 %t.again, label %take.out, label %taken.out

taken.out:
  %t.state = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) %t.empty, i32 1)
  %t.next = add i32 %t.phase, 1
  %t.more = icmp ult i32 %t.next, %phases
  br i1 %t.more, label %take, label %taken

taken:
  %row = mul i32 %block, 32
  %result = add i32 %row, %lane
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %result
  store i32 %right.next, ptr addrspace(1) %to
  br label %end

end:
  ret void
}
