// Warp votes and exchanges: ballots, matches, shuffles of every kind, prefixes, with parts of a warp.
// make: nvcc 90
// run: --kernel ballot_prefix --grid 1 --block 64 --arg u32[64]=random:1 --arg u32[64]=0 --arg u32[2]=0 --print 1:16 --print 2
// run: --kernel ballot_prefix --grid 2 --block 45 --arg u32[90]=random:2 --arg u32[90]=0 --arg u32[4]=0 --print 1:16 --print 2
// run: --kernel ballot_prefix --grid 1 --block 8,3 --arg u32[24]=iota --arg u32[24]=0 --arg u32[1]=0 --print 1:16 --print 2
// run: --kernel matches --grid 1 --block 32 --arg u32[32]=random:3 --arg u32[128]=0 --print 1:16
// run: --kernel matches --grid 2 --block 50 --arg u32[100]=iota --arg u32[400]=0 --print 1:16
// run: --kernel matches --grid 1 --block 16,4 --arg u32[64]=5 --arg u32[256]=0 --print 1:16
// run: --kernel shuffles --grid 1 --block 32 --arg u32[32]=random:4 --arg u32[320]=0 --arg u32=5 --print 1:16
// run: --kernel shuffles --grid 2 --block 96 --arg u32[192]=iota --arg u32[1920]=0 --arg u32=19 --print 1:16
// run: --kernel shuffles --grid 1 --block 32,2 --arg u32[64]=random:5 --arg u32[640]=0 --arg u32=1 --print 1:16
// run: --kernel split_warp --grid 1 --block 32 --arg u32[32]=random:6 --arg u32[32]=0 --print 1:16
// run: --kernel split_warp --grid 2 --block 64 --arg u32[128]=iota --arg u32[128]=0 --print 1:16
// run: --kernel split_warp --grid 1 --block 16,2,3 --arg u32[96]=random:7 --arg u32[96]=0 --print 1:16
// run: --kernel leaders --grid 1 --block 32 --arg u32[32]=0 --arg u32[1]=0 --print 0:16 --print 1
// run: --kernel leaders --grid 3 --block 70 --arg u32[210]=0 --arg u32[1]=0 --print 0:16 --print 1
// run: --kernel leaders --grid 1 --block 5,5,5 --arg u32[125]=0 --arg u32[1]=0 --print 0:16 --print 1

__device__ unsigned thread_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }

// The lanes that the thread's warp has: the last warp may be a part of one.
__device__ unsigned warp_mask() {
    unsigned left = block_size() - thread_in_block() / 32 * 32;
    return left >= 32 ? ~0u : (1u << left) - 1;
}

// Moves the odd values to the front of their warp, and the even ones behind them.
extern "C" __global__ void ballot_prefix(const unsigned *in, unsigned *out, unsigned *odd_of_warp) {
    unsigned t = thread_in_block(), base = blockIdx.x * block_size(), lane = t % 32, v = in[base + t];
    unsigned mask = warp_mask(), odd = __ballot_sync(mask, v & 1), before = (1u << lane) - 1;
    unsigned to = v & 1 ? __popc(odd & before) : __popc(odd) + __popc(~odd & before);
    out[base + t - lane + to] = v;
    if (lane == 0)
        odd_of_warp[blockIdx.x * ((block_size() + 31) / 32) + t / 32] = __popc(odd);
}

extern "C" __global__ void matches(const unsigned *in, unsigned *out) {
    unsigned i = blockIdx.x * block_size() + thread_in_block(), mask = warp_mask(), v = in[i];
    int all;
    out += 4 * i;
    out[0] = __match_any_sync(mask, v % 5);
    out[1] = __match_all_sync(mask, v / 64, &all);
    out[1] ^= all << 31;
    out[2] = __match_any_sync(mask, (unsigned long long)(v % 3) << 40);
    out[3] = __any_sync(mask, v == 7) | __all_sync(mask, v < 100) << 1 | __ballot_sync(mask, v & 4) << 2;
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 50; vote.sync.uni.pred q, p, %2; @q add.u32 %0, %0, 0x40000000; }"
                 : "+r"(out[3])
                 : "r"(v), "r"(mask));
}

// Whole warps. Ten words for each thread.
extern "C" __global__ void shuffles(const unsigned *in, unsigned *out, unsigned by) {
    unsigned t = thread_in_block(), i = blockIdx.x * block_size() + t, v = in[i];
    out += 10 * i;
    out[0] = __shfl_sync(~0u, v, by);
    out[1] = __shfl_sync(~0u, v, v);
    out[2] = __shfl_up_sync(~0u, v, by);
    out[3] = __shfl_down_sync(~0u, v, by);
    out[4] = __shfl_xor_sync(~0u, v, by);
    out[5] = __shfl_sync(~0u, v, by, 8);
    out[6] = __shfl_up_sync(~0u, v, by % 4, 4);
    out[7] = __shfl_down_sync(~0u, v, by % 16, 16);
    out[8] = (unsigned)(__shfl_xor_sync(~0u, (unsigned long long)v << 20, by % 2, 2) >> 12);
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, %2, 0, -1; selp.u32 %0, %0, 12345, p; }"
                 : "=&r"(out[9])
                 : "r"(v), "r"(by));
}

// Even and odd lanes go different ways and exchange among themselves, then all together.
extern "C" __global__ void split_warp(const unsigned *in, unsigned *out) {
    unsigned t = thread_in_block(), i = blockIdx.x * block_size() + t, lane = t % 32, v = in[i];
    if (lane % 2 == 0) {
        for (int step = 2; step < 32; step *= 2)
            v += __shfl_xor_sync(0x55555555, v, step);
    } else {
        for (int step = 2; step < 32; step *= 2)
            v = max(v, __shfl_xor_sync(0xaaaaaaaa, v, step));
    }
    __syncwarp();
    out[i] = v ^ __shfl_xor_sync(~0u, v, 1);
}

// Election of one lane, masks of the lanes around it, sums of what the lanes say about themselves.
extern "C" __global__ void leaders(unsigned *out, unsigned *elected) {
    unsigned t = thread_in_block(), i = blockIdx.x * block_size() + t, mask = warp_mask(), less, more, leads;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(less));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(more));
    asm volatile("{ .reg .pred p; .reg .b32 lane; elect.sync lane|p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(leads) : "r"(mask));
    out[i] = __reduce_add_sync(mask, __popc(less & mask)) * 64 + __popc(more & mask);
    if (leads)
        atomicAdd(elected, 1);
}
