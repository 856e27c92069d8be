; test: compile --arch sm_75
; A whole module.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %out) {
  store i32 7, ptr addrspace(1) %out
  ret void
}

; expect ptx:
; .version 6.3
; .target sm_75
; .address_size 64
;
; .visible .entry k(.param .b64 .ptr .global .align 1 k_param_0)
; {
; 	.reg .b64 %rd<2>;
; 	ld.param.b64 %rd1, [k_param_0];
; 	st.global.b32 [%rd1], 7;
; 	ret;
; }
