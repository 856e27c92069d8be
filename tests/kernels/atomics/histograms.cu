// Histograms: in global memory, in shared memory first, in bytes that compare-and-swap changes, and weighted.
// make: nvcc 90
// run: --kernel global_bins --grid 264 --block 256 --arg u8[4194304]=random:1 --arg u32[256]=0 --arg u32=4194304
// run: --kernel global_bins --grid 132 --block 256 --arg u8[524288]=7 --arg u32[256]=0 --arg u32=524288
// run: --kernel shared_bins --grid 264 --block 256 --arg u8[4194304]=random:2 --arg u32[256]=0 --arg u32=4194304
// run: --kernel shared_bins --grid 264 --block 256 --arg u8[4194304]=7 --arg u32[256]=0 --arg u32=4194304
// run: --kernel saturating_bytes --grid 264 --block 256 --arg u8[1048576]=random:3 --arg u8[256]=0 --arg u32=1048576
// run: --kernel nibbles --grid 132 --block 256 --arg u8[1048576]=random:4 --arg u32[32]=0 --arg u32=1048576
// run: --kernel weighted_bins --grid 264 --block 256 --arg u8[1048576]=random:5 --arg f32[256]=0 --arg u32=1048576

extern "C" __global__ void global_bins(const unsigned char *data, unsigned *bins, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1);
}

extern "C" __global__ void shared_bins(const unsigned char *data, unsigned *bins, unsigned count) {
    __shared__ unsigned mine[256];
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i]], 1);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        if (mine[b] != 0)
            atomicAdd(&bins[b], mine[b]);
}

// Four counters of a byte in a word; each stops at 255.
__device__ void count_byte(unsigned *words, unsigned bin) {
    unsigned *word = &words[bin / 4], shift = bin % 4 * 8, seen = *(volatile unsigned *)word, assumed;
    do {
        assumed = seen;
        if ((assumed >> shift & 255) == 255)
            return;
        seen = atomicCAS(word, assumed, assumed + (1u << shift));
    } while (seen != assumed);
}

extern "C" __global__ void saturating_bytes(const unsigned char *data, unsigned *bins, unsigned count) {
    __shared__ unsigned mine[64];
    for (unsigned w = threadIdx.x; w < 64; w += blockDim.x)
        mine[w] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        count_byte(mine, data[i]);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        if (mine[b / 4] >> b % 4 * 8 & 255)
            count_byte(bins, b);
}

// Counters of four bits that wrap around, eight in a word: no carry may reach the next.
extern "C" __global__ void nibbles(const unsigned char *data, unsigned *bins, unsigned count) {
    __shared__ unsigned mine[32];
    if (threadIdx.x < 32)
        mine[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        unsigned *word = &mine[data[i] / 8], shift = data[i] % 8 * 4, mask = 15u << shift, seen = *word, assumed;
        do {
            assumed = seen;
            seen = atomicCAS(word, assumed, (assumed & ~mask) | ((assumed + (1u << shift)) & mask));
        } while (seen != assumed);
    }
    __syncthreads();
    if (threadIdx.x < 32)
        atomicXor(&bins[threadIdx.x], mine[threadIdx.x]);
}

// Weights are small whole numbers, so that sums of floats are exact.
extern "C" __global__ void weighted_bins(const unsigned char *data, float *bins, unsigned count) {
    __shared__ float mine[256];
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i]], (float)(i % 4));
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        atomicAdd(&bins[b], mine[b]);
}
