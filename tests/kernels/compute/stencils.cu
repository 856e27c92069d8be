// Grids: heat in shared memory, seven points in three dimensions along a column, the game of life with 32 cells to a word, waves in registers.
// make: nvcc 90 -fmad=false
// run: --kernel heat --grid 2 --block 16,16 --arg f32[512]=random:1 --arg u32=3 --print 0:4
// bench: --kernel heat --grid 4096 --block 16,16 --arg f32[1048576]=random:1 --arg u32=60
// run: --kernel seven_points --grid 2,2 --block 16,4 --arg f32[2040]=random:2 --arg f32[2040]=0 --arg u32=34 --arg u32=10 --arg u32=6 --print 1:4
// bench: --kernel seven_points --grid 16,64 --block 16,4 --arg f32[2130048]=random:2 --arg f32[2130048]=0 --arg u32=258 --arg u32=258 --arg u32=32
// run: --kernel life --grid 2 --block 32 --arg u32[64]=random:3 --arg u32=4 --print 0:8
// bench: --kernel life --grid 2112 --block 128 --arg u32[270336]=random:3 --arg u32=200
// run: --kernel wave --grid 2 --block 32 --arg f32[512]=random:4 --arg u32=3 --print 0:4
// bench: --kernel wave --grid 528 --block 256 --arg f32[1081344]=random:4 --arg u32=200

extern "C" __global__ void heat(float *data, unsigned steps) {
    __shared__ float v[2][18][18];
    unsigned x = threadIdx.x + 1, y = threadIdx.y + 1, t = threadIdx.y * 16 + threadIdx.x;
    for (unsigned k = t; k < 648; k += 256)
        (&v[0][0][0])[k] = 0;
    __syncthreads();
    v[0][y][x] = data[blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned n = 0; n < steps; ++n) {
        float(*a)[18] = v[n & 1];
        v[~n & 1][y][x] = fmaf(0.2f, a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1] - 4 * a[y][x], a[y][x]);
        __syncthreads();
    }
    data[blockIdx.x * 256 + t] = v[steps & 1][y][x];
}

extern "C" __global__ void seven_points(const float *in, float *out, unsigned width, unsigned height, unsigned depth) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x + 1 >= width || y + 1 >= height)
        return;
    unsigned at = y * width + x, layer = width * height;
    float below = in[at], here = in[at + layer];
    for (unsigned z = 1; z + 1 < depth; ++z) {
        at += layer;
        float above = in[at + layer];
        float around = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
        out[at] = fmaf(0.1f, around + below + above, 0.4f * here);
        below = here;
        here = above;
    }
}

// A thread has a row of 32 cells; a warp is a field of 32 x 32 that closes upon itself.
extern "C" __global__ void life(unsigned *data, unsigned steps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, row = data[i];
    for (unsigned n = 0; n < steps; ++n) {
        unsigned up = __shfl_sync(~0u, row, lane + 31 & 31), down = __shfl_sync(~0u, row, lane + 1 & 31);
        unsigned ones = 0, twos = 0, fours = 0;
        unsigned rows[3] = {up, row, down};
#pragma unroll
        for (int k = 0; k < 3; ++k)
#pragma unroll
            for (int turn = 31; turn < 34; ++turn) {
                if (k == 1 && turn == 32)
                    continue;
                unsigned cells = __funnelshift_l(rows[k], rows[k], turn & 31);
                unsigned carry = ones & cells;
                ones ^= cells;
                fours |= twos & carry;
                twos ^= carry;
            }
        row = twos & ~fours & (ones | row);
    }
    data[i] = row;
}

// A thread has eight points of a string; its neighbours' are exchanged within the warp.
extern "C" __global__ void wave(float *data, unsigned steps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, lane = threadIdx.x & 31;
    float v[8], before[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
        before[k] = v[k] = data[k * all + i];
    for (unsigned n = 0; n < steps; ++n) {
        float left = __shfl_up_sync(~0u, v[7], 1), right = __shfl_down_sync(~0u, v[0], 1);
        left = lane == 0 ? 0 : left;
        right = lane == 31 ? 0 : right;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            float here = v[k], next = k == 7 ? right : v[k + 1];
            v[k] = fmaf(0.25f, left + next - 2 * here, 2 * here - before[k]);
            before[k] = here;
            left = here;
        }
    }
#pragma unroll
    for (int k = 0; k < 8; ++k)
        data[k * all + i] = v[k];
}
