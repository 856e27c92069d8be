// Half precision arithmetic: scalar, paired, conversions, comparisons, functions.
// make: nvcc 75 80 90a 100a 120
// make: nvrtc 60 70
// make: clang 75 90a
#include <cuda_fp16.h>

extern "C" __global__ void half_axpy(half2 a, const half2 *x, half2 *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __hfma2(a, x[i], y[i]);
}

extern "C" __global__ void half_scalar(const half *in, half *out, int *flags) {
    half a = in[threadIdx.x], b = in[threadIdx.x + 32], c;
    c = __hadd(a, b);
    c = __hsub(c, __hmul(a, b));
    c = __hfma(c, a, b);
    c = __hfma_sat(c, a, b);
    c = __hdiv(c, a);
    c = __hneg(__habs(c));
    c = __hadd(c, hsqrt(a));
    c = __hadd(c, hrsqrt(a));
    c = __hadd(c, hexp(a));
    c = __hadd(c, hlog2(b));
    c = __hadd(c, hsin(b));
    c = __hadd(c, hfloor(b));
    c = __hadd(c, hrint(b));
    c = __hadd(c, __hmax(a, b));
    c = __hadd(c, __hmin_nan(a, b));
    c = __hadd_sat(c, a);
    c = __hmul_rn(c, b);
#if __CUDA_ARCH__ >= 800
    c = __hfma_relu(c, a, b);
#endif
#if __CUDA_ARCH__ >= 750
    c = __hadd(c, htanh(a));
#endif
    out[threadIdx.x] = c;
    flags[threadIdx.x] = __heq(a, b) + 2 * __hlt(a, b) + 4 * __hgeu(a, b) + 8 * __hisnan(c) + 16 * __hisinf(c) + __hne(a, c);
}

extern "C" __global__ void half_pairs(const half2 *in, half2 *out, unsigned *masks) {
    half2 a = in[threadIdx.x], b = in[threadIdx.x + 32], c = __hadd2(a, b);
    c = __hmul2(c, __hsub2(a, b));
    c = __hadd2_sat(c, __lowhigh2highlow(a));
    c = __hfma2(__low2half2(a), __high2half2(b), c);
    c = __hadd2(c, __heq2(a, b));
    c = __hadd2(c, __hgtu2(a, b));
    c = __hadd2(c, h2exp2(a));
    c = __hadd2(c, h2rcp(b));
    c = __hmax2(c, __habs2(__hneg2(a)));
    c = __hcmadd(a, b, c);
    masks[threadIdx.x] = __hbeq2(a, b) + __hbltu2(a, b) + __heq2_mask(a, b) + __hle2_mask(b, a);
    out[threadIdx.x] = c;
}

extern "C" __global__ void half_convert(const half *in, float *f, double *d, int *i, unsigned short *u, half *out) {
    half h = in[threadIdx.x];
    f[0] = __half2float(h);
    i[0] = __half2int_rn(h), i[1] = __half2int_rz(h), i[2] = __half2int_ru(h), i[3] = __half2int_rd(h);
    u[0] = __half2ushort_rn(h), u[1] = __half_as_ushort(h), u[2] = (unsigned short)__half2short_rz(h);
    ((long long *)d)[1] = __half2ll_rn(h);
    ((unsigned long long *)d)[2] = __half2ull_rz(h);
    out[0] = __float2half_rn(f[1]), out[1] = __float2half_rz(f[2]), out[2] = __float2half_ru(f[3]);
    out[3] = __double2half(d[0]), out[4] = __int2half_rn(i[4]), out[5] = __uint2half_rz(i[5]), out[6] = __ll2half_rd(i[6]);
    out[7] = __short2half_rn(u[3]), out[8] = __ushort_as_half(u[4]), out[9] = __ull2half_ru(i[7]);
    ((half2 *)out)[8] = __floats2half2_rn(f[4], f[5]);
    ((half2 *)out)[9] = __shfl_xor_sync(~0u, ((half2 *)out)[8], 4);
    out[20] = __ldg(in + 3), out[21] = __ldcg(in + 4);
    __stwt(out + 22, h);
#if __CUDA_ARCH__ >= 700
    atomicAdd(out + 23, h);
#endif
    atomicAdd((half2 *)out + 12, ((half2 *)out)[8]);
}
