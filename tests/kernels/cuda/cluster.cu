// Clusters: distributed shared memory, barriers of the cluster, mbarriers in other blocks, asynchronous stores.
// make: nvcc 90
// run: --kernel cluster_reduce --grid 4 --block 64 --arg u32[1000]=random:1 --arg u32[1]=0 --arg u32=1000 --print 1
// run: --kernel cluster_reduce --grid 8 --block 32 --arg u32[500]=iota --arg u32[2]=0 --arg u32=500 --print 1
// run: --kernel cluster_reduce --grid 12 --block 100 --arg u32[3000]=random:2 --arg u32[3]=0 --arg u32=3000 --print 1
// run: --kernel cluster_histogram --grid 2 --block 64 --cluster 2 --arg u8[1000]=random:3 --arg u32[256]=0 --arg u32=1000 --print 1:16
// run: --kernel cluster_histogram --grid 8 --block 32 --cluster 4 --arg u8[2000]=random:4 --arg u32[256]=0 --arg u32=2000 --print 1:16
// run: --kernel cluster_histogram --grid 8 --block 48 --cluster 8 --arg u8[777]=iota --arg u32[256]=0 --arg u32=777 --print 1:16
// run: --kernel cluster_ring --grid 4 --block 32 --cluster 4 --arg u32[128]=iota --arg u32[128]=0 --print 1:16
// run: --kernel cluster_ring --grid 4,2 --block 17 --cluster 2,2 --arg u32[136]=random:5 --arg u32[136]=0 --print 1:16
// run: --kernel cluster_ring --grid 3 --block 64 --cluster 1 --arg u32[192]=random:6 --arg u32[192]=0 --print 1:16
// run: --kernel cluster_places --grid 4,2,2 --block 3 --cluster 2,2,1 --arg u32[768]=0 --print 0:16
// run: --kernel cluster_places --grid 8 --block 1 --cluster 8 --arg u32[128]=0 --print 0:16
// run: --kernel cluster_places --grid 2,3,2 --block 2,2 --cluster 1,3,2 --arg u32[768]=0 --print 0:16
// run: --kernel cluster_remote_arrive --grid 2 --block 32 --cluster 2 --arg u32[64]=random:7 --arg u32[2]=0 --print 1
// run: --kernel cluster_remote_arrive --grid 8 --block 64 --cluster 4 --arg u32[512]=iota --arg u32[8]=0 --print 1
// run: --kernel cluster_remote_arrive --grid 6 --block 33 --cluster 3 --arg u32[198]=random:8 --arg u32[6]=0 --print 1
// run: --kernel cluster_async_store --grid 2 --block 32 --cluster 2 --arg u32[64]=random:9 --arg u32[64]=0 --print 1:16
// run: --kernel cluster_async_store --grid 4 --block 96 --cluster 4 --arg u32[384]=iota --arg u32[384]=0 --print 1:16
// run: --kernel cluster_async_store --grid 8 --block 40 --cluster 2 --arg u32[320]=random:10 --arg u32[320]=0 --print 1:16
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ unsigned block_in_grid() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }

// One result for each cluster of four blocks.
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_reduce(const unsigned *in, unsigned *out, unsigned count) {
    __shared__ unsigned sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    unsigned mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        mine += in[i];
    atomicAdd(&sum, mine);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
            total += *cluster.map_shared_rank(&sum, rank);
        out[blockIdx.x / 4] = total;
    }
    cluster.sync();
}

// The bins are spread over the blocks of the cluster, and everyone adds to all of them.
extern "C" __global__ void cluster_histogram(const unsigned char *data, unsigned *bins, unsigned count) {
    __shared__ unsigned mine[256];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned each = 256 / cluster.num_blocks();
    for (unsigned b = threadIdx.x; b < each; b += blockDim.x)
        mine[b] = 0;
    cluster.sync();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(cluster.map_shared_rank(&mine[data[i] % each], data[i] / each), 1);
    cluster.sync();
    for (unsigned b = threadIdx.x; b < each; b += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * each + b], mine[b]);
}

// Values go once around the cluster, a block at a time; arrive and wait are apart.
extern "C" __global__ void cluster_ring(const unsigned *in, unsigned *out) {
    __shared__ unsigned box[2][64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, i = block_in_grid() * blockDim.x + t, size = cluster.num_blocks();
    unsigned next = (cluster.block_rank() + 1) % size, sum = 0;
    box[0][t] = in[i];
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    sum = t;
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    for (unsigned step = 0; step < size; ++step) {
        unsigned value = box[step % 2][t];
        sum = sum * 3 + value;
        cluster.map_shared_rank(&box[(step + 1) % 2][0], next)[t] = value;
        cluster.sync();
    }
    out[i] = sum;
}

// Sixteen words for each thread: what the special registers of the cluster say.
extern "C" __global__ void cluster_places(unsigned *out) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y;
    out += (block_in_grid() * blockDim.x * blockDim.y + t) * 16;
#define READ(n, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(out[n]))
    READ(0, "clusterid.x");
    READ(1, "clusterid.y");
    READ(2, "clusterid.z");
    READ(3, "nclusterid.x");
    READ(4, "nclusterid.y");
    READ(5, "nclusterid.z");
    READ(6, "cluster_ctaid.x");
    READ(7, "cluster_ctaid.y");
    READ(8, "cluster_ctaid.z");
    READ(9, "cluster_nctaid.x");
    READ(10, "cluster_nctaid.y");
    READ(11, "cluster_nctaid.z");
    READ(12, "cluster_ctarank");
    READ(13, "cluster_nctarank");
    READ(14, "ctaid.x");
    asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(out[15]));
}

__device__ void wait_for(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;"
                 " @!done bra again; }" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

// All threads of the cluster arrive at the mbarrier of each block, after adding to its word.
extern "C" __global__ void cluster_remote_arrive(const unsigned *in, unsigned *out) {
    __shared__ unsigned long long barrier;
    __shared__ unsigned sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        sum = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(cluster.num_threads())
                     : "memory");
    }
    cluster.sync();
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) {
        atomicAdd(cluster.map_shared_rank(&sum, rank), in[blockIdx.x * blockDim.x + threadIdx.x] * (rank + 1));
        asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;"
                     " mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(shared_address(&barrier)),
                     "r"(rank)
                     : "memory");
    }
    wait_for(shared_address(&barrier), 0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = *(volatile unsigned *)&sum;
    cluster.sync();
}

// Each thread stores its value into the next block; the store itself completes a part of the transaction there.
extern "C" __global__ void cluster_async_store(const unsigned *in, unsigned *out) {
    __shared__ unsigned long long barrier;
    __shared__ unsigned box[128];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
                     "r"(blockDim.x * 4)
                     : "memory");
    }
    cluster.sync();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks(), remote_box, remote_barrier;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote_box) : "r"(shared_address(&box[t])), "r"(next));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote_barrier) : "r"(shared_address(&barrier)), "r"(next));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(remote_box),
                 "r"(in[i] + next), "r"(remote_barrier)
                 : "memory");
    wait_for(shared_address(&barrier), 0);
    out[i] = *(volatile unsigned *)&box[t];
    cluster.sync();
}
