; Dot products and funnel shifts: not among the numbered builtins, but called by the headers of CUDA.

define i32 @__nv_idp4a_s_s_impl(i32 %a, i32 %b, i32 %c) {
  %result = call i32 @llvm.nvvm.idp4a.s.s(i32 %a, i32 %b, i32 %c)
  ret i32 %result
}

define i32 @__nv_idp4a_u_u_impl(i32 %a, i32 %b, i32 %c) {
  %result = call i32 @llvm.nvvm.idp4a.u.u(i32 %a, i32 %b, i32 %c)
  ret i32 %result
}

define i32 @__nv_idp2a_lo_s_s_impl(i32 %a, i32 %b, i32 %c) {
  %result = call i32 @llvm.nvvm.idp2a.s.s(i32 %a, i32 %b, i1 false, i32 %c)
  ret i32 %result
}

define i32 @__nv_idp2a_lo_u_u_impl(i32 %a, i32 %b, i32 %c) {
  %result = call i32 @llvm.nvvm.idp2a.u.u(i32 %a, i32 %b, i1 false, i32 %c)
  ret i32 %result
}

define i32 @__nv_idp2a_hi_s_s_impl(i32 %a, i32 %b, i32 %c) {
  %result = call i32 @llvm.nvvm.idp2a.s.s(i32 %a, i32 %b, i1 true, i32 %c)
  ret i32 %result
}

define i32 @__nv_idp2a_hi_u_u_impl(i32 %a, i32 %b, i32 %c) {
  %result = call i32 @llvm.nvvm.idp2a.u.u(i32 %a, i32 %b, i1 true, i32 %c)
  ret i32 %result
}

define i32 @__nv_fshl_wrap_impl(i32 %high, i32 %low, i32 %by) {
  %result = call i32 @llvm.fshl.i32(i32 %high, i32 %low, i32 %by)
  ret i32 %result
}

define i32 @__nv_fshr_wrap_impl(i32 %high, i32 %low, i32 %by) {
  %result = call i32 @llvm.fshr.i32(i32 %high, i32 %low, i32 %by)
  ret i32 %result
}

define i32 @__nv_fshl_clamp_impl(i32 %high, i32 %low, i32 %by) {
  %result = call i32 @llvm.nvvm.fshl.clamp.i32(i32 %high, i32 %low, i32 %by)
  ret i32 %result
}

define i32 @__nv_fshr_clamp_impl(i32 %high, i32 %low, i32 %by) {
  %result = call i32 @llvm.nvvm.fshr.clamp.i32(i32 %high, i32 %low, i32 %by)
  ret i32 %result
}

define i32 @__nv_activemask_impl() {
  %result = call i32 @llvm.nvvm.activemask()
  ret i32 %result
}

declare i32 @llvm.nvvm.idp4a.s.s(i32, i32, i32)
declare i32 @llvm.nvvm.idp4a.u.u(i32, i32, i32)
declare i32 @llvm.nvvm.idp2a.s.s(i32, i32, i1 immarg, i32)
declare i32 @llvm.nvvm.idp2a.u.u(i32, i32, i1 immarg, i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.nvvm.fshl.clamp.i32(i32, i32, i32)
declare i32 @llvm.nvvm.fshr.clamp.i32(i32, i32, i32)
declare i32 @llvm.nvvm.activemask()
