// Asynchronous bulk copies and mbarriers: libcu++'s barrier, and inline PTX.
// make: nvcc 90a 100a 103a 120 121a
// make: clang 90a
#ifndef __clang__
#include <cuda/barrier>
#include <cuda/ptx>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;

extern "C" __global__ void copy_barrier(int *data, int n) {
    __shared__ alignas(16) int tile[1024];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::memcpy_async(tile, data + blockIdx.x * 1024, cuda::aligned_size_t<16>(sizeof tile), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        tile[i] += n;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + blockIdx.x * 1024, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

extern "C" __global__ void ptx_wrappers(cuda::std::uint64_t *global, int *out) {
    __shared__ cuda::std::uint64_t bar, data[64];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 32);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    auto token = ptx::mbarrier_arrive(&bar);
    while (!ptx::mbarrier_try_wait(&bar, token))
        ;
    token = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 512);
    while (!ptx::mbarrier_test_wait(ptx::sem_acquire, ptx::scope_cta, &bar, token))
        ;
    while (!ptx::mbarrier_try_wait_parity(&bar, 1))
        ;
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, global, data, 512);
    ptx::fence(ptx::sem_acq_rel, ptx::scope_cluster);
    ptx::st_async(&data[0], (cuda::std::uint64_t)3, &bar);
    out[threadIdx.x] = ptx::get_sreg_smid() + ptx::get_sreg_laneid() + ptx::get_sreg_cluster_ctarank();
}
#endif

template <int STAGES> __device__ void ring(const float *in, float *out, int tiles) {
    __shared__ alignas(128) float stage[STAGES][256];
    __shared__ alignas(8) unsigned long long full[STAGES], empty[STAGES];
    unsigned f = (unsigned)__cvta_generic_to_shared(full), e = (unsigned)__cvta_generic_to_shared(empty);
    unsigned s = (unsigned)__cvta_generic_to_shared(stage);
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(f + 8 * i));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(e + 8 * i), "r"(blockDim.x - 32));
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            for (int t = 0; t < tiles; ++t) {
                int i = t % STAGES, phase = (t / STAGES) & 1;
                asm volatile("{\n\t.reg .pred p;\nWAIT_EMPTY_%=:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                             "@!p bra WAIT_EMPTY_%=;\n\t}" ::"r"(e + 8 * i), "r"(phase ^ 1) : "memory");
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(f + 8 * i), "r"(1024) : "memory");
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(s + 1024 * i),
                             "l"(in + 256 * t), "r"(1024), "r"(f + 8 * i) : "memory");
            }
    } else {
        float sum = 0;
        for (int t = 0; t < tiles; ++t) {
            int i = t % STAGES, phase = (t / STAGES) & 1;
            unsigned done;
            do
                asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2, 1000;\n\tselp.b32 %0, 1, 0, p;\n\t}"
                             : "=r"(done) : "r"(f + 8 * i), "r"(phase) : "memory");
            while (!done);
            for (int k = threadIdx.x - 32; k < 256; k += blockDim.x - 32)
                sum += stage[i][k];
            asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(e + 8 * i) : "memory");
        }
        out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    }
}
extern "C" __global__ void ring3(const float *in, float *out, int n) { ring<3>(in, out, n); }

extern "C" __global__ void mbarrier_forms(unsigned long long *out, const void *in, unsigned long long policy) {
    __shared__ alignas(16) unsigned long long bar[2];
    __shared__ alignas(128) char buffer[256];
    unsigned b = (unsigned)__cvta_generic_to_shared(bar), buf = (unsigned)__cvta_generic_to_shared(buffer), count;
    unsigned long long state;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(32));
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 3;" : "=l"(state) : "r"(b) : "memory");
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 64;" ::"r"(b) : "memory");
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 64;" ::"r"(b) : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], 2;" ::"r"(b) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], 128, [%2], %3;" ::"r"(buf), "l"(in), "r"(b), "l"(policy) : "memory");
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], 256;" ::"l"(in));
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [%0], [%1], 128;" ::"l"(out), "r"(buf) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%0], [%1], 128;" ::"l"(out), "r"(buf) : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 1;\n\tcp.async.bulk.wait_group.read 0;" ::: "memory");
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(b) : "memory");
    out[threadIdx.x] = state + count;
}
