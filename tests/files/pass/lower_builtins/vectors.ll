; test: pass lower_builtins --arch sm_90
; Additions of vectors exist in global memory only. Vectors come as LLVM vectors, structs or arrays;
; or after pointers, as CUDA's front end passes all wide values.
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }

declare <2 x float> @__nvvm_atom_add_gen_f2(ptr, <2 x float>)
declare %struct.float4 @__nvvm_atom_cta_add_gen_f4(ptr, %struct.float4)
declare [4 x float] @__nvvm_atom_sys_add_gen_f4(ptr, [4 x float])

declare void @__nvvm_atom_add_gen_f4(ptr, ptr, ptr)
declare void @__nvvm_atom_cta_cas_gen_128(ptr, ptr, ptr, ptr)

define <2 x float> @pair(ptr %p, <2 x float> %v) {
  %old = call <2 x float> @__nvvm_atom_add_gen_f2(ptr %p, <2 x float> %v)
  ret <2 x float> %old
}

define %struct.float4 @struct(ptr %p, %struct.float4 %v) {
  %old = call %struct.float4 @__nvvm_atom_cta_add_gen_f4(ptr %p, %struct.float4 %v)
  ret %struct.float4 %old
}

define [4 x float] @array(ptr addrspace(1) %p, [4 x float] %v) {
  %generic = addrspacecast ptr addrspace(1) %p to ptr
  %old = call [4 x float] @__nvvm_atom_sys_add_gen_f4(ptr %generic, [4 x float] %v)
  ret [4 x float] %old
}

define void @behind_pointers(ptr %p, ptr %v, ptr %w, ptr %old) {
  call void @__nvvm_atom_add_gen_f4(ptr %p, ptr %v, ptr %old)
  call void @__nvvm_atom_cta_cas_gen_128(ptr %p, ptr %v, ptr %w, ptr %old)
  ret void
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; %struct.float4 = type { float, float, float, float }
;
; declare <2 x float> @__nvvm_atom_add_gen_f2(ptr, <2 x float>)
;
; declare %struct.float4 @__nvvm_atom_cta_add_gen_f4(ptr, %struct.float4)
;
; declare [4 x float] @__nvvm_atom_sys_add_gen_f4(ptr, [4 x float])
;
; declare void @__nvvm_atom_add_gen_f4(ptr, ptr, ptr)
;
; declare void @__nvvm_atom_cta_cas_gen_128(ptr, ptr, ptr, ptr)
;
; define <2 x float> @pair(ptr %p, <2 x float> %v) {
;   %1 = extractelement <2 x float> %v, i64 0
;   %2 = extractelement <2 x float> %v, i64 1
;   %3 = addrspacecast ptr %p to ptr addrspace(1)
;   %4 = call { float, float } asm sideeffect "atom.relaxed.gpu.global.add.v2.f32 {$0, $1}, [$2], {$3, $4};", "=f,=f,l,f,f,~{memory}"(ptr addrspace(1) %3, float %1, float %2)
;   %5 = extractvalue { float, float } %4, 0
;   %6 = extractvalue { float, float } %4, 1
;   %7 = insertelement <2 x float> poison, float %5, i64 0
;   %8 = insertelement <2 x float> %7, float %6, i64 1
;   ret <2 x float> %8
; }
;
; define %struct.float4 @struct(ptr %p, %struct.float4 %v) {
;   %1 = extractvalue %struct.float4 %v, 0
;   %2 = extractvalue %struct.float4 %v, 1
;   %3 = extractvalue %struct.float4 %v, 2
;   %4 = extractvalue %struct.float4 %v, 3
;   %5 = addrspacecast ptr %p to ptr addrspace(1)
;   %6 = call { float, float, float, float } asm sideeffect "atom.relaxed.cta.global.add.v4.f32 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};", "=f,=f,=f,=f,l,f,f,f,f,~{memory}"(ptr addrspace(1) %5, float %1, float %2, float %3, float %4)
;   %7 = extractvalue { float, float, float, float } %6, 0
;   %8 = extractvalue { float, float, float, float } %6, 1
;   %9 = extractvalue { float, float, float, float } %6, 2
;   %10 = extractvalue { float, float, float, float } %6, 3
;   %11 = insertvalue %struct.float4 poison, float %7, 0
;   %12 = insertvalue %struct.float4 %11, float %8, 1
;   %13 = insertvalue %struct.float4 %12, float %9, 2
;   %14 = insertvalue %struct.float4 %13, float %10, 3
;   ret %struct.float4 %14
; }
;
; define [4 x float] @array(ptr addrspace(1) %p, [4 x float] %v) {
;   %generic = addrspacecast ptr addrspace(1) %p to ptr
;   %1 = extractvalue [4 x float] %v, 0
;   %2 = extractvalue [4 x float] %v, 1
;   %3 = extractvalue [4 x float] %v, 2
;   %4 = extractvalue [4 x float] %v, 3
;   %5 = call { float, float, float, float } asm sideeffect "atom.relaxed.sys.global.add.v4.f32 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};", "=f,=f,=f,=f,l,f,f,f,f,~{memory}"(ptr addrspace(1) %p, float %1, float %2, float %3, float %4)
;   %6 = extractvalue { float, float, float, float } %5, 0
;   %7 = extractvalue { float, float, float, float } %5, 1
;   %8 = extractvalue { float, float, float, float } %5, 2
;   %9 = extractvalue { float, float, float, float } %5, 3
;   %10 = insertvalue [4 x float] poison, float %6, 0
;   %11 = insertvalue [4 x float] %10, float %7, 1
;   %12 = insertvalue [4 x float] %11, float %8, 2
;   %13 = insertvalue [4 x float] %12, float %9, 3
;   ret [4 x float] %13
; }
;
; define void @behind_pointers(ptr %p, ptr %v, ptr %w, ptr %old) {
;   %1 = load <4 x float>, ptr %v, align 16
;   %2 = extractelement <4 x float> %1, i64 0
;   %3 = extractelement <4 x float> %1, i64 1
;   %4 = extractelement <4 x float> %1, i64 2
;   %5 = extractelement <4 x float> %1, i64 3
;   %6 = addrspacecast ptr %p to ptr addrspace(1)
;   %7 = call { float, float, float, float } asm sideeffect "atom.relaxed.gpu.global.add.v4.f32 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};", "=f,=f,=f,=f,l,f,f,f,f,~{memory}"(ptr addrspace(1) %6, float %2, float %3, float %4, float %5)
;   %8 = extractvalue { float, float, float, float } %7, 0
;   %9 = extractvalue { float, float, float, float } %7, 1
;   %10 = extractvalue { float, float, float, float } %7, 2
;   %11 = extractvalue { float, float, float, float } %7, 3
;   %12 = insertelement <4 x float> poison, float %8, i64 0
;   %13 = insertelement <4 x float> %12, float %9, i64 1
;   %14 = insertelement <4 x float> %13, float %10, i64 2
;   %15 = insertelement <4 x float> %14, float %11, i64 3
;   store <4 x float> %15, ptr %old, align 16
;   %16 = load i128, ptr %v, align 16
;   %17 = load i128, ptr %w, align 16
;   %18 = cmpxchg ptr %p, i128 %16, i128 %17 syncscope("block") monotonic monotonic, align 16
;   %19 = extractvalue { i128, i1 } %18, 0
;   %20 = extractvalue { i128, i1 } %18, 1
;   store i128 %19, ptr %old, align 16
;   ret void
; }
