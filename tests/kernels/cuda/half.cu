// Arithmetic with f16 and bf16, one and two at a time; exact operations only.
// make: nvcc 90 -fmad=false
// run: --kernel half_math --grid 1 --block 32 --arg u16[64]=random:1 --arg u16[256]=0 --print 1:8
// run: --kernel half_math --grid 2 --block 45 --arg u16[180]=random:2 --arg u16[720]=0 --print 1:8
// run: --kernel half_math --grid 1 --block 8,8,4 --arg u16[512]=iota:31000:3 --arg u16[2048]=0 --print 1:8
// run: --kernel bfloat_math --grid 1 --block 32 --arg u16[64]=random:3 --arg u16[256]=0 --print 1:8
// run: --kernel bfloat_math --grid 3 --block 20 --arg u16[120]=random:4 --arg u16[480]=0 --print 1:8
// run: --kernel bfloat_math --grid 1 --block 5,7 --arg u16[70]=iota:32600:5 --arg u16[280]=0 --print 1:8
// run: --kernel half_pairs --grid 1 --block 64 --arg u32[64]=random:5 --arg u32[64]=random:6 --arg u32[512]=0 --print 2:8
// run: --kernel half_pairs --grid 2 --block 33 --arg u32[66]=random:7 --arg u32[66]=random:8 --arg u32[528]=0 --print 2:8
// run: --kernel half_pairs --grid 1 --block 1 --arg u32[1]=0x7c003c00 --arg u32[1]=0xfc00bc00 --arg u32[8]=0 --print 2
// run: --kernel half_dot --grid 1 --block 32 --arg u8[256]=random:9 --arg f16[32]=0 --arg f32[32]=0 --arg u32=8 --print 1:8 --print 2:8
// run: --kernel half_dot --grid 2 --block 16 --arg u8[512]=random:10 --arg f16[32]=0 --arg f32[32]=0 --arg u32=16 --print 1:8 --print 2:8
// run: --kernel half_dot --grid 1 --block 3 --arg u8[30]=iota --arg f16[3]=0 --arg f32[3]=0 --arg u32=10 --print 1 --print 2
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

// A NaN's sign and payload are not promised; all become one.
__device__ unsigned short bits(__half v) { return __hisnan(v) ? 0x7fff : __half_as_ushort(v); }
__device__ unsigned short bits(__nv_bfloat16 v) { return __hisnan(v) ? 0x7fff : __bfloat16_as_ushort(v); }

extern "C" __global__ void half_math(const unsigned short *in, unsigned short *out) {
    unsigned i = thread_in_grid();
    __half a = __ushort_as_half(in[2 * i]), b = __ushort_as_half(in[2 * i + 1]);
    out += 8 * i;
    out[0] = bits(__hadd_rn(a, b));
    out[1] = bits(__hsub_rn(a, b));
    out[2] = bits(__hmul_rn(a, b));
    out[3] = bits(__hfma(a, b, a));
    out[4] = bits(__hmax(a, b));
    out[5] = bits(__habs(__hneg(a)));
    out[6] = __hlt(a, b) | __hge(a, b) << 1 | __hneu(a, b) << 2 | __hisinf(a) << 4;
    out[7] = (unsigned short)__half2int_rz(__hmin(a, __float2half(1000.0f)));
}

extern "C" __global__ void bfloat_math(const unsigned short *in, unsigned short *out) {
    unsigned i = thread_in_grid();
    __nv_bfloat16 a = __ushort_as_bfloat16(in[2 * i]), b = __ushort_as_bfloat16(in[2 * i + 1]);
    out += 8 * i;
    out[0] = bits(__hadd_rn(a, b));
    out[1] = bits(__hsub_rn(a, b));
    out[2] = bits(__hmul_rn(a, b));
    out[3] = bits(__hfma(a, b, b));
    out[4] = bits(__hmin(a, b));
    out[5] = bits(__float2bfloat16_rz(__bfloat162float(a) * 1.01f));
    out[6] = __hle(a, b) | __hgt(a, b) << 1 | __heq(a, b) << 2;
    out[7] = bits(__float2bfloat16_rn(__bfloat162float(b) + 0.3f));
}

__device__ unsigned bits(__half2 v) { return bits(__low2half(v)) | (unsigned)bits(__high2half(v)) << 16; }

extern "C" __global__ void half_pairs(const unsigned *in, const unsigned *other, unsigned *out) {
    unsigned i = thread_in_grid();
    __half2 a = *(const __half2 *)&in[i], b = *(const __half2 *)&other[i];
    out += 8 * i;
    out[0] = bits(__hadd2_rn(a, b));
    out[1] = bits(__hmul2_rn(a, b));
    out[2] = bits(__hfma2(a, b, __hneg2(a)));
    out[3] = bits(__hadd2_sat(a, b));
    out[4] = bits(__hfma2_relu(a, b, b));
    out[5] = bits(__hmin2_nan(a, b));
    out[6] = bits(__hgt2(a, b)) ^ __heq2_mask(a, b);
    out[7] = bits(__lowhigh2highlow(a)) + bits(__floats2half2_rn(__low2float(b) * 3.0f, __high2float(b) * 0.1f));
}

// Sums of small whole numbers in f16 and in f32, by hand through packed atomics in shared memory.
extern "C" __global__ void half_dot(const unsigned char *in, __half *small, float *large, unsigned each) {
    __shared__ __half2 sums[32];
    unsigned i = thread_in_grid(), t = threadIdx.x;
    sums[t] = __float2half2_rn(0.0f);
    __syncthreads();
    float sum = 0;
    for (unsigned k = 0; k < each; ++k) {
        float v = (float)(in[i * each + k] % 8);
        sum = fmaf(v, v, sum);
        atomicAdd(&sums[(t + k) % blockDim.x], __floats2half2_rn(v, -v));
    }
    __syncthreads();
    small[i] = __hsub_rn(__low2half(sums[t]), __high2half(sums[t]));
    large[i] = sum;
}
