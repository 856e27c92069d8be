// Barriers over the grid: all blocks must be on the chip at once, so grids are small.
// make: nvcc 90 -fmad=false
// run: --kernel heat --grid 4 --block 64 --arg f32[500]=random:1 --arg f32[500]=0 --arg u32=500 --arg u32=6 --print 0:8
// run: --kernel heat --grid 1 --block 32 --arg f32[40]=iota --arg f32[40]=0 --arg u32=40 --arg u32=5 --print 0:8
// run: --kernel heat --grid 8 --block 48 --arg f32[384]=random:2 --arg f32[384]=0 --arg u32=384 --arg u32=4 --print 0:8
// run: --kernel pointer_jumping --grid 4 --block 32 --arg u32[128]=random:3 --arg u32[128]=0 --arg u32[2]=0 --arg u32=128 --print 0:16
// run: --kernel pointer_jumping --grid 3 --block 50 --arg u32[100]=random:4 --arg u32[100]=0 --arg u32[2]=0 --arg u32=100 --print 0:16
// run: --kernel pointer_jumping --grid 6 --block 8,4 --arg u32[192]=iota --arg u32[192]=0 --arg u32[2]=0 --arg u32=192 --print 0:16

__device__ unsigned arrived, generation;

// Leaves `arrived` at zero, so that the next launch finds it so.
__device__ void wait_for_grid() {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned mine = *(volatile unsigned *)&generation;
        __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            atomicAdd(&generation, 1);
        } else {
            while (*(volatile unsigned *)&generation == mine)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void heat(float *a, float *b, unsigned n, unsigned steps) {
    for (unsigned s = 0; s < steps; ++s) {
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            float left = i > 0 ? a[i - 1] : 0, right = i + 1 < n ? a[i + 1] : 0;
            b[i] = a[i] + 0.25f * (left - 2.0f * a[i] + right);
        }
        wait_for_grid();
        float *swap = a;
        a = b;
        b = swap;
    }
}

// The barrier of acquire and release alone: state[0] counts arrivals, never back.
extern "C" __global__ void pointer_jumping(unsigned *from, unsigned *to, unsigned *state, unsigned n) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    unsigned i = blockIdx.x * size + t, round = 0;
    auto wait = [&]() {
        __syncthreads();
        ++round;
        if (t == 0) {
            unsigned seen;
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(state) : "memory");
            do
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(state) : "memory");
            while (seen < round * gridDim.x);
        }
        __syncthreads();
    };
    if (i < n)
        from[i] %= n;
    wait();
    for (unsigned reach = 1; reach < n; reach *= 2) {
        if (i < n)
            to[i] = from[from[i]];
        wait();
        unsigned *swap = from;
        from = to;
        to = swap;
    }
    if (i < n)
        atomicXor(&state[1], from[i] * (i + 1));
}
