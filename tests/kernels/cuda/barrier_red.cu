// Barriers that count, and, or; dynamic shared memory of two types in one piece.
// make: nvcc 90
// run: --kernel barrier_votes --grid 2 --block 100 --arg u32[200]=random:1 --arg u32[6]=0 --print 1
// run: --kernel barrier_votes --grid 1 --block 32 --arg u32[32]=3 --arg u32[3]=0 --print 1
// run: --kernel barrier_votes --grid 3 --block 8,5 --arg u32[120]=iota --arg u32[9]=0 --print 1
// run: --kernel rotate_dynamic --grid 1 --block 64 --shared 768 --arg u32[64]=iota --arg u64[64]=random:2 --arg u32=5 --print 0:8
// run: --kernel rotate_dynamic --grid 4 --block 37 --shared 444 --arg u32[148]=random:3 --arg u64[148]=iota --arg u32=36 --print 0:8
// run: --kernel rotate_dynamic --grid 1 --block 1024 --shared 12288 --arg u32[1024]=random:4 --arg u64[1024]=random:5 --arg u32=1000 --print 0:8

extern "C" __global__ void barrier_votes(const unsigned *in, unsigned *out) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    unsigned v = in[blockIdx.x * size + t];
    int odd = __syncthreads_count(v & 1);
    int some = __syncthreads_or(v == 77);
    int all = __syncthreads_and(v >= 1);
    if (t == size - 1) {
        out[blockIdx.x * 3] = odd;
        out[blockIdx.x * 3 + 1] = some;
        out[blockIdx.x * 3 + 2] = all;
    }
}

// Twelve bytes of dynamic shared memory a thread.
extern "C" __global__ void rotate_dynamic(unsigned *words, unsigned long long *longs, unsigned by) {
    extern __shared__ unsigned long long memory[];
    unsigned *small = (unsigned *)(memory + blockDim.x);
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = (t + by) % blockDim.x;
    memory[t] = longs[i];
    small[t] = words[i];
    __syncthreads();
    longs[i] = memory[from];
    words[i] = small[from];
}
