// Threads that do not come together. Each `_bug` has one planted bug, and its `_ok` none.
// bug: W0732 shuffle_source: a sum over a warp that is not full reads lanes that do not exist
// run: --kernel shuffle_source_bug --grid 1 --block 48 --arg u32[48]=iota --arg u32[2]=0
// run: --kernel shuffle_source_ok --grid 1 --block 48 --arg u32[48]=iota --arg u32[2]=0
// bug: W0732 shuffle_mask: a shuffle reads a lane that its mask does not name
// run: --kernel shuffle_mask_bug --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// run: --kernel shuffle_mask_ok --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// bug: W0719 outside_mask: a thread executes a shuffle with a mask that leaves it out
// run: --kernel outside_mask_bug --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// run: --kernel outside_mask_ok --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// bug: W0733 masks_differ: lanes give different masks that name each other
// run: --kernel masks_differ_bug --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// run: --kernel masks_differ_ok --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// bug: W0720 divergent_barrier: a barrier that a part of a warp reaches
// run: --kernel divergent_barrier_bug --grid 1 --block 32 --arg u32[32]=iota
// run: --kernel divergent_barrier_ok --grid 1 --block 32 --arg u32[32]=iota
// bug: W0720 exited_lanes: a part of a warp exits before a barrier
// run: --kernel exited_lanes_bug --grid 1 --block 64 --arg u32[64]=iota --arg u32=50
// run: --kernel exited_lanes_ok --grid 1 --block 64 --arg u32[64]=iota --arg u32=50
// bug: W0739 exited_warp: a whole warp exits before a barrier of the block
// run: --kernel exited_warp_bug --grid 1 --block 96 --arg u32[96]=iota --arg u32=64
// run: --kernel exited_warp_ok --grid 1 --block 96 --arg u32[96]=iota --arg u32=64
// bug: W0722 barrier_count: a barrier that counts more threads than come to it
// run: --kernel barrier_count_bug --grid 1 --block 96 --arg u32[96]=0
// run: --kernel barrier_count_ok --grid 1 --block 96 --arg u32[96]=0
// bug: W0721 barrier_counts: warps come to the same barrier with different numbers of threads
// run: --kernel barrier_counts_bug --grid 1 --block 96 --arg u32[96]=0
// run: --kernel barrier_counts_ok --grid 1 --block 96 --arg u32[96]=0
// bug: W0723 lock: a lock that its holder does not release
// run: --kernel lock_bug --grid 2 --block 1 --arg u32[1]=0 --arg u32[1]=0
// run: --kernel lock_ok --grid 2 --block 1 --arg u32[1]=0 --arg u32[1]=0

__device__ unsigned warp_sum(unsigned value, unsigned width) {
    for (unsigned by = width / 2; by > 0; by /= 2) value += __shfl_down_sync(0xffffffff, value, by);
    return value;
}
extern "C" __global__ void shuffle_source_bug(const unsigned *in, unsigned *out) {
    unsigned sum = warp_sum(in[threadIdx.x], 32);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}
extern "C" __global__ void shuffle_source_ok(const unsigned *in, unsigned *out) {
    unsigned sum = warp_sum(in[threadIdx.x], threadIdx.x < 32 ? 32 : 16);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

extern "C" __global__ void shuffle_mask_bug(const unsigned *in, unsigned *out) {
    if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffff, in[threadIdx.x], 20);
}
extern "C" __global__ void shuffle_mask_ok(const unsigned *in, unsigned *out) {
    if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffff, in[threadIdx.x], 10);
}

extern "C" __global__ void outside_mask_bug(const unsigned *in, unsigned *out) {
    out[threadIdx.x] = __shfl_xor_sync(0x7fffffff, in[threadIdx.x], 1);
}
extern "C" __global__ void outside_mask_ok(const unsigned *in, unsigned *out) {
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, in[threadIdx.x], 1);
}

extern "C" __global__ void masks_differ_bug(const unsigned *in, unsigned *out) {
    unsigned mask = threadIdx.x < 16 ? 0xffffffff : 0xfffffffe;
    unsigned value = in[threadIdx.x];
    if (threadIdx.x != 0 || mask == 0xffffffff) out[threadIdx.x] = __shfl_xor_sync(mask, value, 2);
}
extern "C" __global__ void masks_differ_ok(const unsigned *in, unsigned *out) {
    unsigned value = in[threadIdx.x];
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, value, 2);
}

extern "C" __global__ void divergent_barrier_bug(unsigned *data) {
    if (threadIdx.x < 16) {
        data[threadIdx.x] = 1;
        __syncthreads();
    } else {
        data[threadIdx.x] = data[threadIdx.x] * 3;
        __syncthreads();
        data[threadIdx.x] += 1;
    }
}
extern "C" __global__ void divergent_barrier_ok(unsigned *data) {
    if (threadIdx.x < 16) data[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x >= 16) data[threadIdx.x] += 1;
}

__device__ void scale(unsigned *data, unsigned n, bool leave) {
    __shared__ unsigned tile[96];
    unsigned t = threadIdx.x;
    if (leave && t >= n) return;
    if (t < n) tile[t] = data[t];
    __syncthreads();
    if (t < n) data[t] = tile[n - 1 - t];
}
extern "C" __global__ void exited_lanes_bug(unsigned *data, unsigned n) { scale(data, n, true); }
extern "C" __global__ void exited_lanes_ok(unsigned *data, unsigned n) { scale(data, n, false); }
extern "C" __global__ void exited_warp_bug(unsigned *data, unsigned n) { scale(data, n, true); }
extern "C" __global__ void exited_warp_ok(unsigned *data, unsigned n) { scale(data, n, false); }

__device__ void named(unsigned number, unsigned threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
extern "C" __global__ void barrier_count_bug(unsigned *data) {
    if (threadIdx.x < 64) named(1, 96);
    data[threadIdx.x] = 1;
}
extern "C" __global__ void barrier_count_ok(unsigned *data) {
    if (threadIdx.x < 64) named(1, 64);
    data[threadIdx.x] = 1;
}
extern "C" __global__ void barrier_counts_bug(unsigned *data) {
    named(1, threadIdx.x < 64 ? 96 : 64);
    data[threadIdx.x] = 1;
}
extern "C" __global__ void barrier_counts_ok(unsigned *data) {
    named(1, 96);
    data[threadIdx.x] = 1;
}

__device__ void count(unsigned *lock, unsigned *data, bool release) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *(volatile unsigned *)data += 1;
    __threadfence();
    if (release) atomicExch(lock, 0);
}
extern "C" __global__ void lock_bug(unsigned *lock, unsigned *data) { count(lock, data, false); }
extern "C" __global__ void lock_ok(unsigned *lock, unsigned *data) { count(lock, data, true); }
