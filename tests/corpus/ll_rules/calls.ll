; Calls, intrinsics and their attributes.
target triple = "nvptx64-nvidia-cuda"
%struct = type { i32, i64 }

declare i32 @callee(i32, float)
declare i32 @printf(ptr, ...)
declare ptx_kernel void @kernel(ptr)
declare void @takes(ptr byval(%struct) align 8, ptr noalias, i32 signext)
declare void @fills(ptr sret(%struct) align 8)
declare token @llvm.experimental.convergence.entry() convergent
declare i32 @llvm.ctpop.i32(i32)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i32 @llvm.ctlz.i32(i32, i1 immarg)
declare float @llvm.fma.f32(float, float, float)
declare void @llvm.assume(i1)
declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)
declare ptr @llvm.returnaddress(i32 immarg)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.lifetime.start.p0(ptr)

define i32 @caller(ptr %p, ptr %fp, i32 %n, float %f) convergent {
  %a = call i32 @callee(i32 %n, float %f)
  %b = call i32 (ptr, ...) @printf(ptr %p, i32 %a, double 1.0)
  %c = tail call i32 %fp(i32 %n)
  call void @takes(ptr byval(%struct) align 8 %p, ptr %p, i32 %n)
  call void @fills(ptr sret(%struct) align 8 %p)
  %d = call i32 @llvm.ctpop.i32(i32 %a)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 %fp, i64 16, i1 false)
  %e = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %d, i32 1, i32 31)
  %o = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %e, i32 1)
  %g = call i32 @llvm.ctlz.i32(i32 %n, i1 true)
  %h = call contract float @llvm.fma.f32(float %f, float %f, float %f)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ]
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %asm = call i32 asm sideeffect "add.s32 $0, $1, $2;", "=r,r,r,~{memory}"(i32 %n, i32 %t)
  %s = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr %s)
  ret i32 %asm
}

define i32 @must(i32 %n, float %f) {
  %r = musttail call i32 @callee(i32 %n, float %f)
  ret i32 %r
}
;; call-arguments || @callee(i32 %n, float %f)\n  %b || @callee(i32 %n)\n  %b
;; call-arguments || @callee(i32 %n, float %f)\n  %b || @callee(i32 %n, i32 %n)\n  %b
;; call-arguments || @callee(i32 %n, float %f)\n  %b || @callee(i32 %n, float %f, i32 %n)\n  %b
;; call-arguments || @callee(i32 %n, float %f)\n  %b || @callee(i64 %n, float %f)\n  %b
;; call-arguments || %a = call i32 @callee || %a = call i64 @callee
;; call-arguments || %a = call i32 @callee || %a = call void @callee
;; call-arguments || i32 (ptr, ...) @printf(ptr %p, i32 %a || i32 (ptr, ...) @printf(i32 %a
;; call-arguments || i32 (ptr, ...) @printf(ptr %p, i32 %a || i32 @printf(ptr %p, i32 %a
;; call-arguments || i32 (ptr, ...) @printf(ptr %p, i32 %a || i32 (ptr, i32) @printf(ptr %p, i32 %a
;; call-arguments || tail call i32 %fp(i32 %n) || tail call i32 %n(i32 %n)
;; call-arguments || tail call i32 %fp(i32 %n) || tail call i32 (i32, i32) %fp(i32 %n)
;; call-arguments || tail call i32 %fp(i32 %n) || tail call i32 %fp(void undef)
;; call-arguments || tail call i32 %fp(i32 %n) || tail call i32 %fp(label %n)
;; call-arguments || tail call i32 %fp(i32 %n) || tail call i32 null(i32 %n)
;; call-arguments || tail call i32 %fp(i32 %n) || tail call i32 @unknown(i32 %n)
;; call-arguments || tail call i32 %fp(i32 %n) || tail call %struct (i32) %fp(i32 %n)
;; kernel-call || %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() || %t = add i32 1, 1\n  call ptx_kernel void @kernel(ptr %p)
;; kernel-call || %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() || %t = add i32 1, 1\n  call void @kernel(ptr %p)
;; kernel-definition || declare ptx_kernel void @kernel(ptr) || declare ptx_kernel i32 @kernel(ptr)
;; kernel-definition || declare ptx_kernel void @kernel(ptr) || declare ptx_kernel void @kernel(ptr, ...)
;; kernel-definition || declare ptx_kernel void @kernel(ptr) || declare ptx_kernel void @kernel(ptr sret(%struct))
;; kernel-definition || declare ptx_kernel void @kernel(ptr) || declare ptx_kernel void @kernel(ptr byval(%struct))
;; kernel-definition || declare ptx_kernel void @kernel(ptr) || declare ptx_device i32 @kernel(ptr, ...)
;; byval-sret || ptr byval(%struct) align 8, ptr noalias, i32 signext || i32 byval(%struct) align 8, ptr noalias, i32 signext
;; byval-sret || declare void @takes(ptr byval(%struct) align 8 || declare void @takes(ptr byval(%struct) sret(%struct) align 8
;; byval-sret || declare void @takes(ptr byval(%struct) align 8 || declare void @takes(ptr byval align 8
;; byval-sret || declare void @takes(ptr byval(%struct) align 8 || declare void @takes(ptr byval(void) align 8
;; byval-sret || declare void @takes(ptr byval(%struct) align 8 || declare void @takes(ptr byval(i32 ()) align 8
;; byval-sret || declare void @takes(ptr byval(%struct) align 8 || declare void @takes(ptr byref(%struct) byval(%struct) align 8
;; byval-sret || declare void @takes(ptr byval(%struct) align 8 || declare void @takes(ptr byval(%struct) align 9
;; byval-sret || @takes(ptr byval(%struct) align 8, ptr noalias, i32 signext) || @takes(ptr byval(%struct) align 8, ptr noalias, i32 signext zeroext)
;; byval-sret || @takes(ptr byval(%struct) align 8, ptr noalias, i32 signext) || @takes(ptr byval(%struct) align 8, i32 noalias, i32 signext)
;; byval-sret || @takes(ptr byval(%struct) align 8, ptr noalias, i32 signext) || @takes(ptr byval(%struct) align 8, ptr noalias, float signext)
;; byval-sret || declare void @fills(ptr sret(%struct) align 8) || declare i32 @fills(ptr sret(%struct) align 8)
;; byval-sret || declare void @fills(ptr sret(%struct) align 8) || declare void @fills(i32, i32, ptr sret(%struct) align 8)
;; byval-sret || declare void @fills(ptr sret(%struct) align 8) || declare void @fills(ptr, ptr sret(%struct) align 8)
;; byval-sret || declare void @fills(ptr sret(%struct) align 8) || declare void @fills(ptr sret(%struct) align 8, ptr sret(%struct))
;; byval-sret || call void @takes(ptr byval(%struct) align 8 %p || call void @takes(ptr byval(i64) align 8 %p
;; byval-sret || call void @takes(ptr byval(%struct) align 8 %p || call void @takes(ptr inalloca(%struct) %p
;; byval-sret || call void @fills(ptr sret(%struct) align 8 %p) || call void @fills(i64 sret(%struct) align 8 0)
;; call-attributes || %a = call i32 @callee( || %a = call noalias i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call nonnull i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call noundef signext i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call byval(i32) i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call nest i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call nocapture i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call fast i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call range(i32 0, 9) i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call range(i64 0, 9) i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call range(i32 9, 9) i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call range(i32 9, 2) i32 @callee(
;; call-attributes || %a = call i32 @callee( || %a = call nofpclass(nan) i32 @callee(
;; call-attributes || call void @fills(ptr sret(%struct) align 8 %p) || call void @fills(ptr sret(%struct) align 8 %p) alwaysinline noinline
;; call-attributes || call void @fills(ptr sret(%struct) align 8 %p) || call void @fills(ptr sret(%struct) align 8 %p) nounwind convergent
;; call-attributes || call void @fills(ptr sret(%struct) align 8 %p) || call void @fills(ptr sret(%struct) align 8 %p) noalias
;; call-attributes || call void @fills(ptr sret(%struct) align 8 %p) || call void @fills(ptr sret(%struct) align 8 %p) #9
;; intrinsic-signature || i32 @llvm.ctpop.i32(i32 || i64 @llvm.ctpop.i32(i32
;; intrinsic-signature || declare i32 @llvm.ctpop.i32(i32) || declare i32 @llvm.ctpop.i32(i64)
;; intrinsic-signature || declare i32 @llvm.ctpop.i32(i32) || declare i32 @llvm.ctpop.i32(i32, i32)
;; intrinsic-signature || declare i32 @llvm.ctpop.i32(i32) || declare float @llvm.ctpop.f32(float)
;; intrinsic-signature || declare i32 @llvm.ctpop.i32(i32) || declare i32 @llvm.ctpop.i32(i32)\ndeclare i32 @llvm.no.such.thing(i32)
;; intrinsic-signature || declare i32 @llvm.ctpop.i32(i32) || declare i32 @llvm.ctpop.i32(i32)\ndeclare i32 @llvm.nvvm.no.such.thing(i32)
;; intrinsic-signature || declare i32 @llvm.ctpop.i32(i32) || declare i32 @llvm.ctpop.i32(i32)\ndefine i64 @llvm.ctpop.i64(i64 %a) {\n  ret i64 %a\n}
;; intrinsic-signature || declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) || declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32)
;; intrinsic-signature || declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) || declare float @llvm.nvvm.shfl.sync.bfly.i32(i32, float, i32, i32)
;; intrinsic-signature || declare { i32, i1 } @llvm.sadd || declare { i32, i8 } @llvm.sadd
;; intrinsic-signature || declare float @llvm.fma.f32(float, float, float) || declare float @llvm.fma.f32(float, float, ...)
;; intrinsic-signature || declare void @llvm.assume(i1) || declare void @llvm.assume(i8)
;; intrinsic-use || %d = call i32 @llvm.ctpop.i32(i32 %a) || %d = ptrtoint ptr @llvm.ctpop.i32 to i32
;; intrinsic-use || %d = call i32 @llvm.ctpop.i32(i32 %a) || %d = call i32 %fp(ptr @llvm.ctpop.i32)
;; intrinsic-use || %d = call i32 @llvm.ctpop.i32(i32 %a) || %d = musttail call i32 @llvm.ctpop.i32(i32 %a)
;; immarg || i64 16, i1 false) || i64 16, i1 %bad)\n  %bad = icmp eq i32 %n, 0
;; immarg || i32 %n, i1 true) || i32 %n, i1 %fl)\n  %fl2 = add i32 0, 0
;; immarg || i32 0, i32 3, i32 1) || i32 0, i32 %n, i32 1)
;; immarg || i32 0, i32 3, i32 1) || i32 0, i32 4, i32 1)
;; immarg || i32 0, i32 3, i32 1) || i32 2, i32 3, i32 1)
;; immarg || i32 0, i32 3, i32 1) || i32 0, i32 3, i32 undef)
;; immarg || declare i32 @callee(i32, float) || declare i32 @callee(i32 immarg, float)
;; memory-intrinsics || ptr align 4 %p, ptr align 4 %fp, i64 16 || ptr align 3 %p, ptr align 4 %fp, i64 16
;; memory-intrinsics || ptr align 4 %p, ptr align 4 %fp, i64 16 || ptr align 4 %p, ptr align 4 %fp, i32 16
;; memory-intrinsics || call void @llvm.lifetime.start.p0(ptr %s) || call void @llvm.lifetime.start.p0(ptr %p)
;; memory-intrinsics || call void @llvm.lifetime.start.p0(ptr %s) || call void @llvm.lifetime.start.p0(i64 4, ptr %s)
;; operand-bundles || [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ] || [ "align"(ptr %p, i64 16, i64 0, i64 1) ]
;; operand-bundles || [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ] || [ "align"(i64 16, ptr %p) ]
;; operand-bundles || [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ] || [ "nosuchattribute"(ptr %p) ]
;; operand-bundles || [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ] || [ "nonnull"(ptr %p, i64 1) ]
;; operand-bundles || [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ] || [ "deopt"(i32 1), "deopt"(i32 2) ]
;; operand-bundles || [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ] || [ "convergencectrl"(token none) ]
;; operand-bundles || @callee(i32 %n, float %f)\n  %b || @callee(i32 %n, float %f) [ "funclet"(token none) ]\n  %b
;; operand-bundles || @callee(i32 %n, float %f)\n  %b || @callee(i32 %n, float %f) [ "mine"(i32 %n, ptr %p) ]\n  %b
;; operand-bundles || @callee(i32 %n, float %f)\n  %b || @callee(i32 %n, float %f) [ "kcfi"(i64 1) ]\n  %b
;; operand-bundles || @callee(i32 %n, float %f)\n  %b || @callee(i32 %n, float %f) [ "convergencectrl"(token %p) ]\n  %b
;; musttail || musttail call i32 @callee(i32 %n, float %f)\n  ret i32 %r || musttail call i32 @callee(i32 %n, float %f)\n  %z = add i32 %r, 1\n  ret i32 %z
;; musttail || musttail call i32 @callee(i32 %n, float %f)\n  ret i32 %r || musttail call i32 @callee(i32 %n, float %f)\n  ret i32 7
;; musttail || define i32 @must(i32 %n, float %f) || define i32 @must(i32 %n, float %f, i32 %more)
;; musttail || define i32 @must(i32 %n, float %f) || define fastcc i32 @must(i32 %n, float %f)
;; musttail || define i32 @must(i32 %n, float %f) || define i32 @must(i32 %n, float %f, ...)
;; musttail || %r = musttail call i32 @callee(i32 %n, float %f) || %r = musttail call i32 @callee(i32 %n, float %f) [ "deopt"(i32 1) ]
;; musttail || %r = musttail call i32 @callee || %r = notail call i32 @callee
;; musttail || define i32 @must(i32 %n, float %f) || define i32 @must(i32 inreg %n, float %f)
;; inline-asm || "=r,r,r,~{memory}"(i32 %n, i32 %t) || "=r,r,~{memory}"(i32 %n, i32 %t)
;; inline-asm || "=r,r,r,~{memory}"(i32 %n, i32 %t) || "=r,r,r,~{memory}"(i32 %n)
;; inline-asm || "=r,r,r,~{memory}" || "=r,=r,r,r"
;; inline-asm || "=r,r,r,~{memory}" || "r,r"
;; inline-asm || "=r,r,r,~{memory}" || "=r,r,0"
;; inline-asm || "=r,r,r,~{memory}" || "=r,r,7"
;; inline-asm || "=r,r,r,~{memory}" || "=r,~{memory},r,r"
;; inline-asm || "=r,r,r,~{memory}" || "=r,,r"
;; inline-asm || "=r,r,r,~{memory}" || "=*r,r,r"
;; inline-asm || "=r,r,r,~{memory}" || "=r,r,!i"
;; inline-asm || "=r,r,r,~{memory}"(i32 %n, i32 %t) || "=*m,r,r"(ptr elementtype(i32) %p, i32 %n, i32 %t)
;; inline-asm || %asm = call i32 asm sideeffect || %asm = call { i32, i32 } asm sideeffect
;; convergence || %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() || %t = add i32 1, 1\n  %tok = call token @llvm.experimental.convergence.entry()
;; convergence || ptr %fp, i32 %n, float %f) convergent {\n || ptr %fp, i32 %n, float %f) {\n  %tok = call token @llvm.experimental.convergence.entry()\n
;; convergence || ptr %fp, i32 %n, float %f) convergent {\n || ptr %fp, i32 %n, float %f) convergent {\n  %tok = call token @llvm.experimental.convergence.entry()\n
;; convergence || ptr %fp, i32 %n, float %f) convergent {\n || ptr %fp, i32 %n, float %f) convergent {\n  %tok = call token @llvm.experimental.convergence.entry()\n  call void @llvm.assume(i1 true) [ "convergencectrl"(token %tok) ]\n
;; declarations || declare i32 @callee(i32, float) || declare i32 @callee(i32, float)\ndeclare i32 @callee(i32, float)
;; declarations || declare i32 @callee(i32, float) || declare i32 @callee(i32, float) {\n}
;; declarations || declare i32 @callee(i32, float) || define i32 @callee(i32, float)
;; declarations || declare i32 @callee(i32, float) || declare internal i32 @callee(i32, float)
;; declarations || declare i32 @callee(i32, float) || declare extern_weak i32 @callee(i32, float)
;; declarations || declare i32 @callee(i32, float) || declare weak i32 @callee(i32, float)
;; declarations || declare i32 @callee(i32, float) || declare i32 @callee(i32, float) personality ptr null
;; declarations || declare i32 @callee(i32, float) || declare cc 9999 i32 @callee(i32, float)
