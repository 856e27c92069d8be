// bfloat16 arithmetic: native from sm_90, by float before.
// make: nvcc 75 80 86 90a 100a 120
// make: nvrtc 70
// make: clang 80 90a
#include <cuda_bf16.h>
typedef __nv_bfloat16 bf;
typedef __nv_bfloat162 bf2;

extern "C" __global__ void bf_scalar(const bf *in, bf *out, int *flags, float *f) {
    bf a = in[threadIdx.x], b = in[threadIdx.x + 32], c;
    c = __hadd(a, b);
    c = __hsub(c, __hmul(a, b));
#if __CUDA_ARCH__ >= 800
    c = __hfma(c, a, b);
#endif
    c = __hdiv(c, __hneg(__habs(a)));
    c = __hadd(c, hsqrt(a));
    c = __hadd(c, hexp2(b));
    c = __hadd(c, hlog(b));
    c = __hadd(c, hcos(b));
    c = __hadd(c, hceil(b));
    c = __hadd(c, __hmax(a, __hmin_nan(a, b)));
#if __CUDA_ARCH__ >= 800
    c = __hfma_relu(c, a, b);
#endif
    flags[threadIdx.x] = __heq(a, b) + 2 * __hltu(a, b) + 4 * __hisnan(c) + __bfloat162int_rn(a) + __bfloat162uint_rz(b);
    out[threadIdx.x] = c;
    f[0] = __bfloat162float(c);
    out[40] = __float2bfloat16_rn(f[1]), out[41] = __float2bfloat16_rz(f[2]), out[42] = __float2bfloat16_rd(f[3]);
    out[43] = __int2bfloat16_rn(flags[1]), out[44] = __double2bfloat16((double)f[4]);
    atomicAdd(out + 45, c);
}

extern "C" __global__ void bf_pairs(const bf2 *in, bf2 *out, unsigned *masks, float2 *f) {
    bf2 a = in[threadIdx.x], b = in[threadIdx.x + 32], c = __hadd2(a, b);
#if __CUDA_ARCH__ >= 800
    c = __hfma2(__hmul2(c, a), __hsub2(a, b), c);
#endif
    c = __hmax2_nan(c, __hmin2(__habs2(a), b));
    c = __hadd2(c, __hge2(a, b));
#if __CUDA_ARCH__ >= 800
    c = __hfma2_relu(c, h2rsqrt(a), h2exp(b));
#endif
    c = __hadd2(c, __floats2bfloat162_rn(f[0].x, f[0].y));
    masks[threadIdx.x] = __hgt2_mask(a, b) + __hbne2(a, b);
    f[1] = __bfloat1622float2(c);
    out[threadIdx.x] = __shfl_down_sync(~0u, c, 3);
    atomicAdd(out + 70, c);
}

extern "C" __global__ void bf_softmax(const bf *__restrict__ in, bf *__restrict__ out, int n) {
    const bf *row = in + (size_t)blockIdx.x * n;
    float m = -3.4e38f, s = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        m = fmaxf(m, __bfloat162float(row[i]));
    for (int d = 16; d; d >>= 1)
        m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    for (int i = threadIdx.x; i < n; i += 32)
        s += __expf(__bfloat162float(row[i]) - m);
    for (int d = 16; d; d >>= 1)
        s += __shfl_xor_sync(~0u, s, d);
    for (int i = threadIdx.x; i < n; i += 32)
        out[(size_t)blockIdx.x * n + i] = __float2bfloat16(__expf(__bfloat162float(row[i]) - m) / s);
}
