; test: compile --arch sm_60
; check: red.gpu.global.xor.b32
; check: atom.gpu.global.cas.b32
; test: compile --arch sm_90
; check: red.relaxed.gpu.global.xor.b32
; check: atom.relaxed.gpu.global.cas.b32
; check: atom.relaxed.gpu.global.cas.b16
; run: --kernel bits --grid 4 --block 64 --arg u8[8]=1,2,3,4,5,6,7,8 --expect 0:=1,2,3,4,5,6,7,8
; run: --kernel short --grid 4 --block 64 --arg u16[4]=9,0,7,65535 --expect 0:=9,256,7,65535
; run: --kernel swap --grid 1 --block 64 --arg u16[4]=9,0,7,65535 --arg u32[1]=0 --expect 0:=9,64,7,65535 --expect 1:=64
; Bytes and short integers at every place of their word; the neighbours stay.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @bits(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 7
  %e = getelementptr i8, ptr addrspace(1) %p, i32 %i
  %a = atomicrmw xor ptr addrspace(1) %e, i8 -91 syncscope("device") monotonic
  ret void
}

define ptx_kernel void @short(ptr addrspace(1) %p) {
  %e = getelementptr i16, ptr addrspace(1) %p, i32 1
  %a = atomicrmw add ptr addrspace(1) %e, i16 1 syncscope("device") monotonic
  ret void
}

define ptx_kernel void @swap(ptr addrspace(1) %p, ptr addrspace(1) %n) {
entry:
  %e = getelementptr i16, ptr addrspace(1) %p, i32 1
  br label %again

again:
  %o = phi i16 [ 0, %entry ], [ %s, %again ]
  %m = add i16 %o, 1
  %r = cmpxchg ptr addrspace(1) %e, i16 %o, i16 %m syncscope("device") monotonic monotonic
  %s = extractvalue { i16, i1 } %r, 0
  %f = extractvalue { i16, i1 } %r, 1
  br i1 %f, label %done, label %again

done:
  %c = atomicrmw add ptr addrspace(1) %n, i32 1 syncscope("device") monotonic
  ret void
}
