// Cooperative groups: tiles, coalesced groups, partitions, reduce and scan, memcpy_async.
// make: nvcc 75 80 90a 120
// make: nvrtc 70
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int N> __device__ int tile_sum(int v) {
    auto tile = cg::tiled_partition<N>(cg::this_thread_block());
    for (int d = tile.size() / 2; d; d /= 2)
        v += tile.shfl_down(v, d);
    tile.sync();
    return tile.shfl(v, 0) + tile.any(v > 3) + tile.ballot(v & 1) + tile.meta_group_rank();
}

extern "C" __global__ void tiles(int *d) {
    int v = d[threadIdx.x];
    d[threadIdx.x] = tile_sum<4>(v) + tile_sum<16>(v) + tile_sum<32>(v);
}

extern "C" __global__ void reduce(const float *f, const int *i, float *fo, int *io) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto half = cg::tiled_partition<16>(block);
    fo[threadIdx.x] = cg::reduce(warp, f[threadIdx.x], cg::plus<float>());
    io[threadIdx.x] = cg::reduce(half, i[threadIdx.x], cg::greater<int>()) + cg::reduce(warp, i[threadIdx.x], cg::bit_xor<int>());
    io[threadIdx.x + 64] = cg::inclusive_scan(warp, i[threadIdx.x]) + cg::exclusive_scan(half, i[threadIdx.x], cg::less<int>());
}

extern "C" __global__ void coalesced(int *counter, const int *in, int *out) {
    int v = in[threadIdx.x];
    if (v > 0) {
        auto active = cg::coalesced_threads();
        int base;
        if (active.thread_rank() == 0)
            base = atomicAdd(counter, active.size());
        out[active.shfl(base, 0) + active.thread_rank()] = v;
        auto same = cg::labeled_partition(active, v & 3);
        out[v] = cg::reduce(same, v, cg::plus<int>());
        auto odd = cg::binary_partition(active, v & 1);
        out[v + 1] = odd.size() + odd.meta_group_size();
    }
}

extern "C" __global__ void copies(const int4 *in, int4 *out) {
    __shared__ int4 s[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in + blockIdx.x * 128, sizeof s);
    cg::wait(block);
    out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
    block.sync();
}
