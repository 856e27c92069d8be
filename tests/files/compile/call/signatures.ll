; Heads of functions as LLVM 22 writes them: parameters and results of forty signatures made by chance.
; test: compile --arch sm_75
; check: .visible .entry f0(
; check: .param .align 32 .b8 f0_param_0[4],
; check: .param .u16 f0_param_1
; check: .visible .func (.param .align 16 .b8 func_retval0[16]) f1(
; check: .param .align 2 .b8 f1_param_0[2],
; check: .param .align 32 .b8 f1_param_1[4]
; check: .visible .func (.param .align 16 .b8 func_retval0[16]) f2(
; check: .param .b32 f2_param_0,
; check: .param .b32 f2_param_1,
; check: .param .align 8 .b8 f2_param_2[24],
; check: .param .align 4 .b8 f2_param_3[4]
; check: .visible .func (.param .b64 func_retval0) f3()
; check: .visible .entry f4(
; check: .param .b32 f4_param_0,
; check: .param .align 8 .b8 f4_param_1[32],
; check: .param .align 4 .b8 f4_param_2[16]
; check: .visible .func (.param .b32 func_retval0) f5(
; check: .param .b32 f5_param_0,
; check: .param .align 2 .b8 f5_param_1[2],
; check: .param .align 2 .b8 f5_param_2[2],
; check: .param .align 32 .b8 f5_param_3[2]
; check: .visible .func f6(
; check: .param .align 32 .b8 f6_param_0[64],
; check: .param .align 16 .b8 f6_param_1[64],
; check: .param .align 1 .b8 f6_param_2[42]
; check: .visible .func (.param .align 8 .b8 func_retval0[24]) f7(
; check: .param .align 32 .b8 f7_param_0[4],
; check: .param .b32 f7_param_1,
; check: .param .align 2 .b8 f7_param_2[2],
; check: .param .b32 f7_param_3,
; check: .param .align 32 .b8 f7_param_4[8]
; check: .visible .func (.param .b64 func_retval0) f8(
; check: .param .align 2 .b8 f8_param_0[2],
; check: .param .align 32 .b8 f8_param_1[2],
; check: .param .align 2 .b8 f8_param_2[2],
; check: .param .b64 f8_param_3
; check: .visible .func (.param .b64 func_retval0) f9(
; check: .param .b64 f9_param_0,
; check: .param .b32 f9_param_1
; check: .visible .func (.param .b32 func_retval0) f10(
; check: .param .align 8 .b8 f10_param_0[8],
; check: .param .align 1 .b8 f10_param_1[22]
; check: .visible .func (.param .align 4 .b8 func_retval0[4]) f11(
; check: .param .align 64 .b8 f11_param_0[64],
; check: .param .align 16 .b8 f11_param_1[192],
; check: .param .align 8 .b8 f11_param_2[32],
; check: .param .align 2 .b8 f11_param_3[2]
; check: .visible .func (.param .b32 func_retval0) f12()
; check: .visible .func f13(.param .align 2 .b8 f13_param_0[2])
; check: .visible .func (.param .align 16 .b8 func_retval0[16]) f14(
; check: .param .b32 f14_param_0,
; check: .param .align 16 .b8 f14_param_1[16],
; check: .param .align 16 .b8 f14_param_2[16],
; check: .param .align 16 .b8 f14_param_3[8],
; check: .param .b32 f14_param_4
; check: .visible .func (.param .align 4 .b8 func_retval0[8]) f15(
; check: .param .b32 f15_param_0,
; check: .param .b32 f15_param_1,
; check: .param .align 32 .b8 f15_param_2[2],
; check: .param .b64 f15_param_3
; check: .visible .entry f16(
; check: .param .align 16 .b8 f16_param_0[16],
; check: .param .align 2 .b8 f16_param_1[2]
; check: .visible .func (.param .b64 func_retval0) f17(
; check: .param .b32 f17_param_0,
; check: .param .align 1 .b8 f17_param_1[11],
; check: .param .b32 f17_param_2
; check: .visible .entry f18(
; check: .param .align 16 .b8 f18_param_0[2],
; check: .param .align 16 .b8 f18_param_1[16],
; check: .param .u16 f18_param_2
; check: .visible .func f19()
; check: .visible .entry f20(
; check: .param .align 16 .b8 f20_param_0[2],
; check: .param .b64 f20_param_1,
; check: .param .b32 f20_param_2
; check: .visible .func (.param .align 16 .b8 func_retval0[16]) f21(.param .align 1 .b8 f21_param_0[146])
; check: .visible .entry f22(
; check: .param .align 16 .b8 f22_param_0[16],
; check: .param .align 16 .b8 f22_param_1[8],
; check: .param .align 16 .b8 f22_param_2[96],
; check: .param .b32 f22_param_3,
; check: .param .align 2 .b8 f22_param_4[2]
; check: .visible .func (.param .b64 func_retval0) f23(
; check: .param .align 32 .b8 f23_param_0[96],
; check: .param .align 64 .b8 f23_param_1[64],
; check: .param .align 4 .b8 f23_param_2[4]
; check: .visible .func f24(
; check: .param .align 8 .b8 f24_param_0[24],
; check: .param .align 1 .b8 f24_param_1[17],
; check: .param .align 16 .b8 f24_param_2[208],
; check: .param .align 32 .b8 f24_param_3[2]
; check: .visible .entry f25(
; check: .param .b32 f25_param_0,
; check: .param .align 1 .b8 f25_param_1[2]
; check: .visible .entry f26(
; check: .param .align 16 .b8 f26_param_0[16],
; check: .param .align 16 .b8 f26_param_1[32],
; check: .param .align 16 .b8 f26_param_2[80],
; check: .param .align 16 .b8 f26_param_3[16],
; check: .param .align 1 .b8 f26_param_4[28]
; check: .visible .func (.param .b64 func_retval0) f27(.param .align 16 .b8 f27_param_0[16])
; check: .visible .func (.param .align 4 .b8 func_retval0[4]) f28(
; check: .param .align 16 .b8 f28_param_0[16],
; check: .param .align 2 .b8 f28_param_1[2],
; check: .param .b32 f28_param_2,
; check: .param .align 1 .b8 f28_param_3[38]
; check: .visible .func f29(
; check: .param .align 2 .b8 f29_param_0[2],
; check: .param .align 2 .b8 f29_param_1[2],
; check: .param .align 64 .b8 f29_param_2[64]
; check: .visible .func f30(.param .b32 f30_param_0)
; check: .visible .func f31()
; check: .visible .func (.param .align 16 .b8 func_retval0[32]) f32(.param .b32 f32_param_0)
; check: .visible .func (.param .b32 func_retval0) f33(.param .b64 f33_param_0)
; check: .visible .entry f34(.param .align 16 .b8 f34_param_0[24])
; check: .visible .func f35(
; check: .param .align 16 .b8 f35_param_0[16],
; check: .param .align 4 .b8 f35_param_1[4],
; check: .param .align 2 .b8 f35_param_2[2]
; check: .visible .func f36(
; check: .param .b64 f36_param_0,
; check: .param .b32 f36_param_1,
; check: .param .align 2 .b8 f36_param_2[2]
; check: .visible .func f37(
; check: .param .b64 f37_param_0,
; check: .param .align 8 .b8 f37_param_1[16],
; check: .param .align 32 .b8 f37_param_2[32],
; check: .param .align 2 .b8 f37_param_3[2]
; check: .visible .func f38(
; check: .param .align 16 .b8 f38_param_0[16],
; check: .param .align 16 .b8 f38_param_1[4],
; check: .param .align 16 .b8 f38_param_2[16],
; check: .param .align 2 .b8 f38_param_3[2]
; check: .visible .func f39(
; check: .param .align 4 .b8 f39_param_0[4],
; check: .param .align 16 .b8 f39_param_1[8],
; check: .param .b32 f39_param_2
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @f0(ptr byval(i32) align 32 %a0, i16 %a1) {
  ret void
}
define i128 @f1(half %a0, ptr byval(i32) align 32 %a1) {
  ret i128 poison
}
define i128 @f2(i32 %a0, i16 signext %a1, { float, bfloat, [3 x { i16 }], { ptr } } %a2, [1 x float] %a3) {
  ret i128 poison
}
define ptr @f3() {
  ret ptr poison
}
define ptx_kernel void @f4(float %a0, { half, { float }, half, { i8, [2 x i8], <3 x i8>, <8 x i8> } } %a1, { i24, i32, [1 x i24], i32 } %a2) {
  ret void
}
define i16 @f5(float %a0, half %a1, { i16 } %a2, ptr byval(bfloat) align 32 %a3) {
  ret i16 poison
}
define void @f6(ptr byval({ ptr, i48, i16, { i32, [3 x ptr], bfloat } }) align 32 %a0, [4 x i128] %a1, <{ bfloat, { <{ i24, bfloat, double }>, <2 x half>, bfloat }, <{ <3 x i32> }> }> %a2) {
  ret void
}
define [3 x <3 x half>] @f7(ptr byval({ i24 }) align 32 %a0, float %a1, { i16 } %a2, i24 %a3, ptr byval(ptr) align 32 %a4) {
  ret [3 x <3 x half>] zeroinitializer
}
define ptr @f8(bfloat %a0, ptr byval(half) align 32 %a1, half %a2, double %a3) {
  ret ptr poison
}
define ptr @f9(ptr %a0, float %a1) {
  ret ptr poison
}
define i24 @f10(<4 x half> %a0, <{ i32, <2 x i64>, i16 }> %a1) {
  ret i24 poison
}
define <2 x half> @f11(<8 x double> %a0, [4 x [3 x i128]] %a1, { float, i48, double, i48 } %a2, half %a3) {
  ret <2 x half> zeroinitializer
}
define i24 @f12() {
  ret i24 poison
}
define void @f13(half %a0) {
  ret void
}
define <2 x i64> @f14(i24 %a0, i128 %a1, ptr byval(<8 x half>) %a2, ptr byval(ptr) align 16 %a3, i32 %a4) {
  ret <2 x i64> zeroinitializer
}
define [2 x float] @f15(i32 %a0, float %a1, ptr byval(bfloat) align 32 %a2, ptr %a3) {
  ret [2 x float] zeroinitializer
}
define ptx_kernel void @f16(<8 x i16> %a0, ptr byval(half) %a1) {
  ret void
}
define double @f17(float %a0, ptr byval(<{ half, i64, i8 }>) %a1, float %a2) {
  ret double poison
}
define ptx_kernel void @f18(ptr byval(half) align 16 %a0, <3 x i32> %a1, i16 signext %a2) {
  ret void
}
define void @f19() {
  ret void
}
define ptx_kernel void @f20(ptr byval(half) align 16 %a0, i48 %a1, float %a2) {
  ret void
}
define <2 x double> @f21(<{ [1 x <{ float, i24, half }>], i48, [2 x <8 x double>] }> %a0) {
  ret <2 x double> zeroinitializer
}
define ptx_kernel void @f22(i128 %a0, ptr byval(i48) align 16 %a1, [3 x { <8 x i16>, ptr }] %a2, i24 %a3, <2 x i8> %a4) {
  ret void
}
define double @f23([3 x <3 x double>] %a0, <8 x i64> %a1, ptr byval(<2 x i16>) %a2) {
  ret double poison
}
define void @f24([3 x <3 x i16>] %a0, <{ <2 x half>, i8, i48, i24 }> %a1, { [4 x { i128, i64, ptr, i16 }], i8 } %a2, ptr byval(i16) align 32 %a3) {
  ret void
}
define ptx_kernel void @f25(i32 %a0, <{ half }> %a1) {
  ret void
}
define ptx_kernel void @f26(i128 %a0, { <3 x half>, i128 } %a1, { ptr, <{ i48, i8, i32, i48 }>, { half, <4 x float> }, float } %a2, i128 %a3, <{ i8, i8, <{ [3 x i64] }>, half }> %a4) {
  ret void
}
define double @f27(i128 %a0) {
  ret double poison
}
define <2 x half> @f28(ptr byval(i128) %a0, bfloat %a1, float %a2, { <{ i24, bfloat, ptr, [4 x i8] }>, <{ { i8, i24, i8, bfloat }, i24, i16, i16 }> } %a3) {
  ret <2 x half> zeroinitializer
}
define void @f29(ptr byval(bfloat) %a0, bfloat %a1, <8 x i64> %a2) {
  ret void
}
define void @f30(i32 %a0) {
  ret void
}
define void @f31() {
  ret void
}
define { double, i128 } @f32(i24 %a0) {
  ret { double, i128 } zeroinitializer
}
define i32 @f33(double %a0) {
  ret i32 poison
}
define ptx_kernel void @f34(ptr byval([3 x i64]) align 16 %a0) {
  ret void
}
define void @f35(i128 %a0, <3 x i8> %a1, ptr byval(half) %a2) {
  ret void
}
define void @f36(ptr %a0, i32 %a1, half %a2) {
  ret void
}
define void @f37(ptr %a0, { double, bfloat } %a1, ptr byval(<8 x i32>) align 32 %a2, half %a3) {
  ret void
}
define void @f38(i128 %a0, ptr byval(float) align 16 %a1, <8 x i16> %a2, bfloat %a3) {
  ret void
}
define void @f39({ <4 x i8> } %a0, ptr byval(ptr) align 16 %a1, float %a2) {
  ret void
}
