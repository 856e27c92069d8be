; test: compile --arch sm_90
; test: compile --arch sm_80
; check: mbarrier.init
; run: --kernel ring --grid 2 --block 64 --arg u32=1000 --arg u32[2048]=iota --arg u32[64]=0 --expect 2:=1000
; Two barriers a slot, `full` and `empty`, in one block: warp 0 fills slots of a ring of four, warp 1 takes them out,
; 1,000 phases. Each taken word must be the one that was put in; the number of right ones is counted.
target triple = "nvptx64-nvidia-cuda"

@full = internal addrspace(3) global [4 x i64] poison, align 8
@empty = internal addrspace(3) global [4 x i64] poison, align 8
@slots = internal addrspace(3) global [4 x [32 x i32]] poison, align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @ring(i32 %phases, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %lane = and i32 %tid, 31
  %is.maker = icmp ult i32 %tid, 4
  br i1 %is.maker, label %make, label %made

make:
  %full.own = getelementptr i64, ptr addrspace(3) @full, i32 %tid
  %empty.own = getelementptr i64, ptr addrspace(3) @empty, i32 %tid
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %full.own, i32 32)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %empty.own, i32 32)
  br label %made

made:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %fills = icmp ult i32 %tid, 32
  br i1 %fills, label %fill, label %take

; A slot is free in its first round; later, the round before must have been taken out.
fill:
  %f.phase = phi i32 [ 0, %made ], [ %f.next, %fill.put ]
  %f.slot = and i32 %f.phase, 3
  %f.round = lshr i32 %f.phase, 2
  %f.parity.now = xor i32 %f.round, 1
  %f.parity = and i32 %f.parity.now, 1
  %f.empty = getelementptr i64, ptr addrspace(3) @empty, i32 %f.slot
  %f.full = getelementptr i64, ptr addrspace(3) @full, i32 %f.slot
  br label %fill.wait

fill.wait:
  %f.free = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %f.empty, i32 %f.parity)
  br i1 %f.free, label %fill.put, label %fill.wait

fill.put:
  %f.word = mul i32 %f.phase, 7
  %f.at = add i32 %f.word, %lane
  %f.index = and i32 %f.at, 2047
  %f.from = getelementptr i32, ptr addrspace(1) %in, i32 %f.index
  %f.value = load i32, ptr addrspace(1) %f.from
  %f.place = getelementptr [32 x i32], ptr addrspace(3) @slots, i32 %f.slot, i32 %lane
  store i32 %f.value, ptr addrspace(3) %f.place
  %f.state = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) %f.full, i32 1)
  %f.next = add i32 %f.phase, 1
  %f.more = icmp ult i32 %f.next, %phases
  br i1 %f.more, label %fill, label %end

take:
  %t.phase = phi i32 [ 0, %made ], [ %t.next, %take.out ]
  %right = phi i32 [ 0, %made ], [ %right.next, %take.out ]
  %t.slot = and i32 %t.phase, 3
  %t.round = lshr i32 %t.phase, 2
  %t.parity = and i32 %t.round, 1
  %t.empty = getelementptr i64, ptr addrspace(3) @empty, i32 %t.slot
  %t.full = getelementptr i64, ptr addrspace(3) @full, i32 %t.slot
  br label %take.wait

take.wait:
  %t.there = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %t.full, i32 %t.parity)
  br i1 %t.there, label %take.out, label %take.wait

; The word of another thread, so that the barrier is needed.
take.out:
  %t.other = xor i32 %lane, 31
  %t.place = getelementptr [32 x i32], ptr addrspace(3) @slots, i32 %t.slot, i32 %t.other
  %t.value = load i32, ptr addrspace(3) %t.place
  %t.word = mul i32 %t.phase, 7
  %t.at = add i32 %t.word, %t.other
  %t.index = and i32 %t.at, 2047
  %t.is.right = icmp eq i32 %t.value, %t.index
  %t.one = zext i1 %t.is.right to i32
  %right.next = add i32 %right, %t.one
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %is.maker, label %unmake, label %done

unmake:
  %full.gone = getelementptr i64, ptr addrspace(3) @full, i32 %tid
  call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) %full.gone)
  br label %done

done:
  ret void
}
