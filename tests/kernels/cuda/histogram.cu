// Histograms: global atomics, shared atomics, warp-aggregated, and counting by match.
// make: nvcc 90
// run: --kernel histogram_global --grid 4 --block 64 --arg u8[2000]=random:1 --arg u32[256]=0 --arg u32=2000 --print 1:16
// run: --kernel histogram_global --grid 1 --block 1 --arg u8[40]=iota --arg u32[256]=0 --arg u32=40 --print 1:16
// run: --kernel histogram_global --grid 3 --block 48 --arg u8[500]=7 --arg u32[256]=0 --arg u32=500 --print 1:16
// run: --kernel histogram_shared --grid 4 --block 256 --arg u8[4096]=random:2 --arg u32[256]=0 --arg u32=4096 --print 1:16
// run: --kernel histogram_shared --grid 2 --block 100 --arg u8[1000]=random:3 --arg u32[256]=0 --arg u32=1000 --print 1:16
// run: --kernel histogram_shared --grid 1 --block 32,8 --arg u8[999]=iota --arg u32[256]=0 --arg u32=999 --print 1:16
// run: --kernel histogram_match --grid 2 --block 128 --arg u8[1024]=random:4 --arg u32[16]=0 --arg u32=1024 --print 1
// run: --kernel histogram_match --grid 1 --block 45 --arg u8[333]=random:5 --arg u32[16]=0 --arg u32=333 --print 1
// run: --kernel histogram_match --grid 3 --block 64 --arg u8[200]=iota --arg u32[16]=0 --arg u32=200 --print 1
// run: --kernel filter_aggregated --grid 2 --block 128 --arg u32[1000]=random:6 --arg u32[1]=0 --arg u32[1]=0 --arg u32=1000 --print 1 --print 2
// run: --kernel filter_aggregated --grid 1 --block 77 --arg u32[300]=random:7 --arg u32[1]=0 --arg u32[1]=0 --arg u32=300 --print 1 --print 2
// run: --kernel filter_aggregated --grid 4 --block 32 --arg u32[500]=iota --arg u32[1]=0 --arg u32[1]=0 --arg u32=500 --print 1 --print 2

extern "C" __global__ void histogram_global(const unsigned char *data, unsigned *bins, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1);
}

extern "C" __global__ void histogram_shared(const unsigned char *data, unsigned *bins, unsigned count) {
    __shared__ unsigned mine[256];
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    for (unsigned b = t; b < 256; b += size)
        mine[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * size + t; i < count; i += gridDim.x * size)
        atomicAdd(&mine[data[i]], 1);
    __syncthreads();
    for (unsigned b = t; b < 256; b += size)
        if (mine[b] != 0)
            atomicAdd(&bins[b], mine[b]);
}

// The lanes that have the same value let one of them add for all.
extern "C" __global__ void histogram_match(const unsigned char *data, unsigned *bins, unsigned count) {
    unsigned lane = threadIdx.x % 32;
    unsigned step = gridDim.x * blockDim.x, rounds = (count + step - 1) / step;
    unsigned size = min(32u, blockDim.x - threadIdx.x / 32 * 32);
    unsigned warp = size == 32 ? ~0u : (1u << size) - 1;
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned i = round * step + blockIdx.x * blockDim.x + threadIdx.x;
        unsigned bin = i < count ? data[i] % 16 : 16;
        unsigned same = __match_any_sync(warp, bin);
        if (bin < 16 && lane == __ffs(same) - 1)
            atomicAdd(&bins[bin], __popc(same));
        __syncwarp(warp);
    }
}

__device__ unsigned kept[4096];

// Keeps the odd values, in any order, with one atomic for the active lanes of a warp; only their sum and number are
// written out.
extern "C" __global__ void filter_aggregated(const unsigned *in, unsigned *number, unsigned *sum, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        if (in[i] % 2 == 0)
            continue;
        unsigned active = __activemask(), lane = threadIdx.x % 32;
        unsigned rank = __popc(active & ((1u << lane) - 1)), base = 0;
        if (rank == 0)
            base = atomicAdd(number, __popc(active));
        base = __shfl_sync(active, base, __ffs(active) - 1);
        kept[base + rank] = in[i];
        atomicAdd(sum, kept[base + rank]);
    }
}
