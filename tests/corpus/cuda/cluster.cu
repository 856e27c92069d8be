// Thread block clusters: distributed shared memory, cluster barriers, cluster special registers.
// make: nvcc 90a 100a 103a 110a 120 121a
// make: clang 90a
#ifndef __clang__
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_sum(const int *in, int *out, int n) {
    __shared__ int part;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        part = 0;
    __syncthreads();
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    v = __reduce_add_sync(~0u, v);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(&part, v);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned r = 0; r < cluster.num_blocks(); ++r)
            sum += *cluster.map_shared_rank(&part, r);
        out[blockIdx.x / cluster.num_blocks()] = sum;
    }
    cluster.sync();
}

extern "C" __global__ void __cluster_dims__(2, 2, 1) cluster_histogram(const unsigned char *in, unsigned *bins, int n) {
    __shared__ unsigned s[64];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        s[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned b = in[i];
        atomicAdd(cluster.map_shared_rank(&s[b & 63], b >> 6), 1u);
    }
    cluster.barrier_arrive();
    cluster.barrier_wait();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * 64 + i], s[i]);
}

#endif

extern "C" __global__ void cluster_asm(unsigned *out) {
    __shared__ unsigned v[4];
    unsigned rank, size, x, y, z, mapped, local = (unsigned)__cvta_generic_to_shared(&v[1]), remote_rank, value;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    asm volatile("mov.u32 %0, %%cluster_ctaid.x; mov.u32 %1, %%cluster_nctaid.y; mov.u32 %2, %%clusterid.z;" : "=r"(x), "=r"(y), "=r"(z));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(local), "r"(size - 1 - rank));
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(remote_rank) : "r"(mapped));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(mapped), "r"(rank) : "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
    asm volatile("ld.shared::cluster.u32 %0, [%1+4];" : "=r"(value) : "r"(mapped) : "memory");
    asm volatile("atom.shared::cluster.relaxed.cluster.add.u32 %0, [%1], %2;" : "=r"(value) : "r"(mapped), "r"(x) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(mapped), "r"(x), "r"(mapped + 4) : "memory");
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.s32 [%0], {%1, %2}, [%3];" ::"r"(mapped), "r"(x), "r"(y), "r"(mapped + 8) : "memory");
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    out[threadIdx.x] = x + y + z + remote_rank + value;
}
