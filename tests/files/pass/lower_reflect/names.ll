; test: pass lower_reflect --arch sm_90
; Names, and the ways to their strings.
@arch = private constant [12 x i8] c"__CUDA_ARCH\00"
@ftz = private addrspace(4) constant [11 x i8] c"__CUDA_FTZ\00"
@sqrt = private constant [17 x i8] c"__CUDA_PREC_SQRT\00"
@div = private constant [16 x i8] c"__CUDA_PREC_DIV\00"
@other = private constant [6 x i8] c"OTHER\00"
@none = private constant [1 x i8] zeroinitializer

declare i32 @__nvvm_reflect(ptr)
declare i32 @llvm.nvvm.reflect(ptr)
declare ptr @llvm.nvvm.ptr.constant.to.gen.p0.p4(ptr addrspace(4))

define void @f(ptr %p) {
  %a = call i32 @__nvvm_reflect(ptr @arch)
  %cast = addrspacecast ptr addrspace(4) @ftz to ptr
  %gep = getelementptr [11 x i8], ptr %cast, i32 0, i64 0
  %b = call i32 @llvm.nvvm.reflect(ptr %gep)
  %gen = call ptr @llvm.nvvm.ptr.constant.to.gen.p0.p4(ptr addrspace(4) @ftz)
  %c = call i32 @__nvvm_reflect(ptr %gen)
  %d = call i32 @__nvvm_reflect(ptr @sqrt)
  %e = call i32 @__nvvm_reflect(ptr @div)
  %g = call i32 @__nvvm_reflect(ptr @other)
  %h = call i32 @__nvvm_reflect(ptr @none)
  store volatile i32 %a, ptr %p
  store volatile i32 %b, ptr %p
  store volatile i32 %c, ptr %p
  store volatile i32 %d, ptr %p
  store volatile i32 %e, ptr %p
  store volatile i32 %g, ptr %p
  store volatile i32 %h, ptr %p
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 4, !"nvvm-reflect-ftz", i32 1}

; expect ll:
; @arch = private constant [12 x i8] c"__CUDA_ARCH\00"
; @ftz = private addrspace(4) constant [11 x i8] c"__CUDA_FTZ\00"
; @sqrt = private constant [17 x i8] c"__CUDA_PREC_SQRT\00"
; @div = private constant [16 x i8] c"__CUDA_PREC_DIV\00"
; @other = private constant [6 x i8] c"OTHER\00"
; @none = private constant [1 x i8] zeroinitializer
;
; declare i32 @__nvvm_reflect(ptr)
;
; declare i32 @llvm.nvvm.reflect(ptr)
;
; declare ptr @llvm.nvvm.ptr.constant.to.gen.p0.p4(ptr addrspace(4))
;
; define void @f(ptr %p) {
;   %cast = addrspacecast ptr addrspace(4) @ftz to ptr
;   %gep = getelementptr [11 x i8], ptr %cast, i32 0, i64 0
;   %gen = call ptr @llvm.nvvm.ptr.constant.to.gen.p0.p4(ptr addrspace(4) @ftz)
;   store volatile i32 900, ptr %p
;   store volatile i32 1, ptr %p
;   store volatile i32 1, ptr %p
;   store volatile i32 1, ptr %p
;   store volatile i32 1, ptr %p
;   store volatile i32 0, ptr %p
;   store volatile i32 0, ptr %p
;   ret void
; }
;
; !llvm.module.flags = !{!0}
;
; !0 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
