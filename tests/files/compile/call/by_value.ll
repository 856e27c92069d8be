; `byval` parameters of kernels: read where they are, copied if they are written, and with a generic address
; if they are handed on but not written.
; test: compile --arch sm_90
; check: mov.b64 *, reads_param_0;
; check: ld.param.b32 *, [reads_param_0+4];
; check: ld.param.b32 *, [%rd*];
; check: st.local.b32 [%SPL+*], *;
; check: cvta.param.u64
; check: .entry passes(*
; check: ld.param.b32 *, [passes_param_0+4];
; check: .entry chooses(*
; check: cvta.param.u64
; check: cvta.param.u64
; test: compile --arch sm_60
; run: --kernel reads --grid 1 --block 2 --arg {u32=1,u32=2,u32=30,u32=40,u32=5,u32=6} --arg u32[2]=0 --expect 1:=32,42
; run: --kernel writes --grid 1 --block 1 --arg {u32=1,u32=2,u32=30,u32=40,u32=5,u32=6} --arg u32[1]=0 --expect 1:=7
; run: --kernel hands_on --grid 1 --block 1 --arg {u32=1,u32=2,u32=30,u32=40,u32=5,u32=6} --arg u32[1]=0 --expect 1:=1
; run: --kernel passes --grid 1 --block 1 --arg {u32=1,u32=2,u32=30,u32=40,u32=5,u32=6} --arg u32[1]=0 --expect 1:=2
; run: --kernel chooses --grid 1 --block 1 --arg {u32=1,u32=2,u32=30,u32=40,u32=5,u32=6} --arg {u32=7,u32=8,u32=9,u32=10,u32=11,u32=12} --arg u32=2 --arg u32[1]=0 --expect 3:=9
target triple = "nvptx64-nvidia-cuda"
%T = type { i32, i32, [4 x i32] }

define ptx_kernel void @reads(ptr byval(%T) %t, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i8, ptr %t, i64 4
  %x = load i32, ptr %q
  %e = getelementptr %T, ptr %t, i64 0, i32 2, i32 %tid
  %y = load i32, ptr %e
  %s = add i32 %x, %y
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %s, ptr addrspace(1) %o
  ret void
}

define ptx_kernel void @writes(ptr byval(%T) %t, ptr addrspace(1) %out) {
  store i32 5, ptr %t
  %q = getelementptr i8, ptr %t, i64 4
  %x = load i32, ptr %q
  %y = call i32 @use(ptr %t)
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @hands_on(ptr byval(%T) readonly %t, ptr addrspace(1) %out) {
  %y = call i32 @use(ptr %t)
  store i32 %y, ptr addrspace(1) %out
  ret void
}

; Handed on as it came: read where it is.
define ptx_kernel void @passes(ptr byval(%T) %t, ptr addrspace(1) %out) {
  %y = call i32 @second(ptr byval(%T) %t)
  store i32 %y, ptr addrspace(1) %out
  ret void
}

; One of two, only read: both have generic addresses.
define ptx_kernel void @chooses(ptr byval(%T) %a, ptr byval(%T) %b, i32 %n, ptr addrspace(1) %out) {
  %c = icmp eq i32 %n, 0
  %p = select i1 %c, ptr %a, ptr %b
  %q = getelementptr i32, ptr %p, i32 %n
  %y = load i32, ptr %q
  store i32 %y, ptr addrspace(1) %out
  ret void
}

define internal i32 @second(ptr byval(%T) %p) noinline {
  %q = getelementptr i8, ptr %p, i64 4
  %x = load i32, ptr %q
  ret i32 %x
}

define internal i32 @use(ptr %p) noinline {
  %x = load i32, ptr %p
  ret i32 %x
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
