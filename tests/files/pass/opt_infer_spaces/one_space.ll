; test: pass opt_infer_spaces
target triple = "nvptx64-nvidia-cuda"
@sh = internal addrspace(3) global [64 x float] undef
define ptx_kernel void @k(ptr %p, ptr %q, i32 %n, i1 %b) {
entry:
  %a = alloca i32
  store i32 %n, ptr %a
  %s = addrspacecast ptr addrspace(3) @sh to ptr
  br label %loop
loop:
  %cur = phi ptr [ %p, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %v = load float, ptr %cur
  %sp = getelementptr float, ptr %s, i32 %i
  store float %v, ptr %sp
  %mix = select i1 %b, ptr %sp, ptr %cur
  store float 1.0, ptr %mix
  %next = getelementptr float, ptr %cur, i64 4
  %i2 = add i32 %i, 1
  %c = icmp slt i32 %i2, %n
  br i1 %c, label %loop, label %done
done:
  %x = load i32, ptr %a
  store i32 %x, ptr %q
  ret void
}

; expect ll:
; target triple = "nvptx64-nvidia-cuda"
;
; @sh = internal addrspace(3) global [64 x float] undef
;
; define ptx_kernel void @k(ptr %p, ptr %q, i32 %n, i1 %b) {
; entry:
;   %0 = addrspacecast ptr %p to ptr addrspace(1)
;   %1 = addrspacecast ptr %q to ptr addrspace(1)
;   %a = alloca i32
;   %2 = addrspacecast ptr %a to ptr addrspace(5)
;   store i32 %n, ptr addrspace(5) %2
;   %s = addrspacecast ptr addrspace(3) @sh to ptr
;   br label %loop
;
; loop:                                             ; preds = %loop, %entry
;   %cur = phi ptr [ %p, %entry ], [ %next, %loop ]
;   %3 = phi ptr addrspace(1) [ %0, %entry ], [ %5, %loop ]
;   %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
;   %v = load float, ptr addrspace(1) %3
;   %sp = getelementptr float, ptr %s, i32 %i
;   %4 = getelementptr float, ptr addrspace(3) @sh, i32 %i
;   store float %v, ptr addrspace(3) %4
;   %mix = select i1 %b, ptr %sp, ptr %cur
;   store float 1.000000e+00, ptr %mix
;   %next = getelementptr float, ptr %cur, i64 4
;   %5 = getelementptr float, ptr addrspace(1) %3, i64 4
;   %i2 = add i32 %i, 1
;   %c = icmp slt i32 %i2, %n
;   br i1 %c, label %loop, label %done
;
; done:                                             ; preds = %loop
;   %x = load i32, ptr addrspace(5) %2
;   store i32 %x, ptr addrspace(1) %1
;   ret void
; }
