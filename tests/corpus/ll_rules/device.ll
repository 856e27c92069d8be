; What device code has: address spaces, kernels, intrinsics of the target, annotations.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%args = type { i32, [4 x float] }

@tile = internal addrspace(3) global [256 x float] undef, align 4
@lookup = addrspace(4) externally_initialized constant [4 x i32] zeroinitializer, align 4

define ptx_kernel void @kernel(ptr addrspace(1) noundef align 4 %out, ptr noundef byval(%args) align 4 %a, i32 noundef %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %slot = getelementptr inbounds [256 x float], ptr addrspace(3) @tile, i64 0, i64 %i
  store float 1.0, ptr addrspace(3) %slot, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %g = addrspacecast ptr addrspace(3) %slot to ptr
  %v = load float, ptr %g, align 4
  %o = getelementptr float, ptr addrspace(1) %out, i64 %i
  %old = atomicrmw fadd ptr addrspace(1) %o, float %v syncscope("device") monotonic, align 4
  %c = call { i32, i1 } @llvm.nvvm.shfl.sync.i32p(i32 -1, i32 %t, i32 1, i32 31)
  %m = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  %w = call ptr @llvm.nvvm.mapa(ptr %g, i32 0)
  %s = call float @llvm.nvvm.sqrt.approx.f(float %v)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2
declare { i32, i1 } @llvm.nvvm.shfl.sync.i32p(i32, i32, i32, i32)
declare ptr @llvm.nvvm.mapa(ptr, i32)
declare float @llvm.nvvm.sqrt.approx.f(float)

attributes #0 = { convergent nounwind "nvvm.maxntid"="256" "nvvm.reqntid"="256" "nvvm.minctasm"="2" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

!nvvm.annotations = !{!0, !1}
!nvvmir.version = !{!2}
!0 = !{ptr @kernel, !"maxntidx", i32 256}
!1 = !{ptr @kernel, !"grid_constant", !3}
!2 = !{i32 2, i32 0}
!3 = !{i32 2}
;; address-spaces || store float 1.0, ptr addrspace(3) %slot || store float 1.0, ptr %slot
;; address-spaces || store float 1.0, ptr addrspace(3) %slot || store float 1.0, ptr addrspace(1) %slot
;; address-spaces || ptr addrspace(3) @tile, i64 0 || ptr @tile, i64 0
;; address-spaces || ptr addrspace(3) @tile, i64 0 || ptr addrspace(4) @tile, i64 0
;; address-spaces || %g = addrspacecast ptr addrspace(3) %slot to ptr || %g = addrspacecast ptr addrspace(3) %slot to ptr addrspace(3)
;; address-spaces || %g = addrspacecast ptr addrspace(3) %slot to ptr || %g = bitcast ptr addrspace(3) %slot to ptr
;; address-spaces || getelementptr float, ptr addrspace(1) %out || getelementptr float, ptr %out
;; address-spaces || fadd ptr addrspace(1) %o || fadd ptr %o
;; address-spaces || @tile = internal addrspace(3) global || @tile = internal addrspace(16777216) global
;; address-spaces || @tile = internal addrspace(3) global || @tile = internal addrspace(33) global
;; address-spaces || load float, ptr %g || load float, ptr addrspace(0) %g
;; kernels || define ptx_kernel void @kernel || define ptx_kernel float @kernel
;; kernels || i32 noundef %n) #0 || i32 noundef %n, ...) #0
;; kernels || ptr noundef byval(%args) align 4 %a || ptr addrspace(101) noundef byval(%args) align 4 %a
;; kernels || ptr noundef byval(%args) align 4 %a || %args noundef byval(%args) align 4 %a
;; kernels || ptr noundef byval(%args) align 4 %a || ptr noundef sret(%args) align 4 %a
;; kernels || ptr noundef byval(%args) align 4 %a || ptr noundef inreg %a
;; kernels || define ptx_kernel void || define amdgpu_kernel void
;; kernels || define ptx_kernel void || define ptx_whatever void
;; kernels || ret void || call ptx_kernel void @kernel(ptr addrspace(1) %out, ptr byval(%args) align 4 %a, i32 %n)\n  ret void
;; target-intrinsics || barrier.cta.sync.aligned.all(i32 0) || barrier.cta.sync.aligned.all(i64 0)
;; target-intrinsics || barrier.cta.sync.aligned.all(i32 0) || barrier.cta.sync.aligned.all()
;; target-intrinsics || declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) || declare i32 @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
;; target-intrinsics || call { i32, i1 } @llvm.nvvm.shfl.sync.i32p || call { i32, i32 } @llvm.nvvm.shfl.sync.i32p
;; target-intrinsics || declare ptr @llvm.nvvm.mapa(ptr, i32) || declare ptr addrspace(3) @llvm.nvvm.mapa(ptr addrspace(3), i32)
;; target-intrinsics || declare float @llvm.nvvm.sqrt.approx.f(float) || declare double @llvm.nvvm.sqrt.approx.f(double)
;; target-intrinsics || declare float @llvm.nvvm.sqrt.approx.f(float) || declare float @llvm.nvvm.sqrt.approx.f(float)\ndeclare void @llvm.nvvm.barrier0()
;; target-intrinsics || declare float @llvm.nvvm.sqrt.approx.f(float) || declare float @llvm.nvvm.sqrt.approx.f(float)\ndeclare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr, i32)
;; target-intrinsics || declare float @llvm.nvvm.sqrt.approx.f(float) || declare float @llvm.nvvm.sqrt.approx.f(float)\ndeclare i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1), i32)
;; target-intrinsics || declare float @llvm.nvvm.sqrt.approx.f(float) || declare float @llvm.nvvm.sqrt.approx.f(float)\ndeclare i32 @llvm.nvvm.abs.i(i32)
;; target-intrinsics || declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() || declare i32 @llvm.nvvm.read.ptx.sreg.tid.x(i32)
;; target-intrinsics || declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() || declare i32 @llvm.nvvm.read.ptx.sreg.tid.q()
;; launch-bounds || "nvvm.maxntid"="256" || "nvvm.maxntid"="256,x"
;; launch-bounds || "nvvm.maxntid"="256" || "nvvm.maxntid"="1,2,3,4"
;; launch-bounds || "nvvm.minctasm"="2" || "nvvm.minctasm"="two"
;; launch-bounds || "nvvm.minctasm"="2" || "nvvm.cluster_dim"="2,1,1"
;; launch-bounds || "nvvm.reqntid"="256" || "nvvm.reqntid"=""
;; annotations || !0 = !{ptr @kernel, !"maxntidx", i32 256} || !0 = !{ptr @kernel, !"maxntidx", !"256"}
;; annotations || !0 = !{ptr @kernel, !"maxntidx", i32 256} || !0 = !{ptr @kernel, !"maxntidx", i32 256, !"maxntidy"}
;; annotations || !0 = !{ptr @kernel, !"maxntidx", i32 256} || !0 = !{null, !"maxntidx", i32 256}
;; annotations || !0 = !{ptr @kernel, !"maxntidx", i32 256} || !0 = !{!"kernel", !"maxntidx", i32 256}
;; annotations || !0 = !{ptr @kernel, !"maxntidx", i32 256} || !0 = !{ptr @kernel, !"kernel", i32 1, !"align", i32 65552}
;; annotations || !0 = !{ptr @kernel, !"maxntidx", i32 256} || !0 = !{}
;; annotations || !3 = !{i32 2} || !3 = !{i64 2}
;; annotations || !2 = !{i32 2, i32 0} || !2 = !{i32 3, i32 3}
;; annotations || !2 = !{i32 2, i32 0} || !2 = !{i32 2}
;; annotations || !nvvmir.version = !{!2} || !nvvmir.version = !{!2, !2}
