// Objects of libcu++ and cooperative groups: barriers with tokens, semaphores, latches, waiting atomics, groups by label.
// make: nvcc 90 -std=c++17
// run: --kernel split_arrival --grid 1 --block 64 --arg u32[64]=random:1 --arg u32[64]=0 --arg u32=3 --print 1:16
// run: --kernel split_arrival --grid 2 --block 45 --arg u32[90]=iota --arg u32[90]=0 --arg u32=5 --print 1:16
// run: --kernel split_arrival --grid 1 --block 8,4,2 --arg u32[64]=random:2 --arg u32[64]=0 --arg u32=1 --print 1:16
// run: --kernel semaphore --grid 1 --block 32 --arg u32[2]=0 --arg u32=2 --print 0
// run: --kernel semaphore --grid 1 --block 100 --arg u32[2]=0 --arg u32=1 --print 0
// run: --kernel semaphore --grid 1 --block 5 --arg u32[2]=0 --arg u32=7 --print 0
// run: --kernel waiting_atomic --grid 1 --block 64 --arg u32[64]=0 --arg u32=4 --print 0:16
// run: --kernel waiting_atomic --grid 2 --block 33 --arg u32[66]=0 --arg u32=2 --print 0:16
// run: --kernel waiting_atomic --grid 1 --block 2 --arg u32[2]=0 --arg u32=9 --print 0
// run: --kernel latched --grid 1 --block 96 --arg u32[96]=random:3 --arg u32[96]=0 --print 1:16
// run: --kernel latched --grid 3 --block 40 --arg u32[120]=iota --arg u32[120]=0 --print 1:16
// run: --kernel latched --grid 1 --block 4,4 --arg u32[16]=random:4 --arg u32[16]=0 --print 1
// run: --kernel labelled --grid 1 --block 32 --arg u32[32]=random:5 --arg u32[32]=0 --print 1:16
// run: --kernel labelled --grid 2 --block 64 --arg u32[128]=iota --arg u32[128]=0 --print 1:16
// run: --kernel labelled --grid 1 --block 16,6 --arg u32[96]=random:6 --arg u32[96]=0 --print 1:16
// run: --kernel coalesced --grid 1 --block 64 --arg u32[64]=random:7 --arg u32[2]=0 --print 1
// run: --kernel coalesced --grid 2 --block 50 --arg u32[100]=random:8 --arg u32[2]=0 --print 1
// run: --kernel coalesced --grid 1 --block 32,3 --arg u32[96]=iota --arg u32[2]=0 --print 1
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/utility>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

__device__ unsigned thread_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }

// Arrives, does something else, and waits.
extern "C" __global__ void split_arrival(const unsigned *in, unsigned *out, unsigned rounds) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ unsigned box[2][64];
    unsigned t = thread_in_block(), size = block_size(), i = blockIdx.x * size + t, v = in[i];
    if (t == 0)
        init(&barrier, size);
    __syncthreads();
    for (unsigned r = 0; r < rounds; ++r) {
        box[r % 2][t] = v;
        auto token = barrier.arrive();
        v = v * 3 + r;
        barrier.wait(cuda::std::move(token));
        v ^= box[r % 2][(t + 1) % size];
    }
    out[i] = v;
}

// At most three threads of a block inside at once. out[0]: how often anyone was, out[1]: more than three seen.
extern "C" __global__ void semaphore(unsigned *out, unsigned rounds) {
    __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 3> places;
    __shared__ unsigned inside;
    if (threadIdx.x == 0) {
        new (&places) cuda::counting_semaphore<cuda::thread_scope_block, 3>(3);
        inside = 0;
    }
    __syncthreads();
    for (unsigned r = 0; r < rounds; ++r) {
        places.acquire();
        if (atomicAdd(&inside, 1) >= 3)
            atomicAdd(&out[1], 1);
        atomicAdd(&out[0], 1);
        atomicSub(&inside, 1);
        places.release();
    }
}

// The first thread announces rounds, the others wait for each and answer; it waits for all answers.
extern "C" __global__ void waiting_atomic(unsigned *out, unsigned rounds) {
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> round, answers;
    unsigned t = threadIdx.x, sum = 0;
    if (t == 0) {
        round.store(0);
        answers.store(0);
    }
    __syncthreads();
    for (unsigned r = 1; r <= rounds; ++r) {
        if (t == 0) {
            round.store(r, cuda::memory_order_release);
            round.notify_all();
            for (unsigned n; (n = answers.load(cuda::memory_order_acquire)) != r * (blockDim.x - 1);)
                answers.wait(n);
            sum += answers.load();
        } else {
            for (unsigned n; (n = round.load(cuda::memory_order_acquire)) < r;)
                round.wait(n);
            sum = sum * 7 + r + t;
            answers.fetch_add(1, cuda::memory_order_release);
            answers.notify_one();
        }
    }
    out[blockIdx.x * blockDim.x + t] = sum;
}

extern "C" __global__ void latched(const unsigned *in, unsigned *out) {
    using Latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ __align__(alignof(Latch)) char room[sizeof(Latch)];
    Latch &latch = *(Latch *)room;
    __shared__ unsigned box[96];
    unsigned t = thread_in_block(), size = block_size(), i = blockIdx.x * size + t;
    if (t == 0)
        new (room) Latch(size);
    __syncthreads();
    box[t] = in[i];
    latch.arrive_and_wait();
    out[i] = box[size - 1 - t] + 1;
}

// Lanes with equal values form a group. Whole warps.
extern "C" __global__ void labelled(const unsigned *in, unsigned *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned i = blockIdx.x * block_size() + thread_in_block(), v = in[i];
    cg::coalesced_group group = cg::labeled_partition(warp, v % 4);
    unsigned sum = cg::reduce(group, v, cg::plus<unsigned>()), place = cg::exclusive_scan(group, v % 10);
    out[i] = sum + place * 3 + group.thread_rank() * 5 + group.size();
}

// The lanes that happen to be together form a group, and one of them adds for all: the sums are the same for any groups.
extern "C" __global__ void coalesced(const unsigned *in, unsigned *out) {
    unsigned v = in[blockIdx.x * block_size() + thread_in_block()];
    if (v % 3 != 0) {
        cg::coalesced_group group = cg::coalesced_threads();
        unsigned sum = cg::reduce(group, v, cg::plus<unsigned>());
        if (group.thread_rank() == 0) {
            atomicAdd(&out[0], sum);
            atomicAdd(&out[1], group.size());
        }
    }
}
