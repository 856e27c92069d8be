// Sums in five ways: a tree in shared memory, shuffles, redux, atomics, cooperative groups.
// make: nvcc 90
// run: --kernel reduce_shared --grid 4 --block 128 --arg u32[1024]=iota --arg u32[4]=0 --arg u32=1024 --print 1
// run: --kernel reduce_shared --grid 3 --block 64 --arg u32[777]=random:1 --arg u32[3]=0 --arg u32=777 --print 1
// run: --kernel reduce_shared --grid 1 --block 512 --arg u32[100]=iota --arg u32[1]=0 --arg u32=100 --print 1
// run: --kernel reduce_shuffle --grid 4 --block 128 --arg u32[1024]=iota --arg u32[4]=0 --arg u32=1024 --print 1
// run: --kernel reduce_shuffle --grid 2 --block 32 --arg u32[1000]=random:2 --arg u32[2]=0 --arg u32=1000 --print 1
// run: --kernel reduce_shuffle --grid 1 --block 1024 --arg u32[5000]=random:3 --arg u32[1]=0 --arg u32=5000 --print 1
// run: --kernel reduce_redux --grid 2 --block 96 --arg u32[1024]=random:4 --arg u32[16]=0,0xffffffff,0,0xffffffff,0,0,0x80000000,0x7fffffff,0,0,0,0,0,0,0,0 --arg u32=1024 --print 1
// run: --kernel reduce_redux --grid 1 --block 32 --arg u32[50]=iota --arg u32[16]=0,0xffffffff,0,0xffffffff,0,0,0x80000000,0x7fffffff,0,0,0,0,0,0,0,0 --arg u32=50 --print 1
// run: --kernel reduce_redux --grid 3 --block 8,8,2 --arg u32[4096]=random:5 --arg u32[16]=0,0xffffffff,0,0xffffffff,0,0,0x80000000,0x7fffffff,0,0,0,0,0,0,0,0 --arg u32=4096 --print 1
// run: --kernel reduce_atomic --grid 5 --block 50 --arg s32[1000]=random:6 --arg s64[1]=0 --arg s32[2]=2147483647,-2147483648 --arg u32=1000 --print 1 --print 2
// run: --kernel reduce_atomic --grid 1 --block 256 --arg s32[256]=iota --arg s64[1]=0 --arg s32[2]=2147483647,-2147483648 --arg u32=256 --print 1 --print 2
// run: --kernel reduce_atomic --grid 16 --block 7 --arg s32[500]=random:7 --arg s64[1]=5 --arg s32[2]=0,0 --arg u32=500 --print 1 --print 2
// run: --kernel reduce_groups --grid 2 --block 128 --arg s32[1000]=random:8 --arg s32[2]=0 --arg s32[16]=0 --arg u32=1000 --print 1 --print 2
// run: --kernel reduce_groups --grid 1 --block 96 --arg s32[96]=iota --arg s32[1]=0 --arg s32[6]=0 --arg u32=96 --print 1 --print 2
// run: --kernel reduce_groups --grid 3 --block 16,4 --arg s32[3000]=random:9 --arg s32[3]=0 --arg s32[12]=0 --arg u32=3000 --print 1 --print 2
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// The block must have a power of two of threads, 512 at most.
extern "C" __global__ void reduce_shared(const unsigned *in, unsigned *out, unsigned count) {
    __shared__ unsigned part[512];
    unsigned sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

// The block must have whole warps.
extern "C" __global__ void reduce_shuffle(const unsigned *in, unsigned *out, unsigned count) {
    __shared__ unsigned part[32];
    unsigned sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(~0u, sum, step);
        if (threadIdx.x == 0)
            out[blockIdx.x] = sum;
    }
}

// out: add, min, max, and, or, xor over all, signed max, signed min. Whole warps.
extern "C" __global__ void reduce_redux(const unsigned *in, unsigned *out, unsigned count) {
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned size = blockDim.x * blockDim.y * blockDim.z;
    for (unsigned base = blockIdx.x * size; base < count; base += gridDim.x * size) {
        bool there = base + thread < count;
        unsigned mask = __ballot_sync(~0u, there);
        if (there) {
            unsigned v = in[base + thread];
            unsigned add = __reduce_add_sync(mask, v), least = __reduce_min_sync(mask, v);
            unsigned most = __reduce_max_sync(mask, v), all = __reduce_and_sync(mask, v);
            unsigned any = __reduce_or_sync(mask, v), odd = __reduce_xor_sync(mask, v);
            int high = __reduce_max_sync(mask, (int)v), low = __reduce_min_sync(mask, (int)v);
            if (thread % 32 == __ffs(mask) - 1) {
                atomicAdd(&out[0], add);
                atomicMin(&out[1], least);
                atomicMax(&out[2], most);
                atomicAnd(&out[3], all);
                atomicOr(&out[4], any);
                atomicXor(&out[5], odd);
                atomicMax((int *)&out[6], high);
                atomicMin((int *)&out[7], low);
            }
        }
        __syncwarp();
    }
}

// Every thread adds for itself.
extern "C" __global__ void reduce_atomic(const int *in, long long *sum, int *range, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        atomicAdd((unsigned long long *)sum, (unsigned long long)(long long)in[i]);
        atomicMin(&range[0], in[i]);
        atomicMax(&range[1], in[i]);
    }
}

// Sums of tiles of 16 threads, and of the block.
extern "C" __global__ void reduce_groups(const int *in, int *out, int *tiles, unsigned count) {
    __shared__ int total;
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    if (block.thread_rank() == 0)
        total = 0;
    block.sync();
    int sum = 0;
    for (unsigned i = blockIdx.x * block.size() + block.thread_rank(); i < count; i += gridDim.x * block.size())
        sum += in[i];
    sum = cg::reduce(tile, sum, cg::plus<int>());
    if (tile.thread_rank() == 0) {
        tiles[blockIdx.x * tile.meta_group_size() + tile.meta_group_rank()] = sum;
        atomicAdd(&total, sum);
    }
    block.sync();
    if (block.thread_rank() == 0)
        out[blockIdx.x] = total;
}
