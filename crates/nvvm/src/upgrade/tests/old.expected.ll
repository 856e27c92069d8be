define void @f(i32 %i, i64 %l, float %x, double %d, ptr %p, ptr addrspace(1) %q, ptr addrspace(3) %s, i16 %h) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 %i)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 %i)
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %i, i32 64)
  call void @llvm.nvvm.barrier.cta.sync.all(i32 %i)
  call void @llvm.nvvm.barrier.cta.sync.count(i32 %i, i32 64)
  %1 = icmp ne i32 %i, 0
  %2 = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %1)
  %3 = icmp ne i32 %i, 0
  %4 = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %3)
  %5 = zext i1 %4 to i32
  %6 = icmp ne i32 %i, 0
  %7 = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %6)
  %8 = zext i1 %7 to i32
  %9 = call i32 @llvm.bitreverse.i32(i32 %i)
  %10 = call i64 @llvm.bitreverse.i64(i64 %l)
  %11 = call i32 @llvm.ctlz.i32(i32 %i, i1 false)
  %ctlz = call i64 @llvm.ctlz.i64(i64 %l, i1 false)
  %ctlz.trunc = trunc i64 %ctlz to i32
  %12 = call i32 @llvm.ctpop.i32(i32 %i)
  %ctpop = call i64 @llvm.ctpop.i64(i64 %l)
  %ctpop.trunc = trunc i64 %ctpop to i32
  %neg = sub i32 0, %i
  %abs.cond = icmp sge i32 %i, 0
  %abs = select i1 %abs.cond, i32 %i, i32 %neg
  %neg1 = sub i64 0, %l
  %abs.cond2 = icmp sge i64 %l, 0
  %abs3 = select i1 %abs.cond2, i64 %l, i64 %neg1
  %13 = call i32 @llvm.smax.i32(i32 %i, i32 3)
  %14 = call i64 @llvm.umax.i64(i64 %l, i64 3)
  %15 = call i32 @llvm.umin.i32(i32 %i, i32 3)
  %16 = call i32 @llvm.fshl.i32(i32 %i, i32 %i, i32 3)
  %17 = zext i32 %i to i64
  %18 = call i64 @llvm.fshl.i64(i64 %l, i64 %l, i64 %17)
  %19 = call i64 @llvm.fshr.i64(i64 %l, i64 %l, i64 3)
  %20 = call i64 @llvm.fshl.i64(i64 %l, i64 %l, i64 32)
  %21 = bitcast float %x to i32
  %22 = addrspacecast ptr %p to ptr addrspace(1)
  %23 = addrspacecast ptr addrspace(3) %s to ptr
  %24 = load i32, ptr addrspace(1) %q, align 4, !invariant.load !0
  %h2f = call float @llvm.convert.from.fp16.f32(i16 %h)
  %25 = call float @llvm.nvvm.fabs.f32(float %x)
  %26 = call float @llvm.nvvm.fabs.ftz.f32(float %x)
  %27 = call double @llvm.nvvm.fabs.f64(double %d)
  %28 = call float @llvm.nvvm.ex2.approx.f32(float %x)
  %29 = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
  %30 = call double @llvm.nvvm.ex2.approx.f64(double %d)
  %31 = atomicrmw fadd ptr %p, float %x seq_cst
  %32 = atomicrmw uinc_wrap ptr %p, i32 %i seq_cst
  %33 = atomicrmw udec_wrap ptr %p, i32 %i seq_cst
  %34 = addrspacecast ptr %p to ptr addrspace(1)
  %35 = load i32, ptr addrspace(1) %34, align 8, !invariant.load !0
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 8, i1 false)
  ret void
}
