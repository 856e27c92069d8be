// Matrix products by the C++ interface of tensor cores, and matrices moved by ldmatrix and stmatrix.
// make: nvcc 90
// run: --kernel wmma_f16 --grid 1 --block 32 --arg u8[256]=random:1 --arg u8[256]=random:2 --arg f32[256]=iota --print 2:8
// run: --kernel wmma_f16 --grid 3 --block 32 --arg u8[768]=random:3 --arg u8[768]=random:4 --arg f32[768]=1 --print 2:8
// run: --kernel wmma_f16 --grid 2 --block 16,2 --arg u8[512]=random:5 --arg u8[512]=random:6 --arg f32[512]=0 --print 2:8
// run: --kernel wmma_u8 --grid 1 --block 32 --arg u8[512]=random:7 --arg u8[512]=random:8 --arg s32[1024]=0 --print 2:8
// run: --kernel wmma_u8 --grid 2 --block 32 --arg u8[1024]=random:9 --arg u8[1024]=iota --arg s32[2048]=0 --print 2:8
// run: --kernel wmma_u8 --grid 1 --block 8,4 --arg u8[512]=255 --arg u8[512]=255 --arg s32[1024]=0 --print 2:8
// run: --kernel wmma_f64 --grid 1 --block 32 --arg f64[32]=random:10 --arg f64[32]=random:11 --arg f64[64]=iota --print 2:8
// run: --kernel wmma_f64 --grid 4 --block 32 --arg f64[128]=random:12 --arg f64[128]=random:13 --arg f64[256]=1 --print 2:8
// run: --kernel wmma_f64 --grid 2 --block 4,8 --arg f64[64]=iota --arg f64[64]=random:14 --arg f64[128]=0 --print 2:8
// run: --kernel matrix_moves --grid 1 --block 32 --arg u16[256]=iota --arg u16[256]=0 --arg u16[256]=0 --arg u16[256]=0 --print 2:16
// run: --kernel matrix_moves --grid 2 --block 64 --arg u16[1024]=random:15 --arg u16[1024]=0 --arg u16[1024]=0 --arg u16[1024]=0 --print 2:16
// run: --kernel matrix_moves --grid 1 --block 32,3 --arg u16[768]=random:16 --arg u16[768]=0 --arg u16[768]=0 --arg u16[768]=0 --print 2:16
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void wmma_f16(const unsigned char *a, const unsigned char *b, float *c) {
    __shared__ __half left[256], right[256];
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y;
    a += blockIdx.x * 256, b += blockIdx.x * 256, c += blockIdx.x * 256;
    for (int i = t; i < 256; i += 32) {
        left[i] = __half((float)(a[i] % 16) - 7.0f);
        right[i] = __half((float)(b[i] % 16) - 8.0f);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::load_matrix_sync(fa, left, 16);
    wmma::load_matrix_sync(fb, right, 16);
    wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; ++i)
        fc.x[i] = 0.5f * fc.x[i];
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_col_major);
}

// A result of 32x32 in four tiles of 32x8, with a depth of 16.
extern "C" __global__ void wmma_u8(const unsigned char *a, const unsigned char *b, int *c) {
    a += blockIdx.x * 512, b += blockIdx.x * 512, c += blockIdx.x * 1024;
    for (int column = 0; column < 32; column += 8) {
        wmma::fragment<wmma::matrix_a, 32, 8, 16, unsigned char, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 32, 8, 16, unsigned char, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 32, 8, 16, int> fc;
        wmma::fill_fragment(fc, column);
        wmma::load_matrix_sync(fa, a, 16);
        wmma::load_matrix_sync(fb, b + column * 16, 16);
        wmma::mma_sync(fc, fa, fb, fc);
        wmma::store_matrix_sync(c + column, fc, 32, wmma::mem_row_major);
    }
}

extern "C" __global__ void wmma_f64(const double *a, const double *b, double *c) {
    a += blockIdx.x * 32, b += blockIdx.x * 32, c += blockIdx.x * 64;
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::col_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
    wmma::load_matrix_sync(fa, a, 8);
    wmma::load_matrix_sync(fb, b, 8);
    wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Four 8x8 matrices of 16 bits a warp: read plain and transposed, and written transposed from the registers.
extern "C" __global__ void matrix_moves(const unsigned short *in, unsigned *plain, unsigned *turned,
                                        unsigned short *written) {
    __shared__ __align__(16) unsigned short memory[4][256];
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, warp = t / 32, lane = t % 32;
    unsigned base = (blockIdx.x * (blockDim.x * blockDim.y / 32) + warp) * 256;
    for (int i = lane; i < 256; i += 32)
        memory[warp][i] = in[base + i];
    __syncwarp();
    unsigned row = shared_address(&memory[warp][lane * 8]), r[4], s[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(s[0]), "=r"(s[1])
                 : "r"(row)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(s[2]) : "r"(row) : "memory");
    s[3] = lane;
    for (int i = 0; i < 4; ++i) {
        plain[base / 2 + i * 32 + lane] = r[i];
        turned[base / 2 + i * 32 + lane] = s[i];
    }
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(row), "r"(s[0]), "r"(r[1]) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(row + 256), "r"(r[2]), "r"(r[3])
                 : "memory");
    __syncwarp();
    for (int i = lane; i < 256; i += 32)
        written[base + i] = memory[warp][i];
}
