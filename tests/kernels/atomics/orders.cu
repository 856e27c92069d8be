// Atomics of libcu++, with orders and scopes written out.
// make: nvcc 90
// run: --kernel relaxed_bins --grid 264 --block 256 --arg u8[1048576]=random:1 --arg u32[256]=0 --arg u32=1048576
// run: --kernel acquire_release_lock --grid 64 --block 32 --arg u32[1]=0 --arg u64[2]=0 --arg u32=1
// run: --kernel sequential_counter --grid 132 --block 64 --arg u32[16]=0 --arg u32=2
// run: --kernel float_max --grid 264 --block 256 --arg u32[1048576]=random:2 --arg f32[64]=0 --arg u32=1048576
// run: --kernel messages --grid 128 --block 32 --arg u32[64]=0 --arg u32=64
// run: --kernel fenced_messages --grid 128 --block 32 --arg u32[64]=0 --arg u32=64
// run: --kernel bytes --grid 132 --block 128 --arg u32[65536]=random:3 --arg u8[1024]=0 --arg u32=65536
#include <cuda/atomic>

template <typename T> using Device = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <typename T> using Block = cuda::atomic_ref<T, cuda::thread_scope_block>;

extern "C" __global__ void relaxed_bins(const unsigned char *data, unsigned *bins, unsigned count) {
    __shared__ unsigned mine[256];
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        Block<unsigned>(mine[data[i]]).fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        Device<unsigned>(bins[b]).fetch_add(mine[b], cuda::memory_order_relaxed);
}

extern "C" __global__ void acquire_release_lock(unsigned *word, unsigned long long *pair, unsigned rounds) {
    Device<unsigned> lock(*word);
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned expected = 0;
        while (!lock.compare_exchange_weak(expected, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed))
            expected = 0;
        unsigned by = blockIdx.x * blockDim.x + threadIdx.x + r;
        pair[0] += by;
        pair[1] += 2 * by;
        lock.store(0, cuda::memory_order_release);
    }
}

extern "C" __global__ void sequential_counter(unsigned *counters, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r)
        Device<unsigned>(counters[threadIdx.x % 16]).fetch_add(r + 1);
}

extern "C" __global__ void float_max(const unsigned *in, float *most, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        Device<float>(most[in[i] % 64]).fetch_max((float)(in[i] >> 8), cuda::memory_order_relaxed);
}

__device__ unsigned letters[64 * 32], flags[64];

// Blocks come in pairs: one sends, a letter of 32 words at a time, and one answers by taking the flag down.
extern "C" __global__ void messages(unsigned *sums, unsigned rounds) {
    unsigned pair = blockIdx.x / 2, lane = threadIdx.x;
    Device<unsigned> flag(flags[pair]);
    unsigned sum = 0;
    for (unsigned r = 0; r < rounds; ++r) {
        if (blockIdx.x % 2 == 0) {
            while (flag.load(cuda::memory_order_acquire) != 0)
                ;
            letters[pair * 32 + lane] = r * lane + pair;
            __syncwarp();
            if (lane == 0)
                flag.store(1, cuda::memory_order_release);
            __syncwarp();
        } else {
            while (flag.load(cuda::memory_order_acquire) != 1)
                ;
            sum += letters[pair * 32 + lane];
            __syncwarp();
            if (lane == 0)
                flag.store(0, cuda::memory_order_release);
            __syncwarp();
        }
    }
    if (blockIdx.x % 2 != 0)
        Device<unsigned>(sums[pair]).fetch_add(sum, cuda::memory_order_relaxed);
}

// The same with relaxed accesses between fences.
extern "C" __global__ void fenced_messages(unsigned *sums, unsigned rounds) {
    unsigned pair = blockIdx.x / 2, lane = threadIdx.x;
    Device<unsigned> flag(flags[pair]);
    unsigned sum = 0;
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned sends = blockIdx.x % 2 == 0;
        while (flag.load(cuda::memory_order_relaxed) == sends)
            ;
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        if (sends)
            letters[pair * 32 + lane] = r * lane + pair;
        else
            sum += letters[pair * 32 + lane];
        __syncwarp();
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        if (lane == 0)
            flag.store(sends, cuda::memory_order_relaxed);
        __syncwarp();
    }
    if (blockIdx.x % 2 != 0)
        Device<unsigned>(sums[pair]).fetch_add(sum, cuda::memory_order_relaxed);
}

extern "C" __global__ void bytes(const unsigned *in, unsigned char *sums, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        Device<unsigned char>(sums[in[i] % 1024]).fetch_add((unsigned char)(in[i] >> 24), cuda::memory_order_relaxed);
}
