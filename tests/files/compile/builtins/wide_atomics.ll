; Values of 16 bytes, vectors of float, swaps of 2 bytes; the value that a failed swap found comes back.
; test: compile --arch sm_90
; test: compile --arch sm_100
; check: atom.acquire.gpu.global.exch.b128
; check: atom.relaxed.gpu.global.add.v2.f32 {*, *}, [*], {*, *};
; check: ld.relaxed.sys.global.b128
; check: fence.sc.cluster
; check: st.relaxed.cluster.global.b128
; run: --grid 1 --block 1 --arg u64[2]=3,4 --arg u64[2]=0 --arg f32[4]=1,2,3,4 --arg u16[4]=5,6,7,8 --expect 0:=9,10 --expect 1:=3,4 --expect 2:=1.5,4.5,4,4 --expect 3:=5,1,6,0
target triple = "nvptx64-nvidia-cuda"

declare i128 @__nv_atomic_exchange_16(ptr, i128, i32, i32)
declare i128 @__nv_atomic_load_16(ptr, i32, i32)
declare void @__nv_atomic_store_16(ptr, i128, i32, i32)
declare <2 x float> @__nvvm_atom_add_gen_f2(ptr, <2 x float>)
declare i1 @__nv_atomic_compare_exchange_2(ptr, ptr, i16, i1, i32, i32, i32)

define ptx_kernel void @k(ptr %p, ptr %out, ptr %f, ptr %s) {
  %old = call i128 @__nv_atomic_exchange_16(ptr %p, i128 184467440737095516169, i32 2, i32 3)
  store i128 %old, ptr %out, align 8
  %v = load <2 x float>, ptr %f
  %x = call <2 x float> @__nvvm_atom_add_gen_f2(ptr %f, <2 x float> <float 5.000000e-01, float 2.500000e+00>)
  %x0 = extractelement <2 x float> %x, i32 0
  %f2 = getelementptr float, ptr %f, i32 2
  %f2v = load float, ptr %f2
  %sum = fadd float %f2v, %x0
  store float %sum, ptr %f2
  %w = call i128 @__nv_atomic_load_16(ptr %p, i32 0, i32 4)
  call void @__nv_atomic_store_16(ptr %p, i128 %w, i32 5, i32 2)
  ; Fails: there is 6, not 7.
  %s1 = getelementptr i16, ptr %s, i32 1
  %s2 = getelementptr i16, ptr %s, i32 2
  %s3 = getelementptr i16, ptr %s, i32 3
  %no = call i1 @__nv_atomic_compare_exchange_2(ptr %s1, ptr %s2, i16 9, i1 false, i32 2, i32 0, i32 3)
  %no16 = zext i1 %no to i16
  store i16 %no16, ptr %s3
  ; Succeeds: what was expected stays.
  %yes = call i1 @__nv_atomic_compare_exchange_2(ptr %s1, ptr %s2, i16 1, i1 true, i32 4, i32 2, i32 3)
  ret void
}
