// cp.async pipelines: the cuda::pipeline and __pipeline interfaces, and inline PTX.
// make: nvcc 80 86 90a 120
// make: clang 80
#include <cuda_pipeline_primitives.h>
#ifndef __clang__
#include <cooperative_groups.h>
#include <cuda/pipeline>

extern "C" __global__ void pipeline_object(const float4 *in, float4 *out, int tiles) {
    __shared__ float4 stage[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int t = 0, fetched = 0; t < tiles; ++t) {
        for (; fetched < tiles && fetched < t + 2; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[fetched % 2], in + fetched * 128, cuda::aligned_size_t<16>(sizeof(float4) * 128), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        float4 v = stage[t % 2][threadIdx.x];
        v.x += v.w;
        out[t * 128 + threadIdx.x] = v;
        pipe.consumer_release();
    }
}
#endif

extern "C" __global__ void pipeline_calls(const int4 *in, int4 *out, int tiles) {
    __shared__ int4 stage[4][128];
    for (int s = 0; s < 3; ++s) {
        __pipeline_memcpy_async(&stage[s][threadIdx.x], in + s * 128 + threadIdx.x, 16);
        __pipeline_commit();
    }
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(2);
        __syncthreads();
        int4 v = stage[t % 4][threadIdx.x ^ 1];
        out[t * 128 + threadIdx.x] = v;
        if (t + 3 < tiles)
            __pipeline_memcpy_async(&stage[(t + 3) % 4][threadIdx.x], in + (t + 3) * 128 + threadIdx.x, 16);
        __pipeline_commit();
    }
}

extern "C" __global__ void copy_forms(const char *in, int *out, int bytes, unsigned long long policy) {
    __shared__ alignas(16) char s[4096];
    __shared__ unsigned long long bar;
    unsigned to = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * 16, b = (unsigned)__cvta_generic_to_shared(&bar);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in) : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(in), "r"(bytes) : "memory");
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in) : "memory");
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(in), "r"(bytes) : "memory");
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(to), "l"(in), "l"(policy) : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(b) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(b) : "memory");
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;\n\tcp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
