// A barrier over the grid by hand, and the one of cooperative groups.
// make: nvcc 75 86 90a 120
// make: nvrtc 60 70
// make: clang 80
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ unsigned arrived, generation;

__device__ void grid_wait() {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned g = *(volatile unsigned *)&generation;
        __threadfence();
        if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            atomicAdd(&generation, 1u);
        } else {
            while (*(volatile unsigned *)&generation == g)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void jacobi(float *a, float *b, int n, int steps) {
    for (int s = 0; s < steps; ++s) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1; i += gridDim.x * blockDim.x)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *t = a;
        a = b;
        b = t;
        grid_wait();
    }
}

extern "C" __global__ void jacobi_cg(float *a, float *b, int n, int steps) {
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < steps; ++s) {
        for (int i = grid.thread_rank() + 1; i < n - 1; i += grid.size())
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *t = a;
        a = b;
        b = t;
        grid.sync();
    }
}
