; test: compile --arch sm_75
; check: .global .texref picture;
; check: .global .surfref sheet;
; check: .func (.param .b32 func_retval0) width()
; check: mov.u64 *, picture;
; check: txq.width.b32 *, [*];
; check: .entry sampled
; check: mov.u64 *, picture;
; check: tex.1d.v4.f32.s32 {*, *, *, *}, [*, {*}];
; check: mov.u64 *, sheet;
; check: sust.b.1d.b32.trap [*, {*}], {*};
; The handle of a variable is its address, which textures and surfaces have in their own way.
target triple = "nvptx64-nvidia-cuda"

@picture = internal addrspace(1) global i64 0, align 8
@sheet = internal addrspace(1) global i64 0, align 8

declare i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1))
declare i32 @llvm.nvvm.txq.width(i64)
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64, i32)
declare void @llvm.nvvm.sust.b.1d.i32.trap(i64, i32, i32)

define i32 @width() {
  %h = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @picture)
  %w = call i32 @llvm.nvvm.txq.width(i64 %h)
  ret i32 %w
}

define ptx_kernel void @sampled(i32 %x, ptr addrspace(1) %out) {
  %h = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @picture)
  %v = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %h, i32 %x)
  %r = extractvalue { float, float, float, float } %v, 0
  store float %r, ptr addrspace(1) %out
  %s = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @sheet)
  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %s, i32 %x, i32 7)
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = !{ptr addrspace(1) @picture, !"texture", i32 1}
!1 = !{ptr addrspace(1) @sheet, !"surface", i32 1}
