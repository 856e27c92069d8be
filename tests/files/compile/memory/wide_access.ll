; test: compile --arch sm_90
; check: ld.global.v4.b32
; check: ld.global.v4.b32
; check-not: v8
; test: compile --arch sm_100
; check: ld.global.v8.b32
; check: st.global.v8.b32
; check: ld.global.v4.b64
; check: st.global.v4.b64
; run: --kernel words --grid 1 --block 1 --arg u32[8]=iota --arg u32[8]=0 --expect 1:=0,1,2,3,4,5,6,7
; run: --kernel longs --grid 1 --block 1 --arg u64[4]=iota --arg u64[4]=0 --expect 1:=0,1,2,3
; 256 bits at once where the target can.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @words(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <8 x i32>, ptr addrspace(1) %in, align 32
  store <8 x i32> %v, ptr addrspace(1) %out, align 32
  ret void
}

define ptx_kernel void @longs(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <4 x i64>, ptr addrspace(1) %in, align 32
  store <4 x i64> %v, ptr addrspace(1) %out, align 32
  ret void
}
