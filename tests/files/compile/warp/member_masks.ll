; test: compile --arch sm_75
; Masks that lanes cannot keep.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)

define ptx_kernel void @none() {
  call void @llvm.nvvm.bar.warp.sync(i32 0) ; warning: names no lane
  ret void
}

define ptx_kernel void @left_out() {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %low = icmp ult i32 %lane, 8
  br i1 %low, label %yes, label %no

yes:
  call void @llvm.nvvm.bar.warp.sync(i32 127) ; warning: lane 7 executes
  call void @llvm.nvvm.bar.warp.sync(i32 255)
  ret void

no:
  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; warning: names lane 0, which does not get here
  call void @llvm.nvvm.bar.warp.sync(i32 -256)
  ret void
}

define ptx_kernel void @both_sides(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %tid
  %x = load i32, ptr %at
  %odd = trunc i32 %x to i1
  br i1 %odd, label %yes, label %no

yes:
  call void @llvm.nvvm.bar.warp.sync(i32 255)
  ret void

no:
  call void @llvm.nvvm.bar.warp.sync(i32 3840)
  call void @llvm.nvvm.bar.warp.sync(i32 511) ; warning: lane 0 is in the masks
  ret void
}

; Each warp has its own work: no lane is waited for twice.
define ptx_kernel void @warps() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tid, 5
  %first = icmp eq i32 %warp, 0
  br i1 %first, label %yes, label %no

yes:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void

no:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
}

; The mask is computed before the branch, as it should be.
define ptx_kernel void @computed(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %tid
  %x = load i32, ptr %at
  %odd = trunc i32 %x to i1
  %mask = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  br i1 %odd, label %yes, label %no

yes:
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
  ret void

no:
  ret void
}

; What comes after a branch is on neither side of it.
define ptx_kernel void @after(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %tid
  %x = load i32, ptr %at
  %odd = trunc i32 %x to i1
  br i1 %odd, label %yes, label %join

yes:
  call void @llvm.nvvm.bar.warp.sync(i32 255)
  br label %join

join:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
}

; In a loop and after it, one after the other.
define ptx_kernel void @turns(ptr %p) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %tid
  %x = load i32, ptr %at
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %x
  br i1 %more, label %body, label %end

body:
  call void @llvm.nvvm.bar.warp.sync(i32 255)
  %next = add i32 %i, 1
  br label %head

end:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
}

; All lanes are named where only some get: by what they loaded, in a loop, and after some have returned.
define ptx_kernel void @some(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %tid
  %x = load i32, ptr %at
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %x
  br i1 %more, label %body, label %end

body:
  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; warning: lets only some get here
  %again = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 1, i32 31)
  %next = add i32 %i, %again
  br label %head

end:
  %odd = trunc i32 %x to i1
  br i1 %odd, label %gone, label %stay

gone:
  ret void

stay:
  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; warning: lets only some get here
  ret void
}

; All lanes get there: the branch is the same for all, for a whole warp, or its other side ends the program.
define ptx_kernel void @everyone(ptr %p, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %tid
  %x = load i32, ptr %at
  %odd = trunc i32 %x to i1
  br i1 %odd, label %fail, label %fine

fail:
  call void @llvm.trap()
  unreachable

fine:
  %some = icmp ugt i32 %n, 7
  br i1 %some, label %work, label %done

work:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %low = icmp ult i32 %tid, 64
  br i1 %low, label %warps, label %done

warps:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %done

done:
  ret void
}

; What the callers of a function know is not known here.
define void @callee(i32 %n) {
  %some = icmp ugt i32 %n, 7
  br i1 %some, label %work, label %done

work:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %done

done:
  ret void
}

declare void @llvm.trap()
