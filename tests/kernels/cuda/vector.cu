// The simplest kernels: one element a thread, loops over the grid, blocks of two and three dimensions.
// make: nvcc 90 -fmad=false
// run: --kernel vector_add --grid 4 --block 64 --arg u32[250]=iota --arg u32[250]=random:1 --arg u32[250]=0 --arg u32=250 --print 2:16
// run: --kernel vector_add --grid 1 --block 1 --arg u32[1]=7 --arg u32[1]=8 --arg u32[1]=0 --arg u32=1 --print 2
// run: --kernel vector_add --grid 3 --block 33 --arg u32[99]=iota --arg u32[99]=iota --arg u32[99]=0 --arg u32=99 --print 2:16
// run: --kernel saxpy --grid 2 --block 128 --arg f32=2.5 --arg f32[1000]=iota --arg f32[1000]=random:2 --arg u32=1000 --print 2:8
// run: --kernel saxpy --grid 7 --block 31 --arg f32=-0.375 --arg f32[1000]=random:3 --arg f32[1000]=random:4 --arg u32=1000 --print 2:8
// run: --kernel saxpy --grid 1 --block 1024 --arg f32=3 --arg f32[100]=iota --arg f32[100]=1 --arg u32=100 --print 2:8
// run: --kernel where_am_i --grid 2,3,2 --block 4,3,2 --arg u32[576]=0 --print 0:24
// run: --kernel where_am_i --grid 1,1,5 --block 1,7,3 --arg u32[210]=0 --print 0:24
// run: --kernel where_am_i --grid 3,2 --block 40 --arg u32[480]=0 --print 0:24

extern "C" __global__ void vector_add(const unsigned *a, const unsigned *b, unsigned *sum, unsigned count) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        sum[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy(float a, const float *x, float *y, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        y[i] = fmaf(a, x[i], y[i]);
}

// Writes two words a thread: where it is, and how large its surroundings are.
extern "C" __global__ void where_am_i(uint2 *out) {
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned size = blockDim.x * blockDim.y * blockDim.z;
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    uint2 word;
    word.x = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16 | lane << 24;
    word.y = blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16 | size << 24;
    out[block * size + thread] = word;
}
