// Single precision: rounding modes, approximations, library functions; as written and with fast math.
// make: nvcc 75 120
// make: nvcc 75 90a @fast -use_fast_math
// make: nvcc 80 @ftz -ftz=true -prec-div=false -prec-sqrt=false
// make: nvrtc 60
// make: nvrtc 70 @fast --use_fast_math
// make: clang 80
// make: clang 90a @fast -ffast-math

extern "C" __global__ void rounding(const float *in, float *out, int *n) {
    float a = in[0], b = in[1], c = in[2], r = 0;
    r += __fadd_rn(a, b) + __fadd_rz(a, b) + __fadd_ru(a, b) + __fadd_rd(a, b) + __fsub_rn(a, c);
    r += __fmul_rn(a, b) + __fmul_rz(a, b) + __fmul_ru(a, b) + __fmul_rd(a, b);
    r += __fmaf_rn(a, b, c) + __fmaf_rz(a, b, c) + __fmaf_ru(a, b, c) + __fmaf_rd(a, b, c);
    r += __fdiv_rn(a, b) + __fdiv_rz(a, b) + __frcp_rn(a) + __frcp_rd(b) + __fsqrt_rn(a) + __fsqrt_ru(b) + __frsqrt_rn(c);
    r += __saturatef(a) + __fdividef(a, b) + __sinf(a) + __cosf(b) + __tanf(c) + __expf(a) + __exp10f(b) + __logf(c) + __log2f(a) + __powf(a, b);
    n[0] = __float2int_rn(a) + __float2int_rz(b) + __float2int_ru(c) + __float2int_rd(a) + __float2uint_rn(b) + __float_as_int(a);
    ((long long *)n)[1] = __float2ll_rn(a) + __float2ull_rd(b);
    r += __int2float_rn(n[4]) + __int2float_rz(n[5]) + __uint2float_ru(n[6]) + __ll2float_rd(n[7]) + __int_as_float(n[8]);
    out[0] = r;
}

extern "C" __global__ void functions(const float *in, float *out) {
    float a = in[threadIdx.x], b = in[threadIdx.x + 32], s, c;
    int e;
    float r = sinf(a) + cosf(b) + tanf(a) + expf(a) + exp2f(b) + exp10f(a) + expm1f(b);
    r += logf(a) + log2f(b) + log10f(a) + log1pf(b) + powf(a, b) + sqrtf(a) + cbrtf(b) + rsqrtf(a) + hypotf(a, b);
    r += asinf(a) + acosf(b) + atanf(a) + atan2f(a, b) + sinhf(a) + coshf(b) + tanhf(a) + asinhf(b) + acoshf(a) + atanhf(b);
    r += erff(a) + erfcf(b) + tgammaf(a) + lgammaf(b) + j1f(a) + y0f(b) + normcdff(a) + erfinvf(b);
    r += floorf(a) + ceilf(b) + truncf(a) + rintf(b) + roundf(a) + fmodf(a, b) + remainderf(a, b) + fdimf(a, b);
    r += fmaxf(a, b) + fminf(a, b) + copysignf(a, b) + fabsf(b) + ldexpf(a, 5) + frexpf(b, &e) + logbf(a) + nextafterf(a, b);
    r += a / b + 1.f / a + norm3df(a, b, r) + rnorm4df(a, b, r, a);
    sincosf(a, &s, &c);
    sincospif(b, &s, &c);
    out[threadIdx.x] = r + s + c + e + isnan(a) + isinf(b) + signbit(a) + lrintf(a);
}

#if __CUDA_ARCH__ >= 750
#define F(TEXT)                                                                                                        \
    asm volatile(TEXT : "=f"(r) : "f"(a), "f"(b), "f"(c));                                                             \
    sum += r;
extern "C" __global__ void float_asm(const float *in, float *out) {
    float a = in[0], b = in[1], c = in[2], r, sum = 0;
    F("tanh.approx.f32 %0, %1;")
    F("ex2.approx.ftz.f32 %0, %1;")
    F("lg2.approx.f32 %0, %1;")
    F("rcp.approx.ftz.f32 %0, %1;")
    F("sqrt.approx.f32 %0, %1;")
    F("rsqrt.approx.ftz.f32 %0, %1;")
    F("div.full.ftz.f32 %0, %1, %2;")
    F("div.approx.f32 %0, %1, %2;")
    F("fma.rn.ftz.sat.f32 %0, %1, %2, %3;")
    F("mad.rz.f32 %0, %1, %2, %3;")
    F("add.rn.ftz.sat.f32 %0, %1, %2;")
    F("min.ftz.f32 %0, %1, %2;")
    F("copysign.f32 %0, %1, %2;")
    F("cvt.rmi.ftz.f32.f32 %0, %1;")
    F("cvt.rni.sat.f32.f32 %0, %1;")
    F("neg.ftz.f32 %0, %1;")
    F("{ .reg .pred p; testp.normal.f32 p, %1; selp.f32 %0, %2, %3, p; }")
    F("slct.ftz.f32.f32 %0, %1, %2, %3;")
    F("mov.b32 %0, 0f3F800000;")
#if __CUDA_ARCH__ >= 800
    F("min.NaN.f32 %0, %1, %2;")
#endif
#if __CUDA_ARCH__ >= 860
    F("max.NaN.xorsign.abs.f32 %0, %1, %2;")
#endif
#if __CUDA_ARCH__ >= 1000
    F("max.f32 %0, %1, %2, %3;")
    F("min.NaN.abs.f32 %0, %1, %2, %3;")
#endif
    out[0] = sum;
#if __CUDA_ARCH__ >= 1000
    float2 v = ((const float2 *)in)[1], w = v;
    asm volatile("fma.rn.f32x2 %0, %1, %1, %0;" : "+l"(*(unsigned long long *)&w) : "l"(*(unsigned long long *)&v));
    asm volatile("add.rz.ftz.f32x2 %0, %1, %0;" : "+l"(*(unsigned long long *)&w) : "l"(*(unsigned long long *)&v));
    ((float2 *)out)[1] = w;
#endif
}
#endif
