; test: compile --arch sm_75
; check: .entry dense
; check: setp.gt.u32 *, *, 6;
; check: .branchtargets
; check: brx.idx
; check: .entry sparse
; check: setp.ge.u32
; check: setp.eq.b32
; check: .entry ranges
; check: setp.le.u32 *, *, 9;
; run: --kernel dense --grid 1 --block 10 --arg u32[10]=0 --expect 0:=99,11,12,13,14,99,16,17,99,99
; run: --kernel sparse --grid 1 --block 8 --arg u32[8]=0 --expect 0:=1,99,99,99,2,99,99,99
; run: --kernel ranges --grid 1 --block 32 --arg u32[32]=0 --expect 0:=2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2
; run: --kernel wide --grid 1 --block 3 --arg u32[3]=0 --expect 0:=1,7,2
; A table of jumps, a search by halves, ranges of neighbours.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @dense(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %t, label %other [
    i32 1, label %done
    i32 2, label %two
    i32 3, label %three
    i32 4, label %four
    i32 6, label %six
    i32 7, label %seven
  ]

two:
  br label %done

three:
  br label %done

four:
  br label %done

six:
  br label %done

seven:
  br label %done

other:
  br label %done

done:
  %r = phi i32 [ 11, %entry ], [ 12, %two ], [ 13, %three ], [ 14, %four ], [ 16, %six ], [ 17, %seven ], [ 99, %other ]
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @sparse(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = mul i32 %t, 25
  switch i32 %x, label %done [
    i32 0, label %a
    i32 100, label %b
    i32 -1, label %c
    i32 100000, label %c
    i32 3000, label %b
  ]

a:
  br label %done

b:
  br label %done

c:
  br label %done

done:
  %r = phi i32 [ 99, %entry ], [ 1, %a ], [ 2, %b ], [ 3, %c ]
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @ranges(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %t, label %done [
    i32 10, label %a
    i32 11, label %a
    i32 12, label %a
    i32 13, label %a
    i32 14, label %a
    i32 15, label %a
    i32 16, label %a
    i32 17, label %a
    i32 18, label %a
    i32 19, label %a
  ]

a:
  br label %done

done:
  %r = phi i32 [ 2, %entry ], [ 1, %a ]
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @wide(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i128
  %x = shl i128 %w, 100
  switch i128 %x, label %done [
    i128 0, label %a
    i128 2535301200456458802993406410752, label %b
  ]

a:
  br label %done

b:
  br label %done

done:
  %r = phi i32 [ 7, %entry ], [ 1, %a ], [ 2, %b ]
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %p
  ret void
}
