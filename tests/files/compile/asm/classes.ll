; Registers of every size, pointers of 32 bits, outputs in memory; the last stays though nobody marks it.
; test: compile --arch sm_90
; check: mov.b128 *, {*, *};
; check: mov.b128 {*, *}, *;
; check: neg.f16 %rs*, %rs*;
; check: neg.f16x2 %r*, %r*;
; check: st.shared.u32 [%r*], %r*;
; check: st.u32 [%rd*], 7;
; check: add.s32 *, *, 1;
; check: st.local.b32 [%SPL], *;
; check: not.pred %p*, %p*;
; check: add.u16 %rs*, %rs*, 1;
; check: add.f64 %rd*, %rd*, %rd*;
target datalayout = "e-p3:32:32-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@sh = internal addrspace(3) global [4 x i32] undef
define ptx_kernel void @k(ptr %out, i128 %w, half %h, <2 x half> %v, i1 %b, i8 %c, double %d) {
  %x = call i128 asm "mov.b128 $0, $1;", "=q,q"(i128 %w)
  store i128 %x, ptr %out
  %y = call half asm "neg.f16 $0, $1;", "=h,h"(half %h)
  store half %y, ptr %out
  %z = call <2 x half> asm "neg.f16x2 $0, $1;", "=r,r"(<2 x half> %v)
  store <2 x half> %z, ptr %out
  call void asm sideeffect "st.shared.u32 [$0], $1;", "r,r"(ptr addrspace(3) @sh, i32 5)
  %slot = alloca i32
  call void asm sideeffect "st.u32 $0, 7;", "=*m"(ptr elementtype(i32) %slot)
  call void asm "add.s32 $0, $1, 1;", "=*r,r"(ptr elementtype(i32) %slot, i32 4)
  %s = load i32, ptr %slot
  store i32 %s, ptr %out
  %p = call i1 asm "not.pred $0, $1;", "=b,b"(i1 %b)
  store i1 %p, ptr %out
  %e = call i8 asm "add.u16 $0, $1, 1;", "=h,h"(i8 %c)
  store i8 %e, ptr %out
  %f = call double asm "add.f64 $0, $1, $2;", "=d,d,d"(double %d, double 1.5)
  store double %f, ptr %out
  %g = call i32 asm "add.s32 $0, $1, 1;", "=r,0"(i32 9)
  store i32 %g, ptr %out
  %two = call {i32, i32} asm "{ .reg .b32 a; mov.b32 a, $2; mov.b32 $0, a; mov.b32 $1, a; }", "=&r,=&r,r"(i32 9)
  %t0 = extractvalue {i32,i32} %two, 1
  store i32 %t0, ptr %out
  %q1 = call i32 asm "mov.b32 $0, $1;", "=r,r"(i1 %b)
  store i32 %q1, ptr %out
  ret void
}
