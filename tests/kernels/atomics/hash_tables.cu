// Hash tables filled by compare-and-swap. Larger keys displace smaller ones, so that the table does not depend on
// the order in which keys come.
// make: nvcc 90
// run: --kernel insert_long --grid 264 --block 256 --arg u64[131072]=random:1 --arg u64[262144]=0 --arg u32=131072
// run: --kernel insert_int --grid 264 --block 256 --arg u32[131072]=random:2 --arg u32[262144]=0 --arg u32=131072
// run: --kernel join --grid 132 --block 256 --arg u32[65536]=random:3 --arg u32[1048576]=random:3 --arg u32[2]=0 --arg u32=1048576
// run: --kernel count_words --grid 264 --block 256 --arg u32[524288]=random:5 --arg u32[2048]=0 --arg u32=524288

extern "C" __global__ void insert_long(const unsigned long long *in, unsigned long long *table, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        unsigned long long key = in[i] | 1;
        unsigned slot = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 46);
        while (key != 0) {
            unsigned long long seen = *(volatile unsigned long long *)&table[slot];
            if (seen == key)
                break;
            if (seen < key) {
                if (atomicCAS(&table[slot], seen, key) != seen)
                    continue;
                key = seen;
            }
            slot = (slot + 1) & 262143;
        }
    }
}

extern "C" __global__ void insert_int(const unsigned *in, unsigned *table, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        unsigned key = in[i] | 1, slot = key * 2654435761u >> 14;
        while (key != 0) {
            // What was there comes back, and is the next to be placed if it is smaller.
            unsigned seen = atomicMax(&table[slot], key);
            if (seen == key)
                break;
            key = min(seen, key);
            slot = (slot + 1) & 262143;
        }
    }
}

// Each block has a table in shared memory of its part of one side, and looks all of a part of the other up.
extern "C" __global__ void join(const unsigned *left, const unsigned *right, unsigned *found, unsigned count) {
    __shared__ unsigned long long table[1024];
    __shared__ unsigned hits;
    for (unsigned s = threadIdx.x; s < 1024; s += blockDim.x)
        table[s] = 0;
    if (threadIdx.x == 0)
        hits = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 496; i += blockDim.x) {
        unsigned value = left[(blockIdx.x * 496 + i) & 65535];
        unsigned long long pair = (unsigned long long)value << 32 | i | 0x80000000u;
        for (unsigned slot = value * 2654435761u >> 22;; slot = (slot + 1) & 1023)
            if (atomicCAS(&table[slot], 0, pair) == 0)
                break;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) {
        unsigned value = right[(blockIdx.x * 496 + i) & (count - 1)];
        for (unsigned slot = value * 2654435761u >> 22; table[slot] != 0; slot = (slot + 1) & 1023)
            if (table[slot] >> 32 == value)
                atomicAdd(&hits, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&found[0], hits);
    if (threadIdx.x == 0)
        atomicMax(&found[1], hits);
}

// Counts in shared tables, which are added to the result by key.
extern "C" __global__ void count_words(const unsigned *in, unsigned *counts, unsigned count) {
    __shared__ unsigned keys[4096], numbers[4096];
    for (unsigned s = threadIdx.x; s < 4096; s += blockDim.x)
        keys[s] = 0, numbers[s] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        unsigned key = in[i] % 2048 + 1;
        for (unsigned slot = key * 2654435761u >> 20;; slot = (slot + 1) % 4096) {
            unsigned seen = atomicCAS(&keys[slot], 0, key);
            if (seen == 0 || seen == key) {
                atomicAdd(&numbers[slot], 1);
                break;
            }
        }
    }
    __syncthreads();
    for (unsigned s = threadIdx.x; s < 4096; s += blockDim.x)
        if (keys[s] != 0)
            atomicAdd(&counts[keys[s] - 1], numbers[s]);
}
