// Asynchronous copies and mbarriers. Each `_bug` has one planted bug, and its `_ok` none.
// bug: W0737 copy_wait: the data of cp.async are read without a wait
// run: --kernel copy_wait_bug --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// run: --kernel copy_wait_ok --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// bug: W0737 copy_group: a wait that leaves the group in flight whose data are read
// run: --kernel copy_group_bug --grid 1 --block 64 --arg u32[128]=iota --arg u32[64]=0
// run: --kernel copy_group_ok --grid 1 --block 64 --arg u32[128]=iota --arg u32[64]=0
// bug: W0737 bulk_wait: the data of a bulk copy are read without waiting for its mbarrier
// run: --kernel bulk_wait_bug --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// run: --kernel bulk_wait_ok --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// bug: W0737 bulk_bytes: the bytes of a bulk copy are not announced to its mbarrier
// run: --kernel bulk_bytes_bug --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// run: --kernel bulk_bytes_ok --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// bug: W0738 proxy_fence: a bulk copy reads what threads wrote without a proxy fence
// run: --kernel proxy_fence_bug --grid 1 --block 64 --arg u32[64]=0
// run: --kernel proxy_fence_ok --grid 1 --block 64 --arg u32[64]=0
// bug: W0737 bulk_source: the source of a bulk copy is changed before it was read
// run: --kernel bulk_source_bug --grid 1 --block 64 --arg u32[128]=0
// run: --kernel bulk_source_ok --grid 1 --block 64 --arg u32[128]=0
// bug: W0724 arrivals: more arrivals at an mbarrier than a phase expects
// run: --kernel arrivals_bug --grid 1 --block 64 --arg u32[64]=0
// run: --kernel arrivals_ok --grid 1 --block 64 --arg u32[64]=0
// bug: W0722 phase: a wait for a phase of an mbarrier that is never over
// run: --kernel phase_bug --grid 1 --block 64 --arg u32[64]=0
// run: --kernel phase_ok --grid 1 --block 64 --arg u32[64]=0

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void copy(void *to, const void *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(to)), "l"(__cvta_generic_to_global(from)) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int LEFT> __device__ void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory"); }

extern "C" __global__ void copy_wait_bug(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[64];
    copy(tile + threadIdx.x, in + threadIdx.x);
    commit();
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void copy_wait_ok(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[64];
    copy(tile + threadIdx.x, in + threadIdx.x);
    commit();
    wait<0>();
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

template <int LEFT> __device__ void two_stages(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[2][64];
    unsigned t = threadIdx.x;
    copy(&tile[0][t], in + t);
    commit();
    copy(&tile[1][t], in + 64 + t);
    commit();
    wait<1>();
    __syncthreads();
    unsigned sum = tile[0][63 - t];
    wait<LEFT>();
    __syncthreads();
    out[t] = sum + tile[1][63 - t];
}
extern "C" __global__ void copy_group_bug(const unsigned *in, unsigned *out) { two_stages<1>(in, out); }
extern "C" __global__ void copy_group_ok(const unsigned *in, unsigned *out) { two_stages<0>(in, out); }

__device__ void start(unsigned long long *barrier, unsigned count) {
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(barrier)), "r"(count) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
}
__device__ void arrive(unsigned long long *barrier) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(at(barrier)) : "memory");
}
__device__ void expect(unsigned long long *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(barrier)), "r"(bytes) : "memory");
}
__device__ void wait_for(unsigned long long *barrier, unsigned parity) {
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at(barrier)), "r"(parity)
                     : "memory");
}
__device__ void load(void *to, const void *from, unsigned bytes, unsigned long long *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(at(barrier))
                 : "memory");
}

template <bool EXPECT, bool WAIT> __device__ void bulk(const unsigned *in, unsigned *out) {
    __shared__ __align__(16) unsigned tile[64];
    __shared__ unsigned long long barrier;
    start(&barrier, 1);
    if (threadIdx.x == 0) {
        if (EXPECT)
            expect(&barrier, 256);
        else
            arrive(&barrier);
        load(tile, in, 256, &barrier);
    }
    if (WAIT) wait_for(&barrier, 0);
    if (!WAIT) __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
    if (!WAIT) wait_for(&barrier, 0);
}
extern "C" __global__ void bulk_wait_bug(const unsigned *in, unsigned *out) { bulk<true, false>(in, out); }
extern "C" __global__ void bulk_wait_ok(const unsigned *in, unsigned *out) { bulk<true, true>(in, out); }
extern "C" __global__ void bulk_bytes_bug(const unsigned *in, unsigned *out) { bulk<false, true>(in, out); }
extern "C" __global__ void bulk_bytes_ok(const unsigned *in, unsigned *out) { bulk<true, true>(in, out); }

__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void store(void *to, const void *from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
                 "r"(at(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ void stored() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }

template <bool FENCE> __device__ void write_out(unsigned *out) {
    __shared__ __align__(16) unsigned tile[64];
    tile[threadIdx.x] = threadIdx.x;
    if (FENCE) fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        store(out, tile, 256);
        stored();
    }
}
extern "C" __global__ void proxy_fence_bug(unsigned *out) { write_out<false>(out); }
extern "C" __global__ void proxy_fence_ok(unsigned *out) { write_out<true>(out); }

template <bool WAIT> __device__ void write_twice(unsigned *out) {
    __shared__ __align__(16) unsigned tile[64];
    for (unsigned i = 0; i < 2; ++i) {
        tile[threadIdx.x] = threadIdx.x + i;
        fence();
        __syncthreads();
        if (threadIdx.x == 0) {
            store(out + 64 * i, tile, 256);
            if (WAIT) stored();
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) stored();
}
extern "C" __global__ void bulk_source_bug(unsigned *out) { write_twice<false>(out); }
extern "C" __global__ void bulk_source_ok(unsigned *out) { write_twice<true>(out); }

__device__ void meet(unsigned *out, unsigned count, unsigned phase) {
    __shared__ unsigned long long barrier;
    start(&barrier, count);
    arrive(&barrier);
    wait_for(&barrier, phase);
    out[threadIdx.x] = 1;
    __syncthreads();
}
extern "C" __global__ void arrivals_bug(unsigned *out) {
    __shared__ unsigned long long barrier;
    start(&barrier, 64);
    arrive(&barrier);
    if (threadIdx.x == 0) {
        unsigned long long state;
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 65;" : "=l"(state) : "r"(at(&barrier)) : "memory");
    }
    out[threadIdx.x] = 1;
}
extern "C" __global__ void arrivals_ok(unsigned *out) { meet(out, 64, 0); }
extern "C" __global__ void phase_bug(unsigned *out) { meet(out, 65, 0); }
extern "C" __global__ void phase_ok(unsigned *out) { meet(out, 64, 0); }
