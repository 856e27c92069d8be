; Operands of inline PTX: every class, tied ones, constants, predicates, several results; texts that declare
; registers and labels, also some that are named as ours are.
; test: compile --arch sm_75
; test: compile --arch sm_90
; check: .reg .b32 %asm_r1;
; check-not: %laneid
; run: --grid 1 --block 2 --arg u32[32]=iota --arg u32[32]=0 --print 1 --expect 1:=7,1,8,100,0xffffffff,5,11,0x40e00000,0,0,0,0,0,0,0,0,7,2,8,101,0xffffffff,5,22,0x40e00000,0,0,0,0,0,0,0,0
target triple = "nvptx64-nvidia-cuda"
@g = addrspace(1) global i32 5
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 asm "mov.u32 $0, %tid.x;", "=r"()
  %off = mul i32 %t, 16
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %off
  %a = call i32 asm sideeffect "{\0A\09.reg .b32 %r1, t<3>;\0A\09.reg .pred %p;\0A\09setp.gt.s32 %p, $1, $2;\0A\09mov.b32 %r1, 7;\0A\09@%p bra $$L${:uid};\0A\09add.s32 %r1, %r1, $1;\0A$$L${:uid}:\0A\09mov.b32 $0, %r1;\0A}", "=r,r,n,~{memory}"(i32 %t, i32 0)
  %b = call { i32, i64 } asm ".reg .b32 x;\0Aadd.s32 x, $2, 1; mov.b32 $0, x; cvt.u64.u32 $1, x;", "=r,=l,r"(i32 %t)
  %c = call { i32, i64 } asm ".reg .b32 x;\0Aadd.s32 x, $2, 1; mov.b32 $0, x; cvt.u64.u32 $1, x;", "=r,=l,r"(i32 %a)
  %b0 = extractvalue { i32, i64 } %b, 0
  %c1 = extractvalue { i32, i64 } %c, 1
  %c1t = trunc i64 %c1 to i32
  %d = call i32 asm "add.s32 $0, $0, $2;", "=r,0,r"(i32 %t, i32 100)
  %e = call i8 asm "mov.b16 $0, 255;", "=h"()
  %es = sext i8 %e to i32
  %f = call i32 asm "{ .reg .u32 r; ld.global.u32 r, [g]; mov.u32 $0, r; }", "=r"()
  %p1 = icmp ult i32 %t, 1
  %h = call i32 asm "selp.b32 $0, 11, 22, $1;", "=r,b"(i1 %p1)
  %unused = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  call void asm sideeffect "", "~{memory}"()
  %x = call float asm "fma.rn.f32 $0, $1, $2, $3;", "=f,f,f,n"(float 2.0, float 3.0, float 1.0)
  %xi = bitcast float %x to i32
  call void asm sideeffect "st.global.u32 [$0], $1;", "l,r"(ptr addrspace(1) %o, i32 %a)
  %o1 = getelementptr i32, ptr addrspace(1) %o, i32 1
  store i32 %b0, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 2
  store i32 %c1t, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %o, i32 3
  store i32 %d, ptr addrspace(1) %o3
  %o4 = getelementptr i32, ptr addrspace(1) %o, i32 4
  store i32 %es, ptr addrspace(1) %o4
  %o5 = getelementptr i32, ptr addrspace(1) %o, i32 5
  store i32 %f, ptr addrspace(1) %o5
  %o6 = getelementptr i32, ptr addrspace(1) %o, i32 6
  store i32 %h, ptr addrspace(1) %o6
  %o7 = getelementptr i32, ptr addrspace(1) %o, i32 7
  store i32 %xi, ptr addrspace(1) %o7
  ret void
}
