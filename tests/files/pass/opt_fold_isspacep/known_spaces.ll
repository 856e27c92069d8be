; test: pass opt_fold_isspacep
target triple = "nvptx64-nvidia-cuda"
@sh = internal addrspace(3) global [64 x i32] undef
declare i1 @llvm.nvvm.isspacep.local(ptr)
declare i1 @llvm.nvvm.isspacep.shared(ptr)
declare i1 @llvm.nvvm.isspacep.shared.cluster(ptr)
declare i1 @llvm.nvvm.isspacep.global(ptr)

; What a kernel gets is global: the code for an object on the stack goes.
define ptx_kernel void @of_a_parameter(ptr %p, i64 %i) {
entry:
  %q = getelementptr i32, ptr %p, i64 %i
  %mine = call i1 @llvm.nvvm.isspacep.local(ptr %q)
  br i1 %mine, label %plain, label %atomic
plain:
  store i32 1, ptr %q
  br label %done
atomic:
  %old = atomicrmw add ptr %q, i32 1 monotonic
  br label %done
done:
  ret void
}

; Shared memory of the block is part of the cluster's.
define ptx_kernel void @of_variables(ptr %out) {
  %on_stack = alloca i32
  %s = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @sh to ptr), i64 3
  %a = call i1 @llvm.nvvm.isspacep.shared(ptr %s)
  %b = call i1 @llvm.nvvm.isspacep.shared.cluster(ptr %s)
  %c = call i1 @llvm.nvvm.isspacep.global(ptr %s)
  %d = call i1 @llvm.nvvm.isspacep.local(ptr %on_stack)
  %ab = select i1 %a, i32 1, i32 2
  %bb = select i1 %b, i32 4, i32 8
  %cb = select i1 %c, i32 16, i32 32
  %db = select i1 %d, i32 64, i32 128
  store i32 %ab, ptr %out
  store i32 %bb, ptr %out
  store i32 %cb, ptr %out
  store i32 %db, ptr %out
  ret void
}

; A function's parameters can point anywhere, and memory of the cluster may be the block's.
define i1 @of_anything(ptr %p, ptr addrspace(7) %d) {
  %mine = call i1 @llvm.nvvm.isspacep.local(ptr %p)
  %g = addrspacecast ptr addrspace(7) %d to ptr
  %own = call i1 @llvm.nvvm.isspacep.shared(ptr %g)
  %r = and i1 %mine, %own
  ret i1 %r
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; @sh = internal addrspace(3) global [64 x i32] undef
;
; declare i1 @llvm.nvvm.isspacep.local(ptr)
;
; declare i1 @llvm.nvvm.isspacep.shared(ptr)
;
; declare i1 @llvm.nvvm.isspacep.shared.cluster(ptr)
;
; declare i1 @llvm.nvvm.isspacep.global(ptr)
;
; define ptx_kernel void @of_a_parameter(ptr %p, i64 %i) {
; entry:
;   %q = getelementptr i32, ptr %p, i64 %i
;   br label %atomic
;
; atomic:                                           ; preds = %entry
;   %old = atomicrmw add ptr %q, i32 1 monotonic
;   br label %done
;
; done:                                             ; preds = %atomic
;   ret void
; }
;
; define ptx_kernel void @of_variables(ptr %out) {
;   %on_stack = alloca i32
;   %s = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @sh to ptr), i64 3
;   store i32 1, ptr %out
;   store i32 4, ptr %out
;   store i32 32, ptr %out
;   store i32 64, ptr %out
;   ret void
; }
;
; define i1 @of_anything(ptr %p, ptr addrspace(7) %d) {
;   %mine = call i1 @llvm.nvvm.isspacep.local(ptr %p)
;   %g = addrspacecast ptr addrspace(7) %d to ptr
;   %own = call i1 @llvm.nvvm.isspacep.shared(ptr %g)
;   %r = and i1 %mine, %own
;   ret i1 %r
; }
