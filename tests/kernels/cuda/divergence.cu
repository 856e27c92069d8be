// Threads of a warp on different ways: loops of different lengths with warp barriers, early exits, nested branches.
// make: nvcc 90
// run: --kernel pair_exchange --grid 1 --block 32 --arg u32[32]=random:1 --arg u32[32]=0 --print 1:16
// run: --kernel pair_exchange --grid 3 --block 64 --arg u32[192]=iota --arg u32[192]=0 --print 1:16
// run: --kernel pair_exchange --grid 1 --block 10,2 --arg u32[20]=random:2 --arg u32[20]=0 --print 1
// run: --kernel hand_over --grid 1 --block 32 --arg u32[32]=0 --arg u32=3 --print 0:16
// run: --kernel hand_over --grid 2 --block 64 --arg u32[128]=0 --arg u32=1 --print 0:16
// run: --kernel hand_over --grid 1 --block 16,4 --arg u32[64]=0 --arg u32=2 --print 0:16
// run: --kernel early_exit --grid 1 --block 64 --arg u32[64]=random:3 --arg u32[64]=0 --print 1:16
// run: --kernel early_exit --grid 2 --block 100 --arg u32[200]=random:4 --arg u32[200]=0 --print 1:16
// run: --kernel early_exit --grid 1 --block 33 --arg u32[33]=iota --arg u32[33]=0 --print 1:16
// run: --kernel nested --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0 --print 1:16
// run: --kernel nested --grid 2 --block 31 --arg u32[62]=random:5 --arg u32[62]=0 --print 1:16
// run: --kernel nested --grid 1 --block 7,7,2 --arg u32[98]=random:6 --arg u32[98]=0 --print 1:16

__device__ unsigned thread_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }

// Pairs of lanes meet as often as the pair wishes: barriers of two lanes.
extern "C" __global__ void pair_exchange(const unsigned *in, unsigned *out) {
    __shared__ volatile unsigned box[64];
    unsigned t = thread_in_block(), i = blockIdx.x * block_size() + t, pair = 3u << (t % 32 & ~1u);
    unsigned v = in[i];
    for (unsigned k = 0; k <= t / 2 % 5; ++k) {
        box[t] = v;
        __syncwarp(pair);
        v = v * 5 + box[t ^ 1];
        __syncwarp(pair);
    }
    out[i] = v;
}

// Within each warp, lane 0 gives a word to lane 1, that to lane 2, and so on, by flags in shared memory.
extern "C" __global__ void hand_over(unsigned *out, unsigned rounds) {
    __shared__ volatile unsigned word[2], turn[2];
    unsigned t = thread_in_block(), warp = t / 32, lane = t % 32;
    if (lane == 0) {
        word[warp] = 1;
        turn[warp] = 0;
    }
    __syncwarp();
    for (unsigned r = 0; r < rounds; ++r) {
        while (turn[warp] != r * 32 + lane)
            ;
        __threadfence_block();
        word[warp] = word[warp] * 3 + lane;
        out[blockIdx.x * block_size() + t] = word[warp];
        __threadfence_block();
        turn[warp] = r * 32 + lane + 1;
    }
}

// Threads that have nothing more to do leave; the others go on with barriers that do not count them.
extern "C" __global__ void early_exit(const unsigned *in, unsigned *out) {
    unsigned t = thread_in_block(), i = blockIdx.x * block_size() + t, v = in[i];
    unsigned left = block_size() - t / 32 * 32, mask = left >= 32 ? ~0u : (1u << left) - 1;
    out[i] = v;
    for (unsigned k = 0; k < 8; ++k) {
        bool stays = (v >> k & 1) == 0 || k == 7;
        mask = __ballot_sync(mask, stays);
        if (!stays)
            return;
        v += __reduce_add_sync(mask, t) + k;
        out[i] = v;
    }
}

__device__ __noinline__ unsigned twist(unsigned v, unsigned depth) {
    for (unsigned k = 0; k < depth; ++k) {
        if (v % 3 == 0)
            v = v / 3 + depth;
        else if (v % 3 == 1)
            continue;
        else
            v = v * 2 + 1;
        if (v > 1u << 30)
            return v - k;
    }
    return v;
}

extern "C" __global__ void nested(const unsigned *in, unsigned *out) {
    unsigned i = blockIdx.x * block_size() + thread_in_block(), v = in[i] % 100000, sum = 0;
    for (unsigned a = 0; a < v % 7; ++a) {
        for (unsigned b = a; b < v % 11; ++b) {
            if (b == 9)
                goto out_of_both;
            if ((a + b + v) % 4 == 0)
                continue;
            sum += b % 2 ? twist(v + b, a + 2) : twist(v ^ a, b);
        }
        sum ^= a << 7;
    }
out_of_both:
    out[i] = sum;
}
