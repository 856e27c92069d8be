// Open addressing with compare-and-swap, counters of 64 and 16 bits, values exchanged by 128-bit compare-and-swap.
// make: nvcc 90
// run: --kernel count_keys --grid 2 --block 64 --arg u32[256]=random:1 --arg u32[32]=0 --arg u32[1]=0 --arg u32=256 --print 1:16 --print 2
// run: --kernel count_keys --grid 1 --block 33 --arg u32[100]=iota --arg u32[32]=0 --arg u32[1]=0 --arg u32=100 --print 1:16 --print 2
// run: --kernel count_keys --grid 6 --block 20 --arg u32[500]=random:2 --arg u32[32]=0 --arg u32[1]=0 --arg u32=500 --print 1:16 --print 2
// run: --kernel set_of_pairs --grid 2 --block 32 --arg u32[128]=random:3 --arg u64[4]=0 --arg u32=128 --print 1
// run: --kernel set_of_pairs --grid 1 --block 100 --arg u32[300]=random:4 --arg u64[4]=0 --arg u32=300 --print 1
// run: --kernel set_of_pairs --grid 4 --block 8,2 --arg u32[64]=iota --arg u64[4]=0 --arg u32=64 --print 1
// run: --kernel wide_pair --grid 2 --block 32 --arg u64[128]=random:7 --arg u64[2]=0 --print 1
// run: --kernel wide_pair --grid 1 --block 50 --arg u64[100]=iota --arg u64[2]=5 --print 1
// run: --kernel wide_pair --grid 4 --block 3,3 --arg u64[72]=random:8 --arg u64[2]=0 --print 1
// run: --kernel narrow_atomics --grid 2 --block 48 --arg u16[8]=0 --arg u32=3 --print 0
// run: --kernel narrow_atomics --grid 1 --block 32 --arg u16[8]=1,2,3,4,5,6,7,8 --arg u32=5 --print 0
// run: --kernel narrow_atomics --grid 3 --block 5,5 --arg u16[8]=0 --arg u32=1 --print 0
// run: --kernel every_atomic --grid 1 --block 32 --arg u32[64]=random:5 --arg u32[16]=0 --arg u64[16]=0 --arg f32[4]=0 --arg f64[4]=0 --print 1 --print 2 --print 3 --print 4
// run: --kernel every_atomic --grid 3 --block 50 --arg u32[300]=random:6 --arg u32[16]=0xf0f0f0f0 --arg u64[16]=0xf0f0f0f0f0f0f0f0 --arg f32[4]=5 --arg f64[4]=5 --print 1 --print 2 --print 3 --print 4
// run: --kernel every_atomic --grid 2 --block 4,3,2 --arg u32[96]=iota --arg u32[16]=7 --arg u64[16]=7 --arg f32[4]=0 --arg f64[4]=0 --print 1 --print 2 --print 3 --print 4
#include <cuda/atomic>

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}
__device__ unsigned threads_of_grid() { return gridDim.x * blockDim.x * blockDim.y * blockDim.z; }

// Where a key lies depends on who came first, so the table is not among the results.
__device__ unsigned keys[64], numbers[64], done_with_keys;

// Counts the keys modulo 32 in a table, which the last block to finish empties into the result.
extern "C" __global__ void count_keys(const unsigned *in, unsigned *counts, unsigned *distinct, unsigned count) {
    __shared__ bool last;
    for (unsigned i = thread_in_grid(); i < count; i += threads_of_grid()) {
        unsigned key = in[i] % 32 + 1, slot = key * 2654435761u >> 26;
        for (;; slot = (slot + 1) % 64) {
            unsigned seen = atomicCAS(&keys[slot], 0, key);
            if (seen == 0)
                atomicAdd(distinct, 1);
            if (seen == 0 || seen == key)
                break;
        }
        atomicAdd(&numbers[slot], 1);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(&done_with_keys, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        for (unsigned slot = threadIdx.x; slot < 64; slot += blockDim.x) {
            unsigned key = atomicExch(&keys[slot], 0), number = atomicExch(&numbers[slot], 0);
            if (key != 0)
                counts[key - 1] = number;
        }
    }
}

// Sums over 64-bit words that hold two halves, changed together by compare-and-swap.
extern "C" __global__ void set_of_pairs(const unsigned *in, unsigned long long *pairs, unsigned count) {
    for (unsigned i = thread_in_grid(); i < count; i += threads_of_grid()) {
        unsigned long long *word = &pairs[in[i] % 4], seen = *(volatile unsigned long long *)word, assumed;
        do {
            assumed = seen;
            unsigned low = (unsigned)assumed + in[i], high = (unsigned)(assumed >> 32) ^ in[i];
            seen = atomicCAS(word, assumed, (unsigned long long)high << 32 | low);
        } while (seen != assumed);
    }
}

// The same over 128 bits.
extern "C" __global__ void wide_pair(const unsigned long long *in, ulonglong2 *pair) {
    unsigned i = thread_in_grid();
    ulonglong2 seen = make_ulonglong2(0, 0), assumed;
    do {
        assumed = seen;
        asm volatile("{ .reg .b128 expected, wanted, found;\n"
                     "mov.b128 expected, {%2, %3}; mov.b128 wanted, {%4, %5};\n"
                     "atom.relaxed.gpu.global.cas.b128 found, [%6], expected, wanted;\n"
                     "mov.b128 {%0, %1}, found; }"
                     : "=l"(seen.x), "=l"(seen.y)
                     : "l"(assumed.x), "l"(assumed.y), "l"(assumed.x + in[2 * i]), "l"(assumed.y ^ in[2 * i + 1]),
                       "l"(__cvta_generic_to_global(pair))
                     : "memory");
    } while (seen.x != assumed.x || seen.y != assumed.y);
}

// 16-bit compare-and-swap, and words of 8 bits through libcu++.
extern "C" __global__ void narrow_atomics(unsigned short *words, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned short *word = &words[thread_in_grid() % 6], seen = *(volatile unsigned short *)word, assumed;
        do {
            assumed = seen;
            seen = atomicCAS(word, assumed, (unsigned short)(assumed + thread_in_grid() + r));
        } while (seen != assumed);
        cuda::atomic_ref<unsigned char, cuda::thread_scope_device> byte(*((unsigned char *)&words[6] + thread_in_grid() % 4));
        byte.fetch_add(3);
    }
}

// Every atomic operation whose result does not depend on the order; floats add whole numbers.
extern "C" __global__ void every_atomic(const unsigned *in, unsigned *words, unsigned long long *longs, float *floats,
                                        double *doubles) {
    unsigned i = thread_in_grid(), a = in[2 * i], b = in[2 * i + 1];
    unsigned long long both = (unsigned long long)a << 32 | b;
    atomicAdd(&words[0], a);
    atomicSub(&words[1], b);
    atomicMin(&words[2], a);
    atomicMax(&words[3], a);
    atomicMin((int *)&words[4], (int)a);
    atomicMax((int *)&words[5], (int)a);
    atomicAnd(&words[6], a | 0xf);
    atomicOr(&words[7], a & b);
    atomicXor(&words[8], a);
    atomicInc(&words[9], 100);
    atomicDec(&words[10], 1000);
    if (blockIdx.x == 0)
        atomicAdd_block(&words[11], b);
    atomicAdd_system(&words[12], b);
    atomicExch(&words[13], 99);
    atomicCAS(&words[14], 0xffffffff, 1);
    atomicAdd(&longs[0], both);
    atomicMin(&longs[1], both);
    atomicMax(&longs[2], both);
    atomicMin((long long *)&longs[3], (long long)both);
    atomicMax((long long *)&longs[4], (long long)both);
    atomicAnd(&longs[5], both | 0xff);
    atomicOr(&longs[6], both);
    atomicXor(&longs[7], both);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(longs[8]).fetch_sub(both, cuda::memory_order_seq_cst);
    cuda::atomic_ref<long long, cuda::thread_scope_device>(((long long *)longs)[9]).fetch_max((long long)both, cuda::memory_order_acq_rel);
    atomicAdd(&floats[0], (float)(a % 256));
    atomicAdd(&floats[1], -(float)(b % 16) * 0.5f);
    cuda::atomic_ref<float, cuda::thread_scope_device>(floats[2]).fetch_add((float)(a % 64));
    atomicAdd(&doubles[0], (double)(a & 0xffffff));
    cuda::atomic_ref<double, cuda::thread_scope_device>(doubles[1]).fetch_max((double)b);
}
