// Sorting within a block: bitonic, odd-even merge, radix with one bit a pass, and ranks over the grid.
// make: nvcc 90
// run: --kernel sort_bitonic --grid 1 --block 64 --arg u32[128]=random:1 --print 0:16
// run: --kernel sort_bitonic --grid 3 --block 256 --arg u32[1536]=random:2 --print 0:16
// run: --kernel sort_bitonic --grid 2 --block 8 --arg u32[32]=random:3 --print 0
// run: --kernel sort_odd_even_merge --grid 1 --block 32 --arg s32[64]=random:4 --print 0:16
// run: --kernel sort_odd_even_merge --grid 2 --block 256 --arg s32[1024]=random:5 --print 0:16
// run: --kernel sort_odd_even_merge --grid 4 --block 4 --arg s32[32]=random:6 --print 0
// run: --kernel sort_radix --grid 1 --block 128 --arg u32[128]=random:7 --arg u32[128]=iota --print 0:8 --print 1:8
// run: --kernel sort_radix --grid 2 --block 64 --arg u32[128]=random:8 --arg u32[128]=iota --print 0:8 --print 1:8
// run: --kernel sort_radix --grid 1 --block 512 --arg u32[512]=random:9 --arg u32[512]=iota --print 0:8 --print 1:8
// run: --kernel sort_by_rank --grid 4 --block 50 --arg f32[200]=random:10 --arg f32[200]=0 --arg u32=200 --print 1:8
// run: --kernel sort_by_rank --grid 1 --block 33 --arg f32[33]=random:11 --arg f32[33]=0 --arg u32=33 --print 1:8
// run: --kernel sort_by_rank --grid 2 --block 16,4 --arg f32[100]=7 --arg f32[100]=0 --arg u32=100 --print 1:8

// Two elements a thread, a power of two of threads.
extern "C" __global__ void sort_bitonic(unsigned *data) {
    __shared__ unsigned keys[1024];
    unsigned t = threadIdx.x, n = 2 * blockDim.x;
    data += blockIdx.x * n;
    keys[t] = data[t];
    keys[t + blockDim.x] = data[t + blockDim.x];
    for (unsigned size = 2; size <= n; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            unsigned a = 2 * t - (t & (step - 1)), b = a + step;
            bool up = (a & size) == 0;
            if (keys[a] > keys[b] == up) {
                unsigned swap = keys[a];
                keys[a] = keys[b];
                keys[b] = swap;
            }
        }
    __syncthreads();
    data[t] = keys[t];
    data[t + blockDim.x] = keys[t + blockDim.x];
}

__device__ void compare(int &a, int &b) {
    int least = min(a, b);
    b = max(a, b);
    a = least;
}

extern "C" __global__ void sort_odd_even_merge(int *data) {
    __shared__ int keys[1024];
    unsigned t = threadIdx.x, n = 2 * blockDim.x;
    data += blockIdx.x * n;
    keys[t] = data[t];
    keys[t + blockDim.x] = data[t + blockDim.x];
    for (unsigned size = 2; size <= n; size *= 2) {
        unsigned step = size / 2, place = t & (step - 1);
        __syncthreads();
        unsigned at = 2 * t - (t & (step - 1));
        compare(keys[at], keys[at + step]);
        for (step /= 2; step > 0; step /= 2) {
            __syncthreads();
            at = 2 * t - (t & (step - 1));
            if (place >= step)
                compare(keys[at - step], keys[at]);
        }
    }
    __syncthreads();
    data[t] = keys[t];
    data[t + blockDim.x] = keys[t + blockDim.x];
}

// Stable; carries a value along with each key. Whole warps, 512 threads at most.
extern "C" __global__ void sort_radix(unsigned *keys, unsigned *values) {
    __shared__ unsigned sorted[512], carried[512], zeros_of_warp[16];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    unsigned key = keys[blockIdx.x * blockDim.x + t], value = values[blockIdx.x * blockDim.x + t];
    for (int bit = 0; bit < 32; ++bit) {
        unsigned zero = __ballot_sync(~0u, (key >> bit & 1) == 0);
        if (lane == 0)
            zeros_of_warp[warp] = __popc(zero);
        __syncthreads();
        unsigned before = 0, zeros = 0;
        for (unsigned w = 0; w < warps; ++w) {
            if (w == warp)
                before = zeros;
            zeros += zeros_of_warp[w];
        }
        before += __popc(zero & ((1u << lane) - 1));
        unsigned to = key >> bit & 1 ? zeros + t - before : before;
        sorted[to] = key;
        carried[to] = value;
        __syncthreads();
        key = sorted[t];
        value = carried[t];
    }
    keys[blockIdx.x * blockDim.x + t] = key;
    values[blockIdx.x * blockDim.x + t] = value;
}

// Each element counts those before it; equal ones keep their order.
extern "C" __global__ void sort_by_rank(const float *in, float *out, unsigned count) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    unsigned i = blockIdx.x * size + t, rank = 0;
    if (i >= count)
        return;
    for (unsigned j = 0; j < count; ++j)
        rank += in[j] < in[i] || (in[j] == in[i] && j < i);
    out[rank] = in[i];
}
