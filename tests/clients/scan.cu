#include "check.h"
// An inclusive prefix sum: in warps, over the warps of a block, then over blocks that wait for those before them.
__global__ void scan(const int *in, int *out, volatile int *sums, volatile int *ready) {
    __shared__ int warps[32];
    __shared__ int before;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(~0u, value, step);
        if (lane >= step) value += other;
    }
    if (lane == 31) warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < blockDim.x / 32 ? warps[lane] : 0;
        for (int step = 1; step < 32; step *= 2) {
            int other = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += other;
        }
        warps[lane] = sum;
    }
    __syncthreads();
    if (warp > 0) value += warps[warp - 1];
    if (threadIdx.x == blockDim.x - 1) {
        if (blockIdx.x > 0) {
            while (!ready[blockIdx.x - 1]) {}
            __threadfence();
            before = sums[blockIdx.x - 1];
        } else {
            before = 0;
        }
        sums[blockIdx.x] = before + value;
        __threadfence();
        ready[blockIdx.x] = 1;
    }
    __syncthreads();
    out[i] = before + value;
}
int main() {
    int blocks = 64, threads = 512, n = blocks * threads;
    Buffer<int> in(n), out(n), sums(blocks), ready(blocks);
    for (int i = 0; i < n; i++) in[i] = i % 13 - 6;
    scan<<<blocks, threads>>>(in.data, out.data, sums.data, ready.data);
    finish();
    for (int i = 0, sum = 0; i < n; i++) expect("prefix", out[i], sum += in[i]);
    std::puts("ok");
}
