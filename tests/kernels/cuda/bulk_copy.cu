// Bulk asynchronous copies: into shared memory with an mbarrier that counts bytes, out of it in groups, between blocks.
// make: nvcc 90
// run: --kernel bulk_pipeline --grid 1 --block 64 --arg u32[512]=iota --arg u32[512]=0 --arg u32=8 --print 1:8
// run: --kernel bulk_pipeline --grid 3 --block 128 --arg u32[2304]=random:1 --arg u32[2304]=0 --arg u32=6 --print 1:8
// run: --kernel bulk_pipeline --grid 2 --block 36 --arg u32[360]=random:2 --arg u32[360]=0 --arg u32=5 --print 1:8
// run: --kernel bulk_add --grid 4 --block 64 --arg u32[256]=random:3 --arg u32[64]=0 --print 1:8
// run: --kernel bulk_add --grid 9 --block 32 --arg u32[288]=iota --arg u32[32]=5 --print 1:8
// run: --kernel bulk_add --grid 2 --block 20 --arg u32[40]=random:4 --arg u32[20]=0 --print 1:8
// run: --kernel bulk_to_neighbour --grid 2 --block 32 --cluster 2 --arg u32[64]=iota --arg u32[64]=0 --print 1:8
// run: --kernel bulk_to_neighbour --grid 8 --block 64 --cluster 4 --arg u32[512]=random:5 --arg u32[512]=0 --print 1:8
// run: --kernel bulk_to_neighbour --grid 3 --block 48 --cluster 3 --arg u32[144]=random:6 --arg u32[144]=0 --print 1:8
// run: --kernel bulk_multicast --grid 2 --block 32 --cluster 2 --arg u32[32]=random:7 --arg u32[64]=0 --print 1:8
// run: --kernel bulk_multicast --grid 8 --block 64 --cluster 4 --arg u32[128]=iota --arg u32[512]=0 --print 1:8
// run: --kernel bulk_multicast --grid 6 --block 16 --cluster 3 --arg u32[32]=random:8 --arg u32[96]=0 --print 1:8
// run: --kernel bulk_by_library --grid 2 --block 64 --arg u32[256]=random:9 --arg u32[256]=0 --arg u32=2 --print 1:8
// run: --kernel bulk_by_library --grid 1 --block 32 --arg u32[160]=iota --arg u32[160]=0 --arg u32=5 --print 1:8
// run: --kernel bulk_by_library --grid 4 --block 100 --arg u32[1200]=random:10 --arg u32[1200]=0 --arg u32=3 --print 1:8
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
namespace cg = cooperative_groups;

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

__device__ void expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ void load(unsigned to, const void *from, unsigned bytes, unsigned barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier)
                 : "memory");
}

__device__ void wait_for(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;"
                 " @!done bra again; }" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

// Each block takes `tiles` tiles of a word a thread: two are on their way in while one is worked on; results go out
// from another buffer. Blocks have a multiple of four threads, so that tiles are multiples of 16 bytes.
extern "C" __global__ void bulk_pipeline(const unsigned *in, unsigned *out, unsigned tiles) {
    __shared__ __align__(128) unsigned incoming[2][128], outgoing[2][128];
    __shared__ unsigned long long full[2], empty[2];
    unsigned t = threadIdx.x, size = blockDim.x, bytes = size * 4;
    in += blockIdx.x * tiles * size;
    out += blockIdx.x * tiles * size;
    if (t == 0) {
        for (int s = 0; s < 2; ++s) {
            init(shared_address(&full[s]), 1);
            init(shared_address(&empty[s]), size);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t == 0)
        for (unsigned s = 0; s < 2 && s < tiles; ++s) {
            expect(shared_address(&full[s]), bytes);
            load(shared_address(incoming[s]), in + s * size, bytes, shared_address(&full[s]));
        }
    for (unsigned tile = 0; tile < tiles; ++tile) {
        unsigned s = tile % 2, phase = tile / 2 % 2;
        wait_for(shared_address(&full[s]), phase);
        unsigned v = incoming[s][(t + 1) % size] * 2 + incoming[s][t];
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&empty[s])) : "memory");
        if (t == 0 && tile >= 2)
            asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        __syncthreads();
        outgoing[s][t] = v;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                             __cvta_generic_to_global(out + tile * size)),
                         "r"(shared_address(outgoing[s])), "r"(bytes)
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            if (tile + 2 < tiles) {
                wait_for(shared_address(&empty[s]), phase);
                expect(shared_address(&full[s]), bytes);
                load(shared_address(incoming[s]), in + (tile + 2) * size, bytes, shared_address(&full[s]));
            }
        }
    }
    if (t == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Every block adds its row to the same result, as one copy.
extern "C" __global__ void bulk_add(const unsigned *in, unsigned *out) {
    __shared__ __align__(128) unsigned row[64];
    row[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(
                         __cvta_generic_to_global(out)),
                     "r"(shared_address(row)), "r"(blockDim.x * 4)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// Shared memory of one block to that of the next in the cluster.
extern "C" __global__ void bulk_to_neighbour(const unsigned *in, unsigned *out) {
    __shared__ __align__(128) unsigned own[64], box[64];
    __shared__ unsigned long long full;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, bytes = blockDim.x * 4;
    own[t] = in[i] ^ t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (t == 0) {
        init(shared_address(&full), 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        expect(shared_address(&full), bytes);
    }
    cluster.sync();
    if (t == 0) {
        unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks(), to, barrier;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(box)), "r"(next));
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier) : "r"(shared_address(&full)), "r"(next));
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                     "r"(shared_address(own)), "r"(bytes), "r"(barrier)
                     : "memory");
    }
    wait_for(shared_address(&full), 0);
    out[i] = box[t];
    cluster.sync();
}

// One read of global memory for all blocks of a cluster.
extern "C" __global__ void bulk_multicast(const unsigned *in, unsigned *out) {
    __shared__ __align__(128) unsigned box[64];
    __shared__ unsigned long long full;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, bytes = blockDim.x * 4;
    if (t == 0) {
        init(shared_address(&full), 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        expect(shared_address(&full), bytes);
    }
    cluster.sync();
    if (t == 0 && cluster.block_rank() == 0) {
        const unsigned *from = in + blockIdx.x / cluster.num_blocks() * blockDim.x;
        unsigned short all = (1 << cluster.num_blocks()) - 1;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                     " [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(box)),
                     "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(&full)), "h"(all)
                     : "memory");
    }
    wait_for(shared_address(&full), 0);
    out[blockIdx.x * blockDim.x + t] = box[t] + cluster.block_rank();
    cluster.sync();
}

// The same through libcu++: cuda::barrier, memcpy_async with a known alignment.
extern "C" __global__ void bulk_by_library(const unsigned *in, unsigned *out, unsigned tiles) {
    __shared__ __align__(128) unsigned tile[128];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    for (unsigned n = 0; n < tiles; ++n) {
        unsigned base = (blockIdx.x * tiles + n) * blockDim.x;
        if (threadIdx.x == 0)
            cuda::memcpy_async(tile, in + base, cuda::aligned_size_t<16>(blockDim.x * 4), barrier);
        barrier.arrive_and_wait();
        out[base + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
        __syncthreads();
    }
}
