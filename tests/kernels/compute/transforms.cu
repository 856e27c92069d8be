// Transforms: Fourier's in shared memory and in registers, one over a prime field, the cosine transform of 8 x 8, Walsh's over a warp.
// make: nvcc 90 -fmad=false
// run: --kernel fourier --grid 2 --block 128 --arg f32[1024]=random:1 --arg u32=1 --print 0:4
// bench: --kernel fourier --grid 2112 --block 128 --arg f32[1081344]=random:1 --arg u32=40
// run: --kernel fourier_8 --grid 2 --block 32 --arg f32[1024]=random:2 --arg u32=2 --print 0:4
// bench: --kernel fourier_8 --grid 528 --block 256 --arg f32[2162688]=random:2 --arg u32=200
// run: --kernel number_theoretic --grid 2 --block 64 --arg u32[256]=random:3:0:998244353 --arg u32=1 --print 0:4
// bench: --kernel number_theoretic --grid 4224 --block 64 --arg u32[540672]=random:3:0:998244353 --arg u32=40
// run: --kernel cosine --grid 2 --block 64 --arg f32[128]=random:4 --arg u32=2 --print 0:4
// bench: --kernel cosine --grid 4224 --block 64 --arg f32[270336]=random:4 --arg u32=60
// run: --kernel walsh --grid 2 --block 64 --arg s32[512]=random:5 --arg u32=2 --print 0:4
// bench: --kernel walsh --grid 1056 --block 256 --arg s32[1081344]=random:5 --arg u32=100

// 256 numbers by a block of 128 threads, in place: bits reversed, then eight steps.
extern "C" __global__ void fourier(float2 *data, unsigned times) {
    __shared__ float2 v[256], turn[128];
    unsigned t = threadIdx.x;
    float2 *mine = data + blockIdx.x * 256;
    float angle = -6.283185307f * t / 256;
    turn[t] = make_float2(cosf(angle), sinf(angle));
    v[__brev(t) >> 24] = mine[t];
    v[__brev(t + 128) >> 24] = mine[t + 128];
    __syncthreads();
    for (unsigned n = 0; n < times; ++n) {
#pragma unroll
        for (unsigned half = 1; half < 256; half *= 2) {
            unsigned k = t & (half - 1), i = (t - k) * 2 + k;
            float2 w = turn[k * (128 / half)], a = v[i], b = v[i + half];
            float r = fmaf(b.x, w.x, -b.y * w.y), s = fmaf(b.x, w.y, b.y * w.x);
            v[i] = make_float2(0.7f * (a.x + r), 0.7f * (a.y + s));
            v[i + half] = make_float2(0.7f * (a.x - r), 0.7f * (a.y - s));
            __syncthreads();
        }
    }
    mine[t] = v[t];
    mine[t + 128] = v[t + 128];
}

__device__ void butterfly(float2 &a, float2 &b, float c, float s) {
    float x = fmaf(b.x, c, -b.y * s), y = fmaf(b.x, s, b.y * c);
    b = make_float2(0.7f * (a.x - x), 0.7f * (a.y - y));
    a = make_float2(0.7f * (a.x + x), 0.7f * (a.y + y));
}

extern "C" __global__ void fourier_8(float2 *data, unsigned times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    const float h = 0.70710678f;
    float2 v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
        v[k] = data[k * all + i];
    for (unsigned n = 0; n < times; ++n) {
        butterfly(v[0], v[4], 1, 0), butterfly(v[2], v[6], 1, 0), butterfly(v[1], v[5], 1, 0), butterfly(v[3], v[7], 1, 0);
        butterfly(v[0], v[2], 1, 0), butterfly(v[4], v[6], 0, -1), butterfly(v[1], v[3], 1, 0), butterfly(v[5], v[7], 0, -1);
        butterfly(v[0], v[1], 1, 0), butterfly(v[4], v[5], h, -h), butterfly(v[2], v[3], 0, -1), butterfly(v[6], v[7], -h, -h);
    }
#pragma unroll
    for (int k = 0; k < 8; ++k)
        data[k * all + i] = v[k];
}

__device__ unsigned product(unsigned a, unsigned b) {
    return (unsigned long long)a * b % 998244353;
}

__device__ unsigned power(unsigned base, unsigned exponent) {
    unsigned r = 1;
    for (; exponent; exponent /= 2, base = product(base, base))
        if (exponent & 1)
            r = product(r, base);
    return r;
}

extern "C" __global__ void number_theoretic(unsigned *data, unsigned times) {
    __shared__ unsigned v[128], turn[64];
    unsigned t = threadIdx.x, *mine = data + blockIdx.x * 128;
    turn[t] = power(power(3, 998244352 / 128), t);
    v[__brev(t) >> 25] = mine[t];
    v[__brev(t + 64) >> 25] = mine[t + 64];
    __syncthreads();
    for (unsigned n = 0; n < times; ++n)
        for (unsigned half = 1; half < 128; half *= 2) {
            unsigned k = t & (half - 1), i = (t - k) * 2 + k, a = v[i], b = product(v[i + half], turn[k * (64 / half)]);
            unsigned sum = a + b, rest = a - b;
            v[i] = min(sum, sum - 998244353);
            v[i + half] = min(rest, rest + 998244353);
            __syncthreads();
        }
    mine[t] = v[t];
    mine[t + 64] = v[t + 64];
}

// A block of 64 threads has 8 x 8 numbers; every thread sums eight products in both directions.
extern "C" __global__ void cosine(float *data, unsigned times) {
    __shared__ float base[8][9], v[8][9], w[8][9];
    unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
    base[y][x] = (y ? 0.5f : 0.35355339f) * cosf((2 * x + 1) * y * 0.19634954f);
    v[y][x] = data[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (unsigned n = 0; n < times; ++n) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k)
            sum = fmaf(v[y][k], base[x][k], sum);
        w[y][x] = sum;
        __syncthreads();
        sum = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k)
            sum = fmaf(w[k][x], base[y][k], sum);
        v[y][x] = sum;
        __syncthreads();
    }
    data[blockIdx.x * 64 + threadIdx.x] = v[y][x];
}

extern "C" __global__ void walsh(int *data, unsigned times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    int v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        v[k] = data[k * all + i];
    for (unsigned n = 0; n < times; ++n) {
        int a = v[0] + v[1], b = v[0] - v[1], c = v[2] + v[3], d = v[2] - v[3];
        v[0] = a + c, v[1] = b + d, v[2] = a - c, v[3] = b - d;
#pragma unroll
        for (int step = 1; step < 32; step *= 2)
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                int other = __shfl_xor_sync(~0u, v[k], step);
                v[k] = lane & step ? other - v[k] : other + v[k];
            }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k)
        data[k * all + i] = v[k];
}
