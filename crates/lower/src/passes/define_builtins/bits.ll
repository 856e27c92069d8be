; Bits, integers, and bits as other types.

define i32 @__nvvm_clz_i(i32 %x) {
  %zeros = call i32 @llvm.ctlz.i32(i32 %x, i1 false)
  ret i32 %zeros
}

define i32 @__nvvm_clz_ll(i64 %x) {
  %zeros = call i64 @llvm.ctlz.i64(i64 %x, i1 false)
  %result = trunc i64 %zeros to i32
  ret i32 %result
}

define i32 @__nvvm_popc_i(i32 %x) {
  %ones = call i32 @llvm.ctpop.i32(i32 %x)
  ret i32 %ones
}

define i32 @__nvvm_popc_ll(i64 %x) {
  %ones = call i64 @llvm.ctpop.i64(i64 %x)
  %result = trunc i64 %ones to i32
  ret i32 %result
}

define i32 @__nvvm_brev32(i32 %x) {
  %result = call i32 @llvm.bitreverse.i32(i32 %x)
  ret i32 %result
}

define i64 @__nvvm_brev64(i64 %x) {
  %result = call i64 @llvm.bitreverse.i64(i64 %x)
  ret i64 %result
}

define i16 @__nv_bswap16_impl(i16 %x) {
  %result = call i16 @llvm.bswap.i16(i16 %x)
  ret i16 %result
}

define i32 @__nv_bswap32_impl(i32 %x) {
  %result = call i32 @llvm.bswap.i32(i32 %x)
  ret i32 %result
}

define i64 @__nv_bswap64_impl(i64 %x) {
  %result = call i64 @llvm.bswap.i64(i64 %x)
  ret i64 %result
}

define i32 @__nvvm_abs_i(i32 %x) {
  %result = call i32 @llvm.abs.i32(i32 %x, i1 false)
  ret i32 %result
}

define i64 @__nvvm_abs_ll(i64 %x) {
  %result = call i64 @llvm.abs.i64(i64 %x, i1 false)
  ret i64 %result
}

define i32 @__nvvm_min_i(i32 %a, i32 %b) {
  %result = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  ret i32 %result
}

define i32 @__nvvm_min_ui(i32 %a, i32 %b) {
  %result = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  ret i32 %result
}

define i64 @__nvvm_min_ll(i64 %a, i64 %b) {
  %result = call i64 @llvm.smin.i64(i64 %a, i64 %b)
  ret i64 %result
}

define i64 @__nvvm_min_ull(i64 %a, i64 %b) {
  %result = call i64 @llvm.umin.i64(i64 %a, i64 %b)
  ret i64 %result
}

define i32 @__nvvm_max_i(i32 %a, i32 %b) {
  %result = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  ret i32 %result
}

define i32 @__nvvm_max_ui(i32 %a, i32 %b) {
  %result = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  ret i32 %result
}

define i64 @__nvvm_max_ll(i64 %a, i64 %b) {
  %result = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  ret i64 %result
}

define i64 @__nvvm_max_ull(i64 %a, i64 %b) {
  %result = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  ret i64 %result
}

define i32 @__nvvm_bitcast_f2i(float %x) {
  %result = bitcast float %x to i32
  ret i32 %result
}

define float @__nvvm_bitcast_i2f(i32 %x) {
  %result = bitcast i32 %x to float
  ret float %result
}

define double @__nvvm_bitcast_ll2d(i64 %x) {
  %result = bitcast i64 %x to double
  ret double %result
}

define i64 @__nvvm_bitcast_d2ll(double %x) {
  %result = bitcast double %x to i64
  ret i64 %result
}

declare i32 @llvm.ctlz.i32(i32, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.bitreverse.i32(i32)
declare i64 @llvm.bitreverse.i64(i64)
declare i16 @llvm.bswap.i16(i16)
declare i32 @llvm.bswap.i32(i32)
declare i64 @llvm.bswap.i64(i64)
declare i32 @llvm.abs.i32(i32, i1)
declare i64 @llvm.abs.i64(i64, i1)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
