; test: compile --arch sm_90
; check: mapa.shared::cluster
; check: mbarrier.arrive.release.cluster.shared::cluster.b64 _
; check: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
; run: --kernel remote_ring --grid 4 --block 64 --cluster 2 --arg u32=1000 --arg u32[128]=0 --expect 1:=1000
; Two blocks of a cluster fill each other's ring, for 1,000 phases: warp 0 writes into the shared memory of the other
; block and arrives at the barrier there, warp 1 takes out what came and arrives at the other block's barrier.
target triple = "nvptx64-nvidia-cuda"

@full = internal addrspace(3) global [4 x i64] poison, align 8
@empty = internal addrspace(3) global [4 x i64] poison, align 8
@slots = internal addrspace(3) global [4 x [32 x i32]] poison, align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster(ptr addrspace(7), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()

define ptx_kernel void @remote_ring(i32 %phases, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %peer = xor i32 %rank, 1
  %lane = and i32 %tid, 31
  %is.maker = icmp ult i32 %tid, 4
  br i1 %is.maker, label %make, label %made

make:
  %full.own = getelementptr i64, ptr addrspace(3) @full, i32 %tid
  %empty.own = getelementptr i64, ptr addrspace(3) @empty, i32 %tid
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %full.own, i32 32)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %empty.own, i32 32)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %made

made:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %peer.full = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @full, i32 %peer)
  %peer.empty = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @empty, i32 %peer)
  %peer.slots = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @slots, i32 %peer)
  %fills = icmp ult i32 %tid, 32
  br i1 %fills, label %fill, label %take

fill:
  %f.phase = phi i32 [ 0, %made ], [ %f.next, %fill.put ]
  %f.slot = and i32 %f.phase, 3
  %f.round = lshr i32 %f.phase, 2
  %f.parity.now = xor i32 %f.round, 1
  %f.parity = and i32 %f.parity.now, 1
  %f.empty = getelementptr i64, ptr addrspace(3) @empty, i32 %f.slot
  %f.full = getelementptr i64, ptr addrspace(7) %peer.full, i32 %f.slot
  br label %fill.wait

fill.wait:
  %f.free = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) %f.empty, i32 %f.parity)
  br i1 %f.free, label %fill.put, label %fill.wait

; A word that says who sends it when.
fill.put:
  %f.high = mul i32 %f.phase, 64
  %f.row = mul i32 %rank, 32
  %f.low = add i32 %f.row, %lane
  %f.value = add i32 %f.high, %f.low
  %f.place = getelementptr [32 x i32], ptr addrspace(7) %peer.slots, i32 %f.slot, i32 %lane
  store i32 %f.value, ptr addrspace(7) %f.place
  call void @llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster(ptr addrspace(7) %f.full, i32 1)
  %f.next = add i32 %f.phase, 1
  %f.more = icmp ult i32 %f.next, %phases
  br i1 %f.more, label %fill, label %end

take:
  %t.phase = phi i32 [ 0, %made ], [ %t.next, %take.out ]
  %right = phi i32 [ 0, %made ], [ %right.next, %take.out ]
  %t.slot = and i32 %t.phase, 3
  %t.round = lshr i32 %t.phase, 2
  %t.parity = and i32 %t.round, 1
  %t.empty = getelementptr i64, ptr addrspace(7) %peer.empty, i32 %t.slot
  %t.full = getelementptr i64, ptr addrspace(3) @full, i32 %t.slot
  br label %take.wait

take.wait:
  %t.there = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) %t.full, i32 %t.parity)
  br i1 %t.there, label %take.out, label %take.wait

take.out:
  %t.other = xor i32 %lane, 31
  %t.place = getelementptr [32 x i32], ptr addrspace(3) @slots, i32 %t.slot, i32 %t.other
  %t.value = load i32, ptr addrspace(3) %t.place
  %t.high = mul i32 %t.phase, 64
  %t.row = mul i32 %peer, 32
  %t.low = add i32 %t.row, %t.other
  %t.wanted = add i32 %t.high, %t.low
  %t.is.right = icmp eq i32 %t.value, %t.wanted
  %t.one = zext i1 %t.is.right to i32
  %right.next = add i32 %right, %t.one
  call void @llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster(ptr addrspace(7) %t.empty, i32 1)
  %t.next = add i32 %t.phase, 1
  %t.more = icmp ult i32 %t.next, %phases
  br i1 %t.more, label %take, label %taken

taken:
  %row = mul i32 %block, 32
  %result = add i32 %row, %lane
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %result
  store i32 %right.next, ptr addrspace(1) %to
  br label %end

; Nobody leaves while others may still write to its memory.
end:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  ret void
}
