// Ways to memory: vectors of every type, read-only and streaming accesses, generic pointers into every space, constants.
// make: nvcc 90
// run: --kernel vectors --grid 1 --block 16 --arg u8[1024]=iota --arg u8[1024]=0 --print 1:16
// run: --kernel vectors --grid 2 --block 33 --arg u8[4224]=random:1 --arg u8[4224]=0 --print 1:16
// run: --kernel vectors --grid 1 --block 3,2 --arg u8[384]=random:2 --arg u8[384]=0 --print 1:16
// run: --kernel hints --grid 1 --block 32 --arg u32[32]=random:3 --arg u32[32]=0 --print 1:16
// run: --kernel hints --grid 3 --block 20 --arg u32[60]=iota --arg u32[60]=0 --print 1:16
// run: --kernel hints --grid 1 --block 4,4,4 --arg u32[64]=random:4 --arg u32[64]=0 --print 1:16
// run: --kernel any_space --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1:16
// run: --kernel any_space --grid 2 --block 45 --arg u32[90]=random:5 --arg u32[90]=0 --print 1:16
// run: --kernel any_space --grid 1 --block 8,3 --arg u32[24]=7 --arg u32[24]=0 --print 1:16
// run: --kernel tables --grid 1 --block 32 --arg u32[32]=random:6 --arg u64[32]=0 --print 1:16
// run: --kernel tables --grid 2 --block 21 --arg u32[42]=iota --arg u64[42]=0 --print 1:16
// run: --kernel tables --grid 1 --block 1 --arg u32[1]=3 --arg u64[1]=0 --print 1
// run: --kernel signs_and_sizes --grid 1 --block 32 --arg u8[256]=random:7 --arg s64[32]=0 --print 1:8
// run: --kernel signs_and_sizes --grid 2 --block 17 --arg u8[272]=random:8 --arg s64[34]=0 --print 1:8
// run: --kernel signs_and_sizes --grid 1 --block 2,2 --arg u8[32]=255 --arg s64[4]=0 --print 1
// run: --kernel float_vectors --grid 2 --block 32 --arg u8[256]=random:9 --arg f32[8]=0 --arg f16[8]=0 --arg bf16[8]=0 --print 1 --print 2 --print 3
// run: --kernel float_vectors --grid 1 --block 50 --arg u8[200]=iota --arg f32[8]=1 --arg f16[8]=1 --arg bf16[8]=1 --print 1 --print 2 --print 3
// run: --kernel float_vectors --grid 3 --block 5,2 --arg u8[120]=random:10 --arg f32[8]=0 --arg f16[8]=0 --arg bf16[8]=0 --print 1 --print 2 --print 3
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned thread_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ unsigned thread_in_grid() { return blockIdx.x * block_size() + thread_in_block(); }

// 64 bytes a thread, in each width that there is; what comes out is the input, pieces turned round.
extern "C" __global__ void vectors(const unsigned char *in, unsigned char *out) {
    in += thread_in_grid() * 64, out += thread_in_grid() * 64;
    uint4 a = *(const uint4 *)in;
    *(uint4 *)out = make_uint4(a.w, a.z, a.y, a.x);
    ulonglong2 b = *(const ulonglong2 *)(in + 16);
    *(ulonglong2 *)(out + 16) = make_ulonglong2(b.y, b.x);
    ushort4 c = *(const ushort4 *)(in + 32);
    *(ushort4 *)(out + 32) = make_ushort4(c.w, c.z, c.y, c.x);
    uchar4 d = *(const uchar4 *)(in + 40);
    *(uchar4 *)(out + 40) = make_uchar4(d.w, d.z, d.y, d.x);
    short2 e = *(const short2 *)(in + 44);
    *(short2 *)(out + 44) = make_short2(e.y, e.x);
    float2 f = *(const float2 *)(in + 48);
    *(float2 *)(out + 48) = make_float2(f.y, f.x);
    char2 g = *(const char2 *)(in + 56);
    *(char2 *)(out + 56) = make_char2(g.y, g.x);
    *(unsigned short *)(out + 58) = *(const unsigned short *)(in + 58);
    for (int k = 60; k < 64; ++k)
        out[k] = in[123 - k];
}

extern "C" __global__ void hints(const unsigned *__restrict__ in, unsigned *out) {
    unsigned i = thread_in_grid(), v = in[i] + __ldg(in + i) + __ldcs(in + i) + __ldcg(in + i) + __ldlu(in + i);
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
    unsigned w;
    asm volatile("ld.global.L1::evict_last.L2::128B.u32 %0, [%1];" : "=r"(w) : "l"(__cvta_generic_to_global(in + i)));
    asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy, 0.5;"
                 " ld.global.L2::cache_hint.u32 %0, [%1], policy; }"
                 : "=r"(w)
                 : "l"(__cvta_generic_to_global(in + i)));
    __stcs(out + i, v);
    __stwt(out + i, *(volatile unsigned *)(out + i) * 3 + w);
}

__device__ unsigned cells[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant__ unsigned fixed[8] = {1, 4, 9, 16, 25, 36, 49, 64};

__device__ __noinline__ unsigned read(const unsigned *from, unsigned at) { return from[at]; }

// One load through a pointer that leads somewhere else in each lane.
extern "C" __global__ void any_space(const unsigned *in, unsigned *out) {
    __shared__ unsigned near[8];
    unsigned t = thread_in_block(), i = thread_in_grid(), own[8];
    for (unsigned k = 0; k < 8; ++k)
        own[k] = in[i] * k;
    if (t < 8)
        near[t] = t * t * t;
    __syncthreads();
    const unsigned *all[4] = {near, own, cells, fixed}, *from = all[(in[i] + t) % 4];
    unsigned kind = __isShared(from) | __isLocal(from) << 1 | __isGlobal(from) << 2 | __isConstant(from) << 3;
    out[i] = read(from, in[i] % 8) * 16 + kind;
}

struct Entry {
    const char *name;
    unsigned short number;
    signed char sign;
    double factor;
};
__device__ const Entry entries[4] = {{"zero", 7, 1, 0.5}, {"one", 65535, -1, 2.0}, {"two", 0, -1, 1e3}, {"three", 300, 1, -4.0}};
__constant__ int steps[3][2] = {{1, -2}, {30, 40}, {-500, 600}};

// Structures with padding and pointers to text, in initialised memory.
extern "C" __global__ void tables(const unsigned *in, unsigned long long *out) {
    unsigned i = thread_in_grid();
    const Entry &e = entries[in[i] % 4];
    unsigned long long hash = 0;
    for (const char *c = e.name; *c; ++c)
        hash = hash * 31 + *c;
    out[i] = hash * 1000003 + e.number * e.sign + (long long)(e.factor * 8.0) + steps[in[i] % 3][i % 2];
}

// Eight bytes as numbers of each size and sign, and as fields of bits.
extern "C" __global__ void signs_and_sizes(const signed char *in, long long *out) {
    struct Fields {
        unsigned a : 5;
        int b : 11;
        unsigned c : 16;
    };
    unsigned i = thread_in_grid();
    in += 8 * i;
    long long sum = in[0] + (long long)(unsigned char)in[1] * 3;
    sum += *(const short *)(in + 2) * 5ll + *(const unsigned short *)(in + 4) * 7ll;
    Fields f = *(const Fields *)(in + 4);
    f.b = f.b * 3;
    f.a += 9;
    sum = sum * 100003 + f.a + (long long)f.b * 1001 + f.c;
    short narrow = (short)(in[6] * in[7] * 3);
    signed char least = (signed char)(narrow + in[5]);
    out[i] = sum * 17 + narrow / 7 + least % 5;
}

// Atomics of pairs and quadruples of floats, and of packed halves: whole numbers.
extern "C" __global__ void float_vectors(const unsigned char *in, float *floats, __half *halves, __nv_bfloat16 *bfloats) {
    unsigned i = thread_in_grid();
    float a = in[4 * i] % 4, b = in[4 * i + 1] % 4, c = in[4 * i + 2] % 2, d = in[4 * i + 3] % 2;
    atomicAdd((float2 *)floats, make_float2(a, -b));
    atomicAdd((float4 *)(floats + 4), make_float4(a, b, c, d));
    atomicAdd((__half2 *)halves, __floats2half2_rn(a, b));
    atomicAdd(halves + 4, __float2half(c));
    atomicAdd((__nv_bfloat162 *)bfloats, __floats2bfloat162_rn(c, d));
    atomicAdd(bfloats + 5, __float2bfloat16(d));
}
