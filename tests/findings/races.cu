// Races by the memory model of PTX. Each `_bug` has one planted bug, and its `_ok` none.
// bug: W0740 shared_race: no __syncthreads between the write of a tile and its read
// run: --kernel shared_race_bug --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// run: --kernel shared_race_ok --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0 --expect 1:u32[4]=63,62,61,60
// bug: W0740 warp_race: no __syncwarp between the write of a tile and its read
// run: --kernel warp_race_bug --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// run: --kernel warp_race_ok --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --expect 1:u32[4]=31,30,29,28
// bug: W0740 loop_race: the next round overwrites what other threads still read
// run: --kernel loop_race_bug --grid 1 --block 64 --arg u32[256]=iota --arg u32[64]=0
// run: --kernel loop_race_ok --grid 1 --block 64 --arg u32[256]=iota --arg u32[64]=0 --expect 1:u32[2]=636,632
// bug: W0740 block_race: several blocks write one element
// run: --kernel block_race_bug --grid 4 --block 32 --arg u32[128]=iota --arg u32[4]=0
// run: --kernel block_race_ok --grid 4 --block 32 --arg u32[128]=iota --arg u32[4]=0 --expect 1:u32[4]=31,63,95,127
// bug: W0740 message_fence: data, then a flag with no fence between them
// run: --kernel message_fence_bug --grid 2 --block 32 --arg u32[1]=0 --arg u32[1]=0 --arg u32[1]=0
// run: --kernel message_fence_ok --grid 2 --block 32 --arg u32[1]=0 --arg u32[1]=0 --arg u32[1]=0 --expect 2:u32[1]=42
// bug: W0740 message_scope: a fence of the block between data and flag, and the reader is in another block
// run: --kernel message_scope_bug --grid 2 --block 32 --arg u32[1]=0 --arg u32[1]=0 --arg u32[1]=0
// run: --kernel message_scope_ok --grid 2 --block 32 --arg u32[1]=0 --arg u32[1]=0 --arg u32[1]=0 --expect 2:u32[1]=42
// bug: W0741 mixed_accesses: a plain write and an atomic of the same word
// run: --kernel mixed_accesses_bug --grid 1 --block 64 --arg u32[1]=0
// run: --kernel mixed_accesses_ok --grid 1 --block 64 --arg u32[1]=0 --expect 0:u32[1]=163

template <bool SYNC> __device__ void reverse(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x;
    tile[t] = 0;
    __syncthreads();
    tile[t] = in[t];
    if (SYNC) __syncthreads();
    out[t] = tile[63 - t];
}
extern "C" __global__ void shared_race_bug(const unsigned *in, unsigned *out) { reverse<false>(in, out); }
extern "C" __global__ void shared_race_ok(const unsigned *in, unsigned *out) { reverse<true>(in, out); }

template <bool SYNC> __device__ void reverse_warp(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[32];
    unsigned t = threadIdx.x;
    tile[t] = 0;
    __syncwarp();
    tile[t] = in[t];
    if (SYNC) __syncwarp();
    out[t] = tile[31 - t];
}
extern "C" __global__ void warp_race_bug(const unsigned *in, unsigned *out) { reverse_warp<false>(in, out); }
extern "C" __global__ void warp_race_ok(const unsigned *in, unsigned *out) { reverse_warp<true>(in, out); }

template <bool SYNC> __device__ void rounds(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x;
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned round = 0; round < 4; round++) {
        tile[t] = in[64 * round + t];
        __syncthreads();
        sum += tile[63 - t];
        if (SYNC) __syncthreads();
    }
    out[t] = sum;
}
extern "C" __global__ void loop_race_bug(const unsigned *in, unsigned *out) { rounds<false>(in, out); }
extern "C" __global__ void loop_race_ok(const unsigned *in, unsigned *out) { rounds<true>(in, out); }

// The last thread of each block writes what it has read.
extern "C" __global__ void block_race_bug(const unsigned *in, unsigned *out) {
    if (threadIdx.x == 31) out[0] = in[32 * blockIdx.x + 31];
}
extern "C" __global__ void block_race_ok(const unsigned *in, unsigned *out) {
    if (threadIdx.x == 31) out[blockIdx.x] = in[32 * blockIdx.x + 31];
}

enum Fence { NONE, BLOCK, DEVICE };

// Block 0 sends, block 1 receives.
template <Fence FENCE> __device__ void message(unsigned *data, volatile unsigned *flag, unsigned *out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        if (FENCE == BLOCK) __threadfence_block();
        if (FENCE == DEVICE) __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
extern "C" __global__ void message_fence_bug(unsigned *data, unsigned *flag, unsigned *out) { message<NONE>(data, flag, out); }
extern "C" __global__ void message_fence_ok(unsigned *data, unsigned *flag, unsigned *out) { message<DEVICE>(data, flag, out); }
extern "C" __global__ void message_scope_bug(unsigned *data, unsigned *flag, unsigned *out) { message<BLOCK>(data, flag, out); }
extern "C" __global__ void message_scope_ok(unsigned *data, unsigned *flag, unsigned *out) { message<DEVICE>(data, flag, out); }

template <bool SYNC> __device__ void count(unsigned *counter) {
    if (threadIdx.x == 0) *counter = 100;
    if (SYNC) __syncthreads();
    if (threadIdx.x != 0) atomicAdd(counter, 1);
}
extern "C" __global__ void mixed_accesses_bug(unsigned *counter) { count<false>(counter); }
extern "C" __global__ void mixed_accesses_ok(unsigned *counter) { count<true>(counter); }
