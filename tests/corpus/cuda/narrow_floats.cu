// fp8, fp6 and fp4 conversions, tf32, and the packed conversions behind them.
// make: nvcc 75 90a 100a 103a 120 121a
// make: nvrtc 70
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#ifndef __CUDACC_RTC__
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#endif

extern "C" __global__ void fp8(const float *in, float *out, __nv_fp8_e4m3 *a, __nv_fp8x4_e5m2 *b) {
    int i = threadIdx.x;
    a[i] = __nv_fp8_e4m3(in[i]);
    out[i] = float(a[i]) + float(__nv_fp8_e5m2(in[i]));
    float4 v = ((const float4 *)in)[i];
    b[i] = __nv_fp8x4_e5m2(v);
    float4 w = float4(b[i]);
    out[i + 64] = w.x + w.y + w.z + w.w;
    half2 h = half2(*(__nv_fp8x2_e4m3 *)&a[2 * i]);
    ((half2 *)out)[i + 128] = h;
    ((__nv_fp8x2_storage_t *)out)[i] = __nv_cvt_float2_to_fp8x2(make_float2(v.x, v.y), __NV_SATFINITE, __NV_E4M3);
    ((__nv_fp8_storage_t *)out)[i + 7] = __nv_cvt_double_to_fp8(v.z, __NV_NOSAT, __NV_E5M2);
}

#ifndef __CUDACC_RTC__
extern "C" __global__ void fp6_fp4(const float2 *in, unsigned char *out, __half2 *h) {
    int i = threadIdx.x;
    out[i] = __nv_cvt_float2_to_fp4x2(in[i], __NV_E2M1, cudaRoundNearest);
    *(unsigned short *)(out + 64 + 2 * i) = __nv_cvt_float2_to_fp6x2(in[i], __NV_E2M3, cudaRoundNearest);
    *(unsigned short *)(out + 256 + 2 * i) = __nv_cvt_float2_to_fp6x2(in[i], __NV_E3M2, cudaRoundNearest);
    h[i] = __nv_cvt_fp4x2_to_halfraw2(out[i], __NV_E2M1);
    h[i + 32] = __nv_cvt_fp6x2_to_halfraw2(*(unsigned short *)(out + 64), __NV_E3M2);
}
extern "C" __global__ void e8m0(const float *in, unsigned char *out) {
    out[threadIdx.x] = __nv_cvt_float_to_e8m0(in[threadIdx.x], __NV_SATFINITE, cudaRoundPosInf);
}
#endif
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void tf32(const float *in, unsigned *out) {
    unsigned v;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(v) : "f"(in[threadIdx.x]));
    out[threadIdx.x] = v;
#if __CUDA_ARCH__ >= 900
    asm("cvt.rn.relu.tf32.f32 %0, %1;" : "=r"(v) : "f"(in[threadIdx.x]));
    out[threadIdx.x + 32] = v;
#endif
}
#endif
#if __CUDA_ARCH_SPECIFIC__ == 1000 || __CUDA_ARCH_SPECIFIC__ == 1030
extern "C" __global__ void stochastic(const float *in, unsigned *out, unsigned bits) {
    unsigned v;
    asm("cvt.rs.f16x2.f32 %0, %1, %2, %3;" : "=r"(v) : "f"(in[0]), "f"(in[1]), "r"(bits));
    out[0] = v;
    asm("cvt.rs.satfinite.e4m3x4.f32 %0, {%1, %2, %3, %4}, %5;" : "=r"(v) : "f"(in[0]), "f"(in[1]), "f"(in[2]), "f"(in[3]), "r"(bits));
    out[1] = v;
}
#endif
