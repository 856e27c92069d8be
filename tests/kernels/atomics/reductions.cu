// Sums and extremes that all threads write to one place or to a few; whole numbers, so that sums are exact.
// make: nvcc 90
// run: --kernel sum_int --grid 264 --block 256 --arg u32[1048576]=random:1 --arg u32[1]=0 --arg u32=1048576
// run: --kernel sum_long --grid 264 --block 256 --arg u32[1048576]=random:2 --arg u64[8]=0 --arg u32=1048576
// run: --kernel sum_float --grid 132 --block 256 --arg u32[262144]=random:3 --arg f32[16]=0 --arg u32=262144
// run: --kernel sum_double --grid 132 --block 256 --arg u32[262144]=random:4 --arg f64[16]=0 --arg u32=262144
// run: --kernel sum_double_by_cas --grid 132 --block 128 --arg u32[65536]=random:5 --arg f64[256]=0 --arg u32=65536
// run: --kernel max_float_by_cas --grid 264 --block 256 --arg u32[2097152]=random:6 --arg f32[64]=0 --arg u32=2097152
// run: --kernel max_float_by_int --grid 264 --block 256 --arg u32[2097152]=random:7 --arg f32[64]=0 --arg u32=2097152
// run: --kernel min_long --grid 264 --block 256 --arg u64[524288]=random:8 --arg u64[32]=0xffffffffffffffff --arg u32=524288
// run: --kernel block_then_grid --grid 528 --block 256 --arg u32[8388608]=random:9 --arg u64[1]=0 --arg u32=8388608
// run: --kernel product_by_cas --grid 132 --block 128 --arg u32[65536]=random:10 --arg u32[128]=1 --arg u32=65536

__device__ unsigned first() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned step() { return gridDim.x * blockDim.x; }

extern "C" __global__ void sum_int(const unsigned *in, unsigned *sum, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(sum, in[i]);
}

extern "C" __global__ void sum_long(const unsigned *in, unsigned long long *sums, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(&sums[in[i] % 8], (unsigned long long)in[i] * in[i]);
}

extern "C" __global__ void sum_float(const unsigned *in, float *sums, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(&sums[in[i] % 16], (float)(in[i] >> 28));
}

extern "C" __global__ void sum_double(const unsigned *in, double *sums, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicAdd(&sums[in[i] % 16], (double)in[i]);
}

// The addition of doubles that the CUDA guide shows for chips without one.
__device__ double add_by_cas(double *address, double value) {
    unsigned long long *word = (unsigned long long *)address, seen = *word, assumed;
    do {
        assumed = seen;
        seen = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != seen);
    return __longlong_as_double(seen);
}

extern "C" __global__ void sum_double_by_cas(const unsigned *in, double *sums, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        add_by_cas(&sums[in[i] % 256], (double)in[i]);
}

__device__ void max_by_cas(float *address, float value) {
    int *word = (int *)address, seen = *word, assumed;
    do {
        assumed = seen;
        if (__int_as_float(assumed) >= value)
            return;
        seen = atomicCAS(word, assumed, __float_as_int(value));
    } while (assumed != seen);
}

extern "C" __global__ void max_float_by_cas(const unsigned *in, float *most, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        max_by_cas(&most[in[i] % 64], (float)(in[i] >> 8));
}

// Floats that are not negative are ordered as their bits are.
extern "C" __global__ void max_float_by_int(const unsigned *in, float *most, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicMax((int *)&most[in[i] % 64], __float_as_int((float)(in[i] >> 8)));
}

extern "C" __global__ void min_long(const unsigned long long *in, unsigned long long *least, unsigned count) {
    for (unsigned i = first(); i < count; i += step())
        atomicMin(&least[in[i] % 32], in[i]);
}

extern "C" __global__ void block_then_grid(const unsigned *in, unsigned long long *sum, unsigned count) {
    __shared__ unsigned long long warps[32];
    unsigned long long mine = 0;
    for (unsigned i = first(); i < count; i += step())
        mine += in[i];
    for (int offset = 16; offset; offset /= 2)
        mine += __shfl_xor_sync(~0u, mine, offset);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
        for (int offset = 16; offset; offset /= 2)
            mine += __shfl_xor_sync(~0u, mine, offset);
        if (threadIdx.x == 0)
            atomicAdd(sum, mine);
    }
}

// No chip has an atomic product.
extern "C" __global__ void product_by_cas(const unsigned *in, unsigned *products, unsigned count) {
    for (unsigned i = first(); i < count; i += step()) {
        unsigned *word = &products[in[i] % 128], seen = *word, assumed;
        do {
            assumed = seen;
            seen = atomicCAS(word, assumed, assumed * (in[i] | 1));
        } while (assumed != seen);
    }
}
