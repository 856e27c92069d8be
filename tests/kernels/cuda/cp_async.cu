// Asynchronous copies of single threads: double buffers by hand, through libcu++, tied to an mbarrier.
// make: nvcc 90
// run: --kernel copy_double_buffer --grid 1 --block 32 --arg u32[512]=iota --arg u32[128]=0 --arg u32=4 --print 1:8
// run: --kernel copy_double_buffer --grid 3 --block 64 --arg u32[5376]=random:1 --arg u32[768]=0 --arg u32=7 --print 1:8
// run: --kernel copy_double_buffer --grid 2 --block 7,3 --arg u32[168]=random:2 --arg u32[168]=0 --arg u32=1 --print 1:8
// run: --kernel copy_sizes --grid 1 --block 32 --arg u8[500]=iota --arg u8[1536]=0 --arg u32=500 --print 1:16
// run: --kernel copy_sizes --grid 2 --block 40 --arg u8[1000]=random:3 --arg u8[3840]=0 --arg u32=1000 --print 1:16
// run: --kernel copy_sizes --grid 1 --block 5 --arg u8[79]=random:4 --arg u8[240]=0 --arg u32=79 --print 1:16
// run: --kernel copy_with_barrier --grid 1 --block 64 --arg u64[128]=iota --arg u64[128]=0 --arg u32=2 --print 1:8
// run: --kernel copy_with_barrier --grid 2 --block 33 --arg u64[264]=random:5 --arg u64[264]=0 --arg u32=4 --print 1:8
// run: --kernel copy_with_barrier --grid 3 --block 128 --arg u64[1152]=random:6 --arg u64[1152]=0 --arg u32=3 --print 1:8
// run: --kernel copy_pipeline --grid 1 --block 32 --arg f32[320]=iota --arg f32[32]=0 --arg u32=10 --print 1:8
// run: --kernel copy_pipeline --grid 2 --block 96 --arg f32[960]=iota --arg f32[192]=0 --arg u32=5 --print 1:8
// run: --kernel copy_pipeline --grid 4 --block 20 --arg f32[240]=iota --arg f32[80]=0 --arg u32=3 --print 1:8
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Sums of tiles of four words a thread; a thread reads what its neighbour has copied.
extern "C" __global__ void copy_double_buffer(const uint4 *in, uint4 *out, unsigned tiles) {
    __shared__ uint4 tile[2][64];
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    in += blockIdx.x * tiles * size;
    auto copy = [&](unsigned n) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&tile[n % 2][t])),
                     "l"(__cvta_generic_to_global(in + n * size + t))
                     : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    uint4 sum = make_uint4(0, 0, 0, 0);
    copy(0);
    for (unsigned n = 0; n < tiles; ++n) {
        if (n + 1 < tiles) {
            copy(n + 1);
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        __syncthreads();
        uint4 v = tile[n % 2][(t + 1) % size];
        sum = make_uint4(sum.x * 5 + v.x, sum.y * 5 + v.y, sum.z * 5 + v.z, sum.w * 5 + v.w);
        __syncthreads();
    }
    out[blockIdx.x * size + t] = sum;
}

// 4, 8 and 16 bytes a thread, cut off at the end of the data: what is beyond becomes zero.
extern "C" __global__ void copy_sizes(const unsigned char *in, unsigned char *out, unsigned bytes) {
    __shared__ __align__(16) unsigned char box[3][64 * 16];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    auto left = [&](unsigned at, unsigned size) { return at >= bytes ? 0 : min(bytes - at, size); };
    for (int k = 0; k < 16; ++k)
        box[0][t * 16 + k] = box[1][t * 16 + k] = box[2][t * 16 + k] = 0xee;
    // An address beyond the end is not read; the beginning stands in for it.
    auto from = [&](unsigned at) { return __cvta_generic_to_global(in + (at < bytes ? at : 0)); };
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(&box[0][t * 16])), "l"(from(i * 4)),
                 "r"(left(i * 4, 4))
                 : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared_address(&box[1][t * 16])), "l"(from(i * 8)),
                 "r"(left(i * 8, 8))
                 : "memory");
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(&box[2][t * 16])), "l"(from(i * 16)),
                 "r"(left(i * 16, 16))
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (int b = 0; b < 3; ++b)
        for (int k = 0; k < 16; ++k)
            out[i * 48 + b * 16 + k] = box[b][t * 16 + k];
}

// Copies arrive at an mbarrier for the thread that made them.
extern "C" __global__ void copy_with_barrier(const unsigned long long *in, unsigned long long *out, unsigned tiles) {
    __shared__ unsigned long long tile[128], barrier;
    unsigned t = threadIdx.x, size = blockDim.x, at = shared_address(&barrier);
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(size) : "memory");
    __syncthreads();
    for (unsigned n = 0; n < tiles; ++n) {
        unsigned i = (blockIdx.x * tiles + n) * size;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared_address(&tile[t])),
                     "l"(__cvta_generic_to_global(in + i + t))
                     : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at) : "memory");
        asm volatile("{ .reg .pred done; again: mbarrier.test_wait.parity.shared::cta.b64 done, [%0], %1;"
                     " @!done bra again; }" ::"r"(at),
                     "r"(n % 2)
                     : "memory");
        out[i + t] = tile[size - 1 - t] + n;
        __syncthreads();
    }
}

// Three stages of cuda::pipeline, each thread for itself. Sums of whole numbers.
extern "C" __global__ void copy_pipeline(const float *in, float *out, unsigned tiles) {
    __shared__ float stage[3][96];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    unsigned t = threadIdx.x, size = blockDim.x;
    in += blockIdx.x * tiles * size;
    float sum = 0;
    for (unsigned copied = 0, used = 0; used < tiles; ++used) {
        for (; copied < tiles && copied < used + 3; ++copied) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[copied % 3][t], in + copied * size + t, sizeof(float), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[used % 3][t];
        pipe.consumer_release();
    }
    out[blockIdx.x * size + t] = sum;
}
