; test: compile --arch sm_75
; check: .entry k
; check: add.s32 *, 1;
; check: st.global.b32
; check-not: mov.b32
; run: --grid 1 --block 1 --arg u32[3]=5,6,7 --arg u32[2]=0 --expect 1:=6,6
; Members are taken from where they are made.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %s = load { i32, { i32, i32 } }, ptr addrspace(1) %in
  %a = extractvalue { i32, { i32, i32 } } %s, 0
  %b = add i32 %a, 1
  %t = insertvalue { i32, { i32, i32 } } %s, i32 %b, 1, 1
  %u = extractvalue { i32, { i32, i32 } } %t, 1
  %x = extractvalue { i32, i32 } %u, 0
  %y = extractvalue { i32, i32 } %u, 1
  store i32 %x, ptr addrspace(1) %out
  %next = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %y, ptr addrspace(1) %next
  ret void
}
