// Matrix products on tensor cores by mma.sync, one warp for each tile of 16x8 (f64: 8x8), depth as the instruction's.
// Values are small integers, so that sums are exact however the hardware adds; f64 takes any.
// make: nvcc 90
// run: --kernel mma_f16 --grid 1 --block 32 --arg u8[256]=random:1 --arg u8[128]=random:2 --arg f32[128]=0 --arg u32=16 --arg u32=8 --arg u32=16 --print 2:8
// run: --kernel mma_f16 --grid 2 --block 64 --arg u8[1536]=random:3 --arg u8[1152]=random:4 --arg f32[768]=0 --arg u32=32 --arg u32=24 --arg u32=48 --print 2:8
// run: --kernel mma_f16 --grid 3 --block 32,3 --arg u8[512]=random:5 --arg u8[512]=random:6 --arg f32[1024]=0 --arg u32=32 --arg u32=32 --arg u32=16 --print 2:8
// run: --kernel mma_f16_sum16 --grid 1 --block 32 --arg u8[256]=random:7 --arg u8[128]=random:8 --arg f16[128]=0 --arg u32=16 --arg u32=8 --arg u32=16 --print 2:8
// run: --kernel mma_f16_sum16 --grid 2 --block 96 --arg u8[1024]=random:9 --arg u8[512]=random:10 --arg f16[512]=0 --arg u32=32 --arg u32=16 --arg u32=32 --print 2:8
// run: --kernel mma_f16_sum16 --grid 1 --block 32,2 --arg u8[512]=random:11 --arg u8[256]=random:12 --arg f16[512]=0 --arg u32=32 --arg u32=16 --arg u32=16 --print 2:8
// run: --kernel mma_bf16 --grid 1 --block 32 --arg u8[256]=random:13 --arg u8[128]=random:14 --arg f32[128]=0 --arg u32=16 --arg u32=8 --arg u32=16 --print 2:8
// run: --kernel mma_bf16 --grid 3 --block 64 --arg u8[1024]=random:15 --arg u8[768]=random:16 --arg f32[768]=0 --arg u32=32 --arg u32=24 --arg u32=32 --print 2:8
// run: --kernel mma_bf16 --grid 1 --block 16,2 --arg u8[768]=random:17 --arg u8[128]=random:18 --arg f32[384]=0 --arg u32=48 --arg u32=8 --arg u32=16 --print 2:8
// run: --kernel mma_tf32 --grid 1 --block 32 --arg u8[128]=random:19 --arg u8[64]=random:20 --arg f32[128]=0 --arg u32=16 --arg u32=8 --arg u32=8 --print 2:8
// run: --kernel mma_tf32 --grid 2 --block 64 --arg u8[1280]=random:21 --arg u8[960]=random:22 --arg f32[768]=0 --arg u32=32 --arg u32=24 --arg u32=40 --print 2:8
// run: --kernel mma_tf32 --grid 4 --block 32 --arg u8[768]=random:23 --arg u8[768]=random:24 --arg f32[1024]=0 --arg u32=32 --arg u32=32 --arg u32=24 --print 2:8
// run: --kernel mma_s8 --grid 1 --block 32 --arg s8[512]=random:25 --arg u8[256]=random:26 --arg s32[128]=0 --arg u32=16 --arg u32=8 --arg u32=32 --print 2:8
// run: --kernel mma_s8 --grid 2 --block 128 --arg s8[2048]=random:27 --arg u8[2048]=random:28 --arg s32[1024]=0 --arg u32=32 --arg u32=32 --arg u32=64 --print 2:8
// run: --kernel mma_s8 --grid 1 --block 32,5 --arg s8[1536]=random:29 --arg u8[512]=random:30 --arg s32[768]=0 --arg u32=48 --arg u32=16 --arg u32=32 --print 2:8
// run: --kernel mma_f64 --grid 1 --block 32 --arg f64[32]=random:31 --arg f64[32]=random:32 --arg f64[64]=0 --arg u32=8 --arg u32=8 --arg u32=4 --print 2:8
// run: --kernel mma_f64 --grid 2 --block 64 --arg f64[320]=random:33 --arg f64[480]=random:34 --arg f64[384]=0 --arg u32=16 --arg u32=24 --arg u32=20 --print 2:8
// run: --kernel mma_f64 --grid 3 --block 96 --arg f64[288]=iota --arg f64[96]=random:35 --arg f64[192]=0 --arg u32=24 --arg u32=8 --arg u32=12 --print 2:8
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Runs `tile(x, y)` for each tile of the result on one warp of the grid.
template <int ROWS, int COLUMNS, class F> __device__ void each_tile(unsigned rows, unsigned columns, F tile) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, warps = blockDim.x * blockDim.y / 32;
    unsigned across = columns / COLUMNS, tiles = rows / ROWS * across;
    for (unsigned i = blockIdx.x * warps + t / 32; i < tiles; i += gridDim.x * warps)
        tile(i % across * COLUMNS, i / across * ROWS);
}

__device__ unsigned lane_of_warp() { return (threadIdx.x + blockDim.x * threadIdx.y) % 32; }

// Small whole numbers from -7 to 8.
__device__ float small(unsigned char v) { return (float)(v % 16) - 7.0f; }

template <class T> __device__ unsigned pair(float a, float b) {
    T values[2] = {T(a), T(b)};
    return *(unsigned *)values;
}

// Fragments of m16n8k16 with two elements a register: a is rows x depth, b is depth x columns.
template <class T>
__device__ void fragments(const unsigned char *a, const unsigned char *b, unsigned x, unsigned y, unsigned k,
                          unsigned columns, unsigned depth, unsigned *fa, unsigned *fb) {
    unsigned group = lane_of_warp() / 4, in = lane_of_warp() % 4 * 2;
    for (int r = 0; r < 4; ++r) {
        const unsigned char *row = a + (y + group + r % 2 * 8) * depth + k + in + r / 2 * 8;
        fa[r] = pair<T>(small(row[0]), small(row[1]));
    }
    for (int r = 0; r < 2; ++r) {
        const unsigned char *column = b + (k + in + r * 8) * columns + x + group;
        fb[r] = pair<T>(small(column[0]), small(column[columns]));
    }
}

// The four results a lane has of a 16x8 tile.
template <class T, class S> __device__ void store_tile(T *c, const S *d, unsigned x, unsigned y, unsigned columns) {
    unsigned group = lane_of_warp() / 4, in = lane_of_warp() % 4 * 2;
    for (int r = 0; r < 4; ++r)
        c[(y + group + r / 2 * 8) * columns + x + in + r % 2] = d[r];
}

extern "C" __global__ void mma_f16(const unsigned char *a, const unsigned char *b, float *c, unsigned rows,
                                   unsigned columns, unsigned depth) {
    each_tile<16, 8>(rows, columns, [&](unsigned x, unsigned y) {
        float d[4] = {};
        for (unsigned k = 0; k < depth; k += 16) {
            unsigned fa[4], fb[2];
            fragments<__half>(a, b, x, y, k, columns, depth, fa, fb);
            asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        }
        store_tile(c, d, x, y, columns);
    });
}

extern "C" __global__ void mma_f16_sum16(const unsigned char *a, const unsigned char *b, __half *c, unsigned rows,
                                         unsigned columns, unsigned depth) {
    each_tile<16, 8>(rows, columns, [&](unsigned x, unsigned y) {
        unsigned d[2] = {};
        for (unsigned k = 0; k < depth; k += 16) {
            unsigned fa[4], fb[2];
            fragments<__half>(a, b, x, y, k, columns, depth, fa, fb);
            asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                : "+r"(d[0]), "+r"(d[1])
                : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        }
        store_tile(c, (__half *)d, x, y, columns);
    });
}

extern "C" __global__ void mma_bf16(const unsigned char *a, const unsigned char *b, float *c, unsigned rows,
                                    unsigned columns, unsigned depth) {
    each_tile<16, 8>(rows, columns, [&](unsigned x, unsigned y) {
        float d[4] = {};
        for (unsigned k = 0; k < depth; k += 16) {
            unsigned fa[4], fb[2];
            fragments<__nv_bfloat16>(a, b, x, y, k, columns, depth, fa, fb);
            asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        }
        store_tile(c, d, x, y, columns);
    });
}

__device__ unsigned tf32(float v) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
    return bits;
}

extern "C" __global__ void mma_tf32(const unsigned char *a, const unsigned char *b, float *c, unsigned rows,
                                    unsigned columns, unsigned depth) {
    each_tile<16, 8>(rows, columns, [&](unsigned x, unsigned y) {
        unsigned group = lane_of_warp() / 4, in = lane_of_warp() % 4;
        float d[4] = {};
        for (unsigned k = 0; k < depth; k += 8) {
            unsigned fa[4], fb[2];
            for (int r = 0; r < 4; ++r)
                fa[r] = tf32(0.25f * small(a[(y + group + r % 2 * 8) * depth + k + in + r / 2 * 4]));
            for (int r = 0; r < 2; ++r)
                fb[r] = tf32(small(b[(k + in + r * 4) * columns + x + group]));
            asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        }
        store_tile(c, d, x, y, columns);
    });
}

// Signed by unsigned bytes; b is columns x depth, so that both sides are read by words.
extern "C" __global__ void mma_s8(const signed char *a, const unsigned char *b, int *c, unsigned rows, unsigned columns,
                                  unsigned depth) {
    each_tile<16, 8>(rows, columns, [&](unsigned x, unsigned y) {
        unsigned group = lane_of_warp() / 4, in = lane_of_warp() % 4 * 4;
        int d[4] = {};
        for (unsigned k = 0; k < depth; k += 32) {
            unsigned fa[4], fb[2];
            for (int r = 0; r < 4; ++r)
                fa[r] = *(const unsigned *)(a + (y + group + r % 2 * 8) * depth + k + in + r / 2 * 16);
            for (int r = 0; r < 2; ++r)
                fb[r] = *(const unsigned *)(b + (x + group) * depth + k + in + r * 16);
            asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        }
        store_tile(c, d, x, y, columns);
    });
}

extern "C" __global__ void mma_f64(const double *a, const double *b, double *c, unsigned rows, unsigned columns,
                                   unsigned depth) {
    each_tile<8, 8>(rows, columns, [&](unsigned x, unsigned y) {
        unsigned group = lane_of_warp() / 4, in = lane_of_warp() % 4;
        double d[2] = {};
        for (unsigned k = 0; k < depth; k += 4)
            asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                : "+d"(d[0]), "+d"(d[1])
                : "d"(a[(y + group) * depth + k + in]), "d"(b[(k + in) * columns + x + group]));
        c[(y + group) * columns + x + in * 2] = d[0];
        c[(y + group) * columns + x + in * 2 + 1] = d[1];
    });
}
