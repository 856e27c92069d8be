// Whole algorithms of a block from CUB.
// make: nvcc 90 -std=c++17
// run: --kernel cub_sort --grid 1 --block 64 --arg u32[256]=random:1 --arg u32[256]=iota --print 0:8 --print 1:8
// run: --kernel cub_sort --grid 3 --block 64 --arg u32[768]=random:2 --arg u32[768]=iota --print 0:8 --print 1:8
// run: --kernel cub_sort --grid 2 --block 64 --arg u32[512]=random:6 --arg u32[512]=iota --print 0:8 --print 1:8
// run: --kernel cub_scan --grid 1 --block 128 --arg s32[256]=random:3 --arg s32[256]=0 --arg s32[1]=0 --print 1:8 --print 2
// run: --kernel cub_scan --grid 4 --block 128 --arg s32[1024]=iota --arg s32[1024]=0 --arg s32[4]=0 --print 1:8 --print 2
// run: --kernel cub_scan --grid 2 --block 128 --arg s32[512]=random:4 --arg s32[512]=0 --arg s32[2]=0 --print 1:8 --print 2
// run: --kernel cub_runs --grid 1 --block 64 --arg u8[64]=random:5 --arg u32[64]=0 --arg u32[64]=0 --print 1:8 --print 2:8
// run: --kernel cub_runs --grid 3 --block 64 --arg u8[192]=iota --arg u32[192]=0 --arg u32[192]=0 --print 1:8 --print 2:8
// run: --kernel cub_runs --grid 2 --block 64 --arg u8[128]=0 --arg u32[128]=0 --arg u32[128]=0 --print 1:8 --print 2:8
#include <cub/cub.cuh>

// Blocks of 64 threads, four keys with values each.
extern "C" __global__ void cub_sort(unsigned *keys, unsigned *values) {
    using Sort = cub::BlockRadixSort<unsigned, 64, 4, unsigned>;
    __shared__ typename Sort::TempStorage storage;
    unsigned base = (blockIdx.x * 64 + threadIdx.x) * 4, k[4], v[4];
    for (int n = 0; n < 4; ++n) {
        k[n] = keys[base + n];
        v[n] = values[base + n];
    }
    Sort(storage).Sort(k, v);
    for (int n = 0; n < 4; ++n) {
        keys[base + n] = k[n];
        values[base + n] = v[n];
    }
}

// Blocks of 128 threads, two elements each.
extern "C" __global__ void cub_scan(const int *in, int *out, int *most) {
    using Scan = cub::BlockScan<int, 128>;
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ typename Scan::TempStorage scan_storage;
    __shared__ typename Reduce::TempStorage reduce_storage;
    unsigned t = threadIdx.x, base = (blockIdx.x * 128 + t) * 2;
    int items[2] = {in[base], in[base + 1]}, sums[2];
    Scan(scan_storage).InclusiveSum(items, sums);
    int highest = Reduce(reduce_storage).Reduce(items, [](int a, int b) { return a > b ? a : b; });
    out[base] = sums[0];
    out[base + 1] = sums[1];
    if (t == 0)
        most[blockIdx.x] = highest;
}

// Blocks of 64 threads: where the lowest bits of the bytes change, and sums by warp of what is counted.
extern "C" __global__ void cub_runs(const unsigned char *in, unsigned *heads, unsigned *sums) {
    using Adjacent = cub::BlockDiscontinuity<unsigned, 64>;
    using Scan = cub::WarpScan<unsigned>;
    __shared__ typename Adjacent::TempStorage adjacent_storage;
    __shared__ typename Scan::TempStorage scan_storage[2];
    unsigned t = threadIdx.x, i = blockIdx.x * 64 + t, item[1] = {in[i] & 1u}, flag[1];
    Adjacent(adjacent_storage).FlagHeads(flag, item, [](unsigned a, unsigned b) { return a != b; });
    unsigned sum;
    Scan(scan_storage[t / 32]).ExclusiveSum(flag[0], sum);
    heads[i] = flag[0];
    sums[i] = sum;
}
