// Transposition through a padded tile in shared memory, in registers with shuffles, and of vectors of four.
// make: nvcc 90
// run: --kernel transpose --grid 2,2 --block 32,8 --arg u32[4096]=iota --arg u32[4096]=0 --arg u32=64 --arg u32=64 --print 1:8
// run: --kernel transpose --grid 2,1 --block 32,32 --arg u32[1000]=random:1 --arg u32[1000]=0 --arg u32=40 --arg u32=25 --print 1:8
// run: --kernel transpose --grid 1,3 --block 32,5 --arg u32[2310]=iota --arg u32[2310]=0 --arg u32=30 --arg u32=77 --print 1:8
// run: --kernel transpose_warp --grid 1 --block 32 --arg u32[32]=random:2 --arg u32[32]=0 --print 1:8
// run: --kernel transpose_warp --grid 2 --block 64 --arg u32[128]=random:3 --arg u32[128]=0 --print 1:8
// run: --kernel transpose_warp --grid 3 --block 32,3 --arg u32[288]=iota --arg u32[288]=0 --print 1:8
// run: --kernel transpose_vectors --grid 1 --block 4 --arg u32[16]=iota --arg u32[16]=0 --arg u32=4 --print 1
// run: --kernel transpose_vectors --grid 2 --block 50 --arg u32[1600]=random:4 --arg u32[1600]=0 --arg u32=40 --print 1:8
// run: --kernel transpose_vectors --grid 5 --block 16 --arg u32[784]=random:5 --arg u32[784]=0 --arg u32=28 --print 1:8

extern "C" __global__ void transpose(const unsigned *in, unsigned *out, unsigned width, unsigned height) {
    __shared__ unsigned tile[32][33];
    for (unsigned y = threadIdx.y; y < 32; y += blockDim.y) {
        unsigned sx = blockIdx.x * 32 + threadIdx.x, sy = blockIdx.y * 32 + y;
        if (sx < width && sy < height)
            tile[y][threadIdx.x] = in[sy * width + sx];
    }
    __syncthreads();
    for (unsigned y = threadIdx.y; y < 32; y += blockDim.y) {
        unsigned dx = blockIdx.y * 32 + threadIdx.x, dy = blockIdx.x * 32 + y;
        if (dx < height && dy < width)
            out[dy * height + dx] = tile[threadIdx.x][y];
    }
}

// 32 words of 32 bits a warp, as a matrix of bits.
extern "C" __global__ void transpose_warp(const unsigned *in, unsigned *out) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, lane = t % 32;
    unsigned i = blockIdx.x * blockDim.x * blockDim.y + t, v = in[i];
    const unsigned masks[5] = {0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555};
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        unsigned step = 16 >> k, other = __shfl_xor_sync(~0u, v, step);
        v = lane & step ? (v & ~masks[k]) | ((other & ~masks[k]) >> step) : (v & masks[k]) | ((other & masks[k]) << step);
    }
    out[i] = v;
}

// A square whose side is a multiple of four, a 4x4 block a thread.
extern "C" __global__ void transpose_vectors(const uint4 *in, uint4 *out, unsigned side) {
    unsigned blocks = side / 4;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < blocks * blocks; i += gridDim.x * blockDim.x) {
        unsigned bx = i % blocks, by = i / blocks;
        uint4 r[4];
        for (int k = 0; k < 4; ++k)
            r[k] = in[(by * 4 + k) * blocks + bx];
        out[(bx * 4 + 0) * blocks + by] = make_uint4(r[0].x, r[1].x, r[2].x, r[3].x);
        out[(bx * 4 + 1) * blocks + by] = make_uint4(r[0].y, r[1].y, r[2].y, r[3].y);
        out[(bx * 4 + 2) * blocks + by] = make_uint4(r[0].z, r[1].z, r[2].z, r[3].z);
        out[(bx * 4 + 3) * blocks + by] = make_uint4(r[0].w, r[1].w, r[2].w, r[3].w);
    }
}
