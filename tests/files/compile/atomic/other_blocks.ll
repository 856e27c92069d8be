; test: compile --arch sm_90
; check: isspacep.shared::cluster
; check: atom.relaxed.cluster.cas.b64
; check: red.relaxed.cluster.add.u64
; check: atom.relaxed.cluster.cas.b32
; Generic addresses in another block's shared memory, which the compiler cannot know to lie there: 256 threads of four blocks
; update the memory of the first, and nothing is lost.
; run: --grid 4 --block 64 --arg u64[6]=0 --arg u64[256]=0 --expect 0:=0x5db31754f425000,0xfff4a85cd7d473f8,0x800cae5d7f9248fd,0xffffffffffffffff,4096,0x64006400
target triple = "nvptx64-nvidia-cuda"

@box = addrspace(3) global [6 x i64] poison, align 16

declare ptr @llvm.nvvm.mapa(ptr, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()

define ptx_kernel void @other_blocks(ptr %out, ptr %slots) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %clear, label %cleared

clear:
  store i64 0, ptr addrspace(3) @box
  store i64 0, ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @box, i64 1)
  store i64 9223372036854775807, ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @box, i64 2)
  store i64 0, ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @box, i64 3)
  store i64 0, ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @box, i64 4)
  store i64 0, ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @box, i64 5)
  br label %cleared

cleared:
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  %mapped = call ptr @llvm.nvvm.mapa(ptr addrspacecast (ptr addrspace(3) @box to ptr), i32 0)
  %base = mul i32 %block, 64
  %me = add i32 %base, %tid
  %slot = getelementptr ptr, ptr %slots, i32 %me
  store volatile ptr %mapped, ptr %slot
  %there = load volatile ptr, ptr %slot
  %there1 = getelementptr i64, ptr %there, i64 1
  %there2 = getelementptr i64, ptr %there, i64 2
  %there3 = getelementptr i64, ptr %there, i64 3
  %there4 = getelementptr i64, ptr %there, i64 4
  %there5 = getelementptr i64, ptr %there, i64 5
  %wide = zext i32 %me to i64
  %from = mul i64 %wide, 16
  br label %loop

loop:
  %i = phi i64 [ 0, %cleared ], [ %next, %loop ]
  %next = add i64 %i, 1
  %n = add i64 %from, %next
  %v = mul i64 %n, -7046029254386353131
  %bit = lshr i64 %v, 58
  %mask = shl i64 1, %bit
  %a = atomicrmw xor ptr %there, i64 %v syncscope("cluster") monotonic
  %b = atomicrmw umax ptr %there1, i64 %v syncscope("cluster") monotonic
  %c = atomicrmw min ptr %there2, i64 %v syncscope("cluster") monotonic
  %d = atomicrmw or ptr %there3, i64 %mask syncscope("cluster") monotonic
  %e = atomicrmw add ptr %there4, i64 1 syncscope("cluster") monotonic
  %few = icmp ult i64 %i, 4
  %one = select i1 %few, <2 x half> <half 1.0, half 1.0>, <2 x half> zeroinitializer
  %f = atomicrmw fadd ptr %there5, <2 x half> %one syncscope("cluster") monotonic
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %counted

counted:
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  %rank = icmp eq i32 %block, 0
  %last = icmp ult i32 %tid, 6
  %writes = and i1 %rank, %last
  br i1 %writes, label %write, label %done

write:
  %from_box = getelementptr i64, ptr addrspace(3) @box, i32 %tid
  %result = load i64, ptr addrspace(3) %from_box
  %to = getelementptr i64, ptr %out, i32 %tid
  store i64 %result, ptr %to
  br label %done

done:
  ret void
}

attributes #0 = { "nvvm.cluster_dim"="4,1,1" "nvvm.reqntid"="64,1,1" }
