#include "check.h"
// A block sums in shared memory, then in a warp; blocks meet in an atomic.
__global__ void reduce(const int *in, unsigned long long *out, int n) {
    extern __shared__ int shared[];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        int mine = shared[threadIdx.x];
        for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
        if (threadIdx.x == 0) atomicAdd(out, (unsigned long long)mine);
    }
}
int main() {
    int n = 1 << 20;
    Buffer<int> in(n);
    Buffer<unsigned long long> out(1);
    unsigned long long wanted = 0;
    for (int i = 0; i < n; i++) wanted += in[i] = i % 1000;
    reduce<<<64, 256, 256 * sizeof(int)>>>(in.data, out.data, n);
    finish();
    expect("sum", out[0], wanted);
    std::puts("ok");
}
