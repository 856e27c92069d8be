// Additions of halves and bfloat16 values, one and two at a time; counts stay below what they hold exactly.
// make: nvcc 90
// run: --kernel add_half --grid 132 --block 256 --arg u32[262144]=random:1 --arg f16[4096]=0 --arg u32=262144
// run: --kernel add_half2 --grid 132 --block 256 --arg u32[524288]=random:2 --arg f16[8192]=0 --arg u32=524288
// run: --kernel add_bfloat --grid 132 --block 256 --arg u32[262144]=random:3 --arg bf16[16384]=0 --arg u32=262144
// run: --kernel add_bfloat2 --grid 132 --block 256 --arg u32[524288]=random:4 --arg bf16[32768]=0 --arg u32=524288
// run: --kernel half_in_shared --grid 132 --block 256 --arg u32[262144]=random:5 --arg f16[1024]=0 --arg u32=262144
// run: --kernel max_half_by_cas --grid 132 --block 256 --arg u32[1048576]=random:6 --arg f16[512]=0 --arg u32=1048576
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned first() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned step() { return gridDim.x * blockDim.x; }

extern "C" __global__ void add_half(const unsigned *in, __half *sums, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(&sums[in[i] % 4096], __float2half((float)(in[i] >> 31)));
}

extern "C" __global__ void add_half2(const unsigned *in, __half2 *sums, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(&sums[in[i] % 4096], __floats2half2_rn((float)(in[i] >> 31), 1.0f));
}

extern "C" __global__ void add_bfloat(const unsigned *in, __nv_bfloat16 *sums, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(&sums[in[i] % 16384], __float2bfloat16((float)(in[i] >> 31)));
}

extern "C" __global__ void add_bfloat2(const unsigned *in, __nv_bfloat162 *sums, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(&sums[in[i] % 16384], __floats2bfloat162_rn((float)(in[i] >> 31), 1.0f));
}

extern "C" __global__ void half_in_shared(const unsigned *in, __half *sums, unsigned count) {
    __shared__ __half mine[1024];
    for (unsigned b = threadIdx.x; b < 1024; b += blockDim.x)
        mine[b] = __float2half(0.0f);
    __syncthreads();
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(&mine[in[i] % 1024], __float2half((float)(in[i] >> 31)));
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 1024; b += blockDim.x)
        atomicAdd(&sums[b], mine[b]);
}

extern "C" __global__ void max_half_by_cas(const unsigned *in, __half *most, unsigned count) {
    for (unsigned i = first(); i < count; i += step()) {
        unsigned short *word = (unsigned short *)&most[in[i] % 512], seen = *word, assumed;
        __half value = __ushort2half_rn((unsigned short)(in[i] >> 21));
        do {
            assumed = seen;
            if (__hge(__ushort_as_half(assumed), value))
                break;
            seen = atomicCAS(word, assumed, __half_as_ushort(value));
        } while (assumed != seen);
    }
}
