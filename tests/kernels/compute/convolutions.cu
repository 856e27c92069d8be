// Convolutions: along a line, 3 x 3 with several filters, separable over rows and columns, and a median of nine.
// make: nvcc 90 -fmad=false
// run: --kernel line --grid 2 --block 64 --arg f32[160]=random:1 --arg f32[32]=random:2 --arg f32[128]=0 --arg u32=128 --print 2:4
// bench: --kernel line --grid 4096 --block 256 --arg f32[1048608]=random:1 --arg f32[32]=random:2 --arg f32[1048576]=0 --arg u32=1048576
// run: --kernel filters --grid 1,2 --block 16,8 --arg f32[324]=random:3 --arg f32[72]=random:4 --arg f32[2048]=0 --arg u32=16 --arg u32=16 --print 2:4
// bench: --kernel filters --grid 64,128 --block 16,8 --arg f32[1052676]=random:3 --arg f32[72]=random:4 --arg f32[8388608]=0 --arg u32=1024 --arg u32=1024
// run: --kernel separable --grid 2,1 --block 16,16 --arg f32[960]=random:5 --arg f32[9]=random:6 --arg f32[512]=0 --arg u32=32 --arg u32=16 --print 2:4
// bench: --kernel separable --grid 64,64 --block 16,16 --arg f32[1065024]=random:5 --arg f32[9]=random:6 --arg f32[1048576]=0 --arg u32=1024 --arg u32=1024
// run: --kernel median --grid 2,1 --block 16,8 --arg u32[340]=random:7 --arg u32[256]=0 --arg u32=32 --print 1:4
// bench: --kernel median --grid 64,128 --block 16,8 --arg u32[1052676]=random:7 --arg u32[1048576]=0 --arg u32=1024

extern "C" __global__ void line(const float *in, const float *weights, float *out, unsigned count) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 32; ++k)
        sum = fmaf(in[i + k], weights[k], sum);
    out[i] = sum;
}

// The input has a border of one on each side; rows of 8 results each are computed by a thread, one for each filter.
extern "C" __global__ void filters(const float *in, const float *weights, float *out, unsigned width, unsigned height) {
    __shared__ float tile[10][20], filter[72];
    unsigned x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, stride = width + 2;
    if (t < 72)
        filter[t] = weights[t];
    for (unsigned n = t; n < 180; n += 128)
        tile[n / 18][n % 18] = in[(blockIdx.y * 8 + n / 18) * stride + blockIdx.x * 16 + n % 18];
    __syncthreads();
    float v[9];
#pragma unroll
    for (int k = 0; k < 9; ++k)
        v[k] = tile[y + k / 3][x + k % 3];
    unsigned at = (blockIdx.y * 8 + y) * width + blockIdx.x * 16 + x;
#pragma unroll
    for (int f = 0; f < 8; ++f) {
        float sum = 0;
        for (int k = 0; k < 9; ++k)
            sum = fmaf(v[k], filter[9 * f + k], sum);
        out[f * width * height + at] = fmaxf(sum, 0.0f);
    }
}

extern "C" __global__ void separable(const float *in, const float *weights, float *out, unsigned width, unsigned height) {
    __shared__ float tile[24][25], rows[24][17];
    unsigned x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, stride = width + 8;
    float w[9];
    for (int k = 0; k < 9; ++k)
        w[k] = weights[k];
    for (unsigned n = t; n < 576; n += 256)
        tile[n / 24][n % 24] = in[(blockIdx.y * 16 + n / 24) * stride + blockIdx.x * 16 + n % 24];
    __syncthreads();
    for (unsigned n = y; n < 24; n += 16) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 9; ++k)
            sum = fmaf(tile[n][x + k], w[k], sum);
        rows[n][x] = sum;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k)
        sum = fmaf(rows[y + k][x], w[k], sum);
    unsigned row = blockIdx.y * 16 + y;
    if (row < height)
        out[row * width + blockIdx.x * 16 + x] = sum;
}

__device__ void order(unsigned &a, unsigned &b) {
    unsigned low = min(a, b);
    b = max(a, b);
    a = low;
}

extern "C" __global__ void median(const unsigned *in, unsigned *out, unsigned width) {
    unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, v[9];
#pragma unroll
    for (int k = 0; k < 9; ++k)
        v[k] = in[(y + k / 3) * (width + 2) + x + k % 3];
    order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
    order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
    order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
    order(v[0], v[3]), order(v[5], v[8]), order(v[4], v[7]);
    order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]);
    order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]);
    order(v[4], v[2]);
    out[y * width + x] = v[4];
}
