; test: compile --arch sm_75
; check: .entry k
; check: st.global.b32 [*], *;
; check: ld.shared.b32 *, [*];
; run: --grid 1 --block 1 --arg u32[2]=7,8 --arg u32[4]=0 --expect 0:=8,8 --expect 1:=7,5,9,11
; Operands in memory are written with their brackets: variables, constant addresses, the stack, and the same place read
; and written.
target triple = "nvptx64-nvidia-cuda"

@far = addrspace(1) global i32 0
@near = internal addrspace(3) global [4 x i32] poison

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) %in
  call void asm sideeffect "st.global.b32 $0, $1;", "=*m,r,~{memory}"(ptr addrspace(1) elementtype(i32) @far, i32 %v)
  %a = load volatile i32, ptr addrspace(1) @far
  store i32 %a, ptr addrspace(1) %out
  %slot = alloca i32
  store i32 %v, ptr %slot
  call void asm sideeffect "st.b32 $0, 5;", "=*m,~{memory}"(ptr elementtype(i32) %slot)
  %b = load i32, ptr %slot
  %out1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %b, ptr addrspace(1) %out1
  %place = getelementptr i8, ptr addrspace(3) @near, i64 8
  store i32 9, ptr addrspace(3) %place
  %c = call i32 asm sideeffect "ld.shared.b32 $0, $1;", "=r,*m,~{memory}"(ptr addrspace(3) elementtype(i32) getelementptr (i8, ptr addrspace(3) @near, i64 8))
  %out2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %c, ptr addrspace(1) %out2
  call void asm sideeffect "{ .reg .b32 %t; ld.global.b32 %t, $1; add.s32 %t, %t, 1; st.global.b32 $0, %t; }", "=*m,*m,~{memory}"(ptr addrspace(1) elementtype(i32) %in, ptr addrspace(1) elementtype(i32) %in)
  %out3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  call void asm sideeffect "mov.b32 $0, 11;", "=*r"(ptr addrspace(1) elementtype(i32) %out3)
  ret void
}
