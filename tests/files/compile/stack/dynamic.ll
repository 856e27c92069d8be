; Variables whose size is known only at run time: `alloca` moves the stack pointer.
; test: compile --arch sm_75
; test: compile --arch sm_90 -O0
; run: --grid 1 --block 2 --arg u32=5 --arg u32[2]=0 --expect 1:=3,4
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i32 %n, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = call ptr @llvm.stacksave.p0()
  %p = alloca i32, i32 %n, align 16
  br label %l
l:
  %i = phi i32 [0, %0], [%j, %l]
  %q = getelementptr i32, ptr %p, i32 %i
  %v = add i32 %i, %t
  store i32 %v, ptr %q
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %l, label %e
e:
  %r = getelementptr i32, ptr %p, i32 3
  %x = load i32, ptr %r
  call void @llvm.stackrestore.p0(ptr %s)
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
