// One pass of a radix sort: digit counts, ranks by ballots, scatter.
// make: nvcc 75 80 100a
// make: nvrtc 70
// make: clang 75 86

constexpr int RADIX_BITS = 4, BUCKETS = 1 << RADIX_BITS, ITEMS = 8, THREADS = 128;

extern "C" __global__ void __launch_bounds__(THREADS) radix_count(const unsigned *in, unsigned *counts, int shift, int n) {
    __shared__ unsigned c[BUCKETS];
    if (threadIdx.x < BUCKETS)
        c[threadIdx.x] = 0;
    __syncthreads();
    const int base = blockIdx.x * THREADS * ITEMS;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        int i = base + k * THREADS + threadIdx.x;
        if (i < n)
            atomicAdd(&c[(in[i] >> shift) & (BUCKETS - 1)], 1u);
    }
    __syncthreads();
    if (threadIdx.x < BUCKETS)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}

// Rank of this lane among the lanes that hold the same digit.
__device__ unsigned digit_rank(unsigned digit, unsigned &total) {
    unsigned same = ~0u;
#pragma unroll
    for (int b = 0; b < RADIX_BITS; ++b) {
        unsigned vote = __ballot_sync(~0u, (digit >> b) & 1);
        same &= ((digit >> b) & 1) ? vote : ~vote;
    }
    unsigned below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    total = __popc(same);
    return __popc(same & below);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    radix_scatter(const unsigned *in, const uint2 *values, unsigned *out, uint2 *values_out, const unsigned *offsets, int shift, int n) {
    __shared__ unsigned warp_counts[THREADS / 32][BUCKETS];
    __shared__ unsigned start[BUCKETS];
    const int warp = threadIdx.x >> 5;
    if (threadIdx.x < BUCKETS)
        start[threadIdx.x] = offsets[threadIdx.x * gridDim.x + blockIdx.x];
    for (int k = 0; k < ITEMS; ++k) {
        for (int i = threadIdx.x; i < THREADS / 32 * BUCKETS; i += THREADS)
            (&warp_counts[0][0])[i] = 0;
        __syncthreads();
        int i = blockIdx.x * THREADS * ITEMS + k * THREADS + threadIdx.x;
        unsigned key = i < n ? in[i] : ~0u, digit = (key >> shift) & (BUCKETS - 1), total;
        unsigned rank = digit_rank(digit, total);
        if (rank == 0)
            warp_counts[warp][digit] = total;
        __syncthreads();
        unsigned before = start[digit];
        for (int w = 0; w < warp; ++w)
            before += warp_counts[w][digit];
        if (i < n) {
            out[before + rank] = key;
            values_out[before + rank] = values[i];
        }
        __syncthreads();
        if (threadIdx.x < BUCKETS) {
            unsigned sum = 0;
#pragma unroll
            for (int w = 0; w < THREADS / 32; ++w)
                sum += warp_counts[w][threadIdx.x];
            start[threadIdx.x] += sum;
        }
    }
}
