; test: compile --arch sm_80
target triple = "nvptx64-nvidia-cuda"
declare void @__nv_cluster_barrier_wait_impl()
declare i32 @__nvvm_popc_i(i64)
declare float @reserved_404(float)
declare double @__nvvm_lg2_approx_d(double)
declare void @__hmma_m16n16k16_ld_a(ptr, ptr, i32, i32)
declare i32 @__nv_p2r(i32)
declare ptr @__cu_va_arg(ptr, ptr)

define void @f(i64 %x, ptr %p, i32 %n, double %d, float %g) {
  call void @__nv_cluster_barrier_wait_impl() ; error: is not on sm_80
  %a = call i32 @__nvvm_popc_i(i64 %x) ; error: argument 1 of `__nvvm_popc_i` is `i32`, not `i64`
  %b = call float @reserved_404(float %g) ; error: reserved number
  %c = call double @__nvvm_lg2_approx_d(double %d) ; error: PTX approximates it in single precision only
  call void @__hmma_m16n16k16_ld_a(ptr %p, ptr %p, i32 %n, i32 %n) ; error: is not a constant below 2
  %e = call i32 @__nv_p2r(i32 %n) ; error: has no known signature
  %h = call ptr @__cu_va_arg(ptr %p, ptr %p) ; error: needs a C type
  ret void
}
