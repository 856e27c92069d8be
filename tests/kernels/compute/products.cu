// Products of matrices without matrix units: single precision with tiles of registers, double precision, bytes by dp4a, and half precision.
// make: nvcc 90 -fmad=false
// run: --kernel sgemm --grid 1,2 --block 16,16 --arg f32[4096]=random:1 --arg f32[2048]=random:2 --arg f32[8192]=0 --arg u32=128 --arg u32=64 --arg u32=32 --print 2:4
// bench: --kernel sgemm --grid 16,16 --block 16,16 --arg f32[1048576]=random:1 --arg f32[1048576]=random:2 --arg f32[1048576]=0 --arg u32=1024 --arg u32=1024 --arg u32=1024
// run: --kernel dgemm --grid 2,2 --block 16,16 --arg f64[1024]=random:3 --arg f64[1024]=random:4 --arg f64[1024]=0 --arg u32=32 --print 2:4
// bench: --kernel dgemm --grid 32,32 --block 16,16 --arg f64[262144]=random:3 --arg f64[262144]=random:4 --arg f64[262144]=0 --arg u32=512
// run: --kernel bytes --grid 2,2 --block 16,16 --arg u32[256]=random:5 --arg u32[256]=random:6 --arg s32[1024]=0 --arg u32=32 --arg u32=8 --print 2:4
// bench: --kernel bytes --grid 64,64 --block 16,16 --arg u32[262144]=random:5 --arg u32[262144]=random:6 --arg s32[1048576]=0 --arg u32=1024 --arg u32=256
// run: --kernel halves --grid 2,1 --block 16,16 --arg u32[512]=random:7 --arg u32[512]=random:8 --arg u32[512]=0 --arg u32=32 --print 2:4
// bench: --kernel halves --grid 64,32 --block 16,16 --arg u32[524288]=random:7 --arg u32[524288]=random:8 --arg u32[524288]=0 --arg u32=1024

#include <cuda_fp16.h>

// A block has 64 x 64 results, a thread 4 x 4; `depth` is a multiple of 16.
extern "C" __global__ __launch_bounds__(256) void sgemm(const float *a, const float *b, float *c, unsigned rows,
                                                       unsigned columns, unsigned depth) {
    __shared__ float left[16][68], top[16][64];
    unsigned row = blockIdx.y * 64, column = blockIdx.x * 64, t = threadIdx.y * 16 + threadIdx.x;
    float sum[4][4] = {};
    for (unsigned k = 0; k < depth; k += 16) {
        for (unsigned n = t; n < 1024; n += 256) {
            left[n % 16][n / 16] = a[(row + n / 16) * depth + k + n % 16];
            top[n / 64][n % 64] = b[(k + n / 64) * columns + column + n % 64];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            float4 x = *(float4 *)&left[i][threadIdx.y * 4], y = *(float4 *)&top[i][threadIdx.x * 4];
            float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
            for (int p = 0; p < 4; ++p)
                for (int q = 0; q < 4; ++q)
                    sum[p][q] = fmaf(xs[p], ys[q], sum[p][q]);
        }
        __syncthreads();
    }
    for (int p = 0; p < 4; ++p)
        *(float4 *)&c[(row + threadIdx.y * 4 + p) * columns + column + threadIdx.x * 4] =
            make_float4(sum[p][0], sum[p][1], sum[p][2], sum[p][3]);
}

extern "C" __global__ void dgemm(const double *a, const double *b, double *c, unsigned size) {
    __shared__ double left[16][17], top[16][16];
    unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    double sum = 0;
    for (unsigned k = 0; k < size; k += 16) {
        left[y][x] = a[row * size + k + x];
        top[y][x] = b[(k + y) * size + column];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i)
            sum = fma(left[y][i], top[i][x], sum);
        __syncthreads();
    }
    c[row * size + column] = sum;
}

// Rows of both matrices are four bytes to a word.
extern "C" __global__ void bytes(const int *a, const int *b, int *c, unsigned size, unsigned words) {
    __shared__ int left[16][17], top[16][17];
    unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16, column = blockIdx.x * 16;
    int sum = 0;
    for (unsigned k = 0; k < words; k += 16) {
        bool there = k + x < words;
        left[y][x] = there ? a[(row + y) * words + k + x] : 0;
        top[y][x] = there ? b[(column + y) * words + k + x] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i)
            sum = __dp4a(left[y][i], top[x][i], sum);
        __syncthreads();
    }
    c[(row + y) * size + column + x] = sum;
}

__device__ __half2 pair(unsigned bits) {
    // Small numbers of both signs, whatever the bits are.
    bits = bits & 0x8fff8fff | 0x20002000;
    return *(__half2 *)&bits;
}

// A thread has two neighbours of a row: the left factor is one number, the right one a pair.
extern "C" __global__ void halves(const unsigned *a, const unsigned *b, unsigned *c, unsigned size) {
    __shared__ __half2 left[16][17], top[32][16];
    unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * 16 + y, column = blockIdx.y * 16 + x, half = size / 2;
    __half2 sum = __float2half2_rn(0.0f);
    for (unsigned k = 0; k < half; k += 16) {
        left[y][x] = pair(a[row * half + k + x]);
        top[2 * y][x] = pair(b[(2 * k + 2 * y) * half + column]);
        top[2 * y + 1][x] = pair(b[(2 * k + 2 * y + 1) * half + column]);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            sum = __hfma2(__low2half2(left[y][i]), top[2 * i][x], sum);
            sum = __hfma2(__high2half2(left[y][i]), top[2 * i + 1][x], sum);
        }
        __syncthreads();
    }
    c[row * half + column] = *(unsigned *)&sum;
}
