// Products on the matrix units: halves through wmma, bf16 through mma and ldmatrix, tf32, bytes and doubles through mma.
// make: nvcc 90 -fmad=false
// run: --kernel wmma_halves --grid 1,1 --block 128 --arg u32[512]=random:1 --arg u32[512]=random:2 --arg f32[1024]=0 --arg u32=32 --print 2:4
// bench: --kernel wmma_halves --grid 32,32 --block 128 --arg u32[524288]=random:1 --arg u32[524288]=random:2 --arg f32[1048576]=0 --arg u32=1024
// run: --kernel mma_bf16 --grid 1,1 --block 128 --arg u32[1024]=random:3 --arg u32[1024]=random:4 --arg f32[4096]=0 --arg u32=64 --arg u32=32 --print 2:4
// bench: --kernel mma_bf16 --grid 32,32 --block 128 --arg u32[2097152]=random:3 --arg u32[2097152]=random:4 --arg f32[4194304]=0 --arg u32=2048 --arg u32=2048
// run: --kernel mma_tf32 --grid 2 --block 32 --arg f32[128]=random:5 --arg f32[64]=random:6 --arg f32[256]=0 --arg u32=3 --print 2:4
// bench: --kernel mma_tf32 --grid 1056 --block 256 --arg f32[128]=random:5 --arg f32[64]=random:6 --arg f32[1081344]=0 --arg u32=1000
// run: --kernel mma_bytes --grid 2 --block 32 --arg u32[128]=random:7 --arg u32[64]=random:8 --arg s32[256]=0 --arg u32=3 --print 2:4
// bench: --kernel mma_bytes --grid 1056 --block 256 --arg u32[128]=random:7 --arg u32[64]=random:8 --arg s32[1081344]=0 --arg u32=1000
// run: --kernel mma_doubles --grid 2 --block 32 --arg f64[32]=random:9 --arg f64[32]=random:10 --arg f64[128]=0 --arg u32=3 --print 2:4
// bench: --kernel mma_doubles --grid 1056 --block 256 --arg f64[32]=random:9 --arg f64[32]=random:10 --arg f64[540672]=0 --arg u32=500

#include <cuda_fp16.h>
#include <mma.h>

// Finite numbers of two halves or bf16, whatever the bits are.
__device__ unsigned tamed(unsigned bits) {
    return bits & 0x87ff87ff | 0x30003000;
}

// A block of four warps has 32 x 32 results; tiles go through shared memory.
extern "C" __global__ void wmma_halves(const unsigned *a, const unsigned *b, float *c, unsigned size) {
    using namespace nvcuda::wmma;
    __shared__ __align__(32) unsigned left[32][12], top[16][20];
    unsigned warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    for (unsigned k = 0; k < size / 2; k += 8) {
        for (unsigned n = threadIdx.x; n < 256; n += 128) {
            left[n / 8][n % 8] = tamed(a[(blockIdx.y * 32 + n / 8) * (size / 2) + k + n % 8]);
            top[n / 16][n % 16] = tamed(b[(2 * k + n / 16) * (size / 2) + blockIdx.x * 16 + n % 16]);
        }
        __syncthreads();
        fragment<matrix_a, 16, 16, 16, half, row_major> x;
        fragment<matrix_b, 16, 16, 16, half, row_major> y;
        load_matrix_sync(x, (const half *)&left[row][0], 24);
        load_matrix_sync(y, (const half *)&top[0][0] + column, 40);
        mma_sync(sum, x, y, sum);
        __syncthreads();
    }
    store_matrix_sync(c + (blockIdx.y * 32 + row) * size + blockIdx.x * 32 + column, sum, size, mem_row_major);
}

__device__ void matrices(unsigned *to, const void *from) {
    unsigned at = (unsigned)__cvta_generic_to_shared(from);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at)
                 : "memory");
}

// A block of four warps has 64 x 64 results of rows of `a` and rows of `b`; a warp has 32 x 32.
extern "C" __global__ __launch_bounds__(128) void mma_bf16(const unsigned *a, const unsigned *b, float *c, unsigned size,
                                                          unsigned depth) {
    __shared__ __align__(16) unsigned left[64][20], right[64][20];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    float sum[2][4][4] = {};
    for (unsigned k = 0; k < depth / 2; k += 16) {
        for (unsigned n = t; n < 1024; n += 128) {
            left[n / 16][n % 16] = tamed(a[(blockIdx.y * 64 + n / 16) * (depth / 2) + k + n % 16]);
            right[n / 16][n % 16] = tamed(b[(blockIdx.x * 64 + n / 16) * (depth / 2) + k + n % 16]);
        }
        __syncthreads();
#pragma unroll
        for (int half = 0; half < 16; half += 8) {
            unsigned x[2][4], y[2][4];
            for (int p = 0; p < 2; ++p) {
                matrices(x[p], &left[row + 16 * p + lane % 16][half + lane / 16 * 4]);
                matrices(y[p], &right[column + 16 * p + lane % 8 + lane / 16 * 8][half + lane / 8 % 2 * 4]);
            }
            for (int p = 0; p < 2; ++p)
                for (int q = 0; q < 4; ++q) {
                    float *d = sum[p][q];
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
                                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                                 : "r"(x[p][0]), "r"(x[p][1]), "r"(x[p][2]), "r"(x[p][3]), "r"(y[q / 2][q % 2 * 2]),
                                   "r"(y[q / 2][q % 2 * 2 + 1]));
                }
        }
        __syncthreads();
    }
    for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 4; ++q)
            for (int i = 0; i < 4; ++i) {
                unsigned y = blockIdx.y * 64 + row + 16 * p + lane / 4 + i / 2 * 8;
                unsigned x = blockIdx.x * 64 + column + 8 * q + lane % 4 * 2 + i % 2;
                c[y * size + x] = sum[p][q][i];
            }
}

extern "C" __global__ void mma_tf32(const unsigned *a, const unsigned *b, float4 *c, unsigned times) {
    unsigned lane = threadIdx.x % 32, x[4], y[2];
    float d[2][4] = {};
    for (int k = 0; k < 4; ++k)
        x[k] = a[lane * 4 + k] & 0xffffe000;
    for (int k = 0; k < 2; ++k)
        y[k] = b[lane * 2 + k] & 0xffffe000;
    for (unsigned n = 0; n < times; ++n)
#pragma unroll
        for (int p = 0; p < 2; ++p)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                         "{%0, %1, %2, %3};"
                         : "+f"(d[p][0]), "+f"(d[p][1]), "+f"(d[p][2]), "+f"(d[p][3])
                         : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[p]), "r"(y[1 - p]));
    c[blockIdx.x * blockDim.x + threadIdx.x] =
        make_float4(d[0][0] + d[1][0], d[0][1] - d[1][1], d[0][2] + d[1][2], d[0][3] - d[1][3]);
}

extern "C" __global__ void mma_bytes(const unsigned *a, const unsigned *b, int4 *c, unsigned times) {
    unsigned lane = threadIdx.x % 32, x[4], y[2];
    int d[2][4] = {};
    for (int k = 0; k < 4; ++k)
        x[k] = a[lane * 4 + k];
    for (int k = 0; k < 2; ++k)
        y[k] = b[lane * 2 + k];
    for (unsigned n = 0; n < times; ++n)
#pragma unroll
        for (int p = 0; p < 2; ++p) {
            asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                         "{%0, %1, %2, %3};"
                         : "+r"(d[p][0]), "+r"(d[p][1]), "+r"(d[p][2]), "+r"(d[p][3])
                         : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[p]), "r"(y[1 - p]));
            y[p] ^= n;
        }
    c[blockIdx.x * blockDim.x + threadIdx.x] =
        make_int4(d[0][0] + d[1][0], d[0][1] - d[1][1], d[0][2] ^ d[1][2], d[0][3] & d[1][3]);
}

extern "C" __global__ void mma_doubles(const double *a, const double *b, double2 *c, unsigned times) {
    unsigned lane = threadIdx.x % 32;
    double x = a[lane], y = b[lane], d[4][2] = {};
    for (unsigned n = 0; n < times; ++n)
#pragma unroll
        for (int p = 0; p < 4; ++p)
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+d"(d[p][0]), "+d"(d[p][1])
                         : "d"(x), "d"(y));
    c[blockIdx.x * blockDim.x + threadIdx.x] =
        make_double2(d[0][0] + d[1][0] + d[2][0] + d[3][0], d[0][1] + d[1][1] + d[2][1] + d[3][1]);
}
