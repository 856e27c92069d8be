// Sums that run along: in shared memory, by shuffles, of segments; and rows of a sparse matrix.
// make: nvcc 90 -fmad=false
// run: --kernel up_and_down --grid 2 --block 64 --arg u32[256]=random:1 --print 0:4
// bench: --kernel up_and_down --grid 2112 --block 256 --arg u32[1081344]=random:1
// run: --kernel shuffled --grid 2 --block 64 --arg u32[128]=random:2 --arg u32=2 --print 0:4
// bench: --kernel shuffled --grid 1056 --block 512 --arg u32[540672]=random:2 --arg u32=60
// run: --kernel segments --grid 2 --block 64 --arg s32[128]=random:3:-100:100 --arg u32=2 --print 0:4
// bench: --kernel segments --grid 1056 --block 256 --arg s32[270336]=random:3:-100:100 --arg u32=80
// run: --kernel sparse_rows --grid 2 --block 32 --arg u32[65]=iota:0:5 --arg u32[320]=random:4:0:64 --arg f32[320]=random:5 --arg f32[64]=random:6 --arg f32[64]=0 --arg u32=64 --print 4:4
// bench: --kernel sparse_rows --grid 512 --block 256 --arg u32[131073]=iota:0:16 --arg u32[2097152]=random:4:0:131072 --arg f32[2097152]=random:5 --arg f32[131072]=random:6 --arg f32[131072]=0 --arg u32=131072
// run: --kernel sparse_warps --grid 2 --block 64 --arg u32[5]=iota:0:70 --arg u32[280]=random:7:0:64 --arg f32[280]=random:8 --arg f32[64]=random:9 --arg f32[4]=0 --arg u32=4 --print 4:4
// bench: --kernel sparse_warps --grid 2048 --block 256 --arg u32[16385]=iota:0:128 --arg u32[2097152]=random:7:0:16384 --arg f32[2097152]=random:8 --arg f32[16384]=random:9 --arg f32[16384]=0 --arg u32=16384

extern "C" __global__ void up_and_down(unsigned *data) {
    __shared__ unsigned v[1024];
    unsigned t = threadIdx.x, count = 2 * blockDim.x, step = 1, *mine = data + blockIdx.x * count;
    v[2 * t] = mine[2 * t];
    v[2 * t + 1] = mine[2 * t + 1];
    for (unsigned d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            v[step * (2 * t + 2) - 1] += v[step * (2 * t + 1) - 1];
        step *= 2;
    }
    __syncthreads();
    if (t == 0)
        v[count - 1] = 0;
    for (unsigned d = 1; d < count; d *= 2) {
        step /= 2;
        __syncthreads();
        if (t < d) {
            unsigned a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1, low = v[a];
            v[a] = v[b];
            v[b] += low;
        }
    }
    __syncthreads();
    mine[2 * t] = v[2 * t];
    mine[2 * t + 1] = v[2 * t + 1];
}

extern "C" __global__ void shuffled(unsigned *data, unsigned times) {
    __shared__ unsigned parts[32];
    unsigned t = threadIdx.x, lane = t & 31, warp = t / 32, i = blockIdx.x * blockDim.x + t, v = data[i];
    for (unsigned n = 0; n < times; ++n) {
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            unsigned other = __shfl_up_sync(~0u, v, step);
            v += lane >= step ? other : 0;
        }
        if (lane == 31)
            parts[warp] = v;
        __syncthreads();
        unsigned before = 0;
        for (unsigned k = 0; k < warp; ++k)
            before += parts[k];
        v += before;
        __syncthreads();
    }
    data[i] = v;
}

// A segment begins where a number is negative.
extern "C" __global__ void segments(int *data, unsigned times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int v = data[i];
    for (unsigned n = 0; n < times; ++n) {
        unsigned heads = __ballot_sync(~0u, v < 0) | 1;
        unsigned start = 31 - __clz(heads & (2u << lane) - 1);
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            int other = __shfl_up_sync(~0u, v, step);
            if (lane >= start + step)
                v += other;
        }
        v = v * 5 + 3 >> 2;
    }
    data[i] = v;
}

extern "C" __global__ void sparse_rows(const unsigned *starts, const unsigned *columns, const float *values, const float *x,
                                       float *out, unsigned rows) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    float sum = 0;
    for (unsigned k = starts[i]; k < starts[i + 1]; ++k)
        sum = fmaf(values[k], x[columns[k]], sum);
    out[i] = sum;
}

extern "C" __global__ void sparse_warps(const unsigned *starts, const unsigned *columns, const float *values, const float *x,
                                        float *out, unsigned rows) {
    unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float sum = 0;
    for (unsigned k = starts[row] + lane; k < starts[row + 1]; k += 32)
        sum = fmaf(values[k], x[columns[k]], sum);
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0)
        out[row] = sum;
}
