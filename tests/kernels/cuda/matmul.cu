// Matrix products without tensor cores: naive, tiled in shared memory, register-blocked, by dp4a.
// make: nvcc 90 -fmad=false
// run: --kernel matmul_naive --grid 2,2 --block 8,8 --arg f32[256]=random:1 --arg f32[256]=random:2 --arg f32[256]=0 --arg u32=16 --arg u32=16 --arg u32=16 --print 2:8
// run: --kernel matmul_naive --grid 3,1 --block 5,7 --arg f32[70]=iota --arg f32[130]=random:3 --arg f32[91]=0 --arg u32=7 --arg u32=13 --arg u32=10 --print 2:8
// run: --kernel matmul_naive --grid 1,1,1 --block 9,9 --arg f32[9]=iota --arg f32[9]=iota --arg f32[81]=0 --arg u32=9 --arg u32=9 --arg u32=1 --print 2:8
// run: --kernel matmul_tiled --grid 2,2 --block 16,16 --arg f32[1024]=random:4 --arg f32[1024]=random:5 --arg f32[1024]=0 --arg u32=32 --arg u32=32 --arg u32=32 --print 2:8
// run: --kernel matmul_tiled --grid 2,3 --block 16,16 --arg f32[1200]=random:6 --arg f32[900]=iota --arg f32[1200]=0 --arg u32=40 --arg u32=30 --arg u32=30 --print 2:8
// run: --kernel matmul_tiled --grid 1,1 --block 16,16 --arg f32[15]=random:7 --arg f32[15]=random:8 --arg f32[9]=0 --arg u32=3 --arg u32=3 --arg u32=5 --print 2
// run: --kernel matmul_blocked --grid 1,1 --block 8,8 --arg f64[1024]=random:9 --arg f64[1024]=random:10 --arg f64[1024]=0 --arg u32=32 --print 2:8
// run: --kernel matmul_blocked --grid 2,2 --block 8,8 --arg f64[4096]=random:11 --arg f64[4096]=random:12 --arg f64[4096]=0 --arg u32=64 --print 2:8
// run: --kernel matmul_blocked --grid 4,4 --block 2,2 --arg f64[1024]=iota --arg f64[1024]=random:13 --arg f64[1024]=0 --arg u32=32 --print 2:8
// run: --kernel matmul_dp4a --grid 1 --block 16,16 --arg u32[128]=random:14 --arg u32[128]=random:15 --arg s32[256]=0 --arg u32=8 --print 2:8
// run: --kernel matmul_dp4a --grid 2 --block 10,3 --arg u32[90]=random:16 --arg u32[150]=random:17 --arg s32[60]=0 --arg u32=15 --print 2:8
// run: --kernel matmul_dp4a --grid 3 --block 1,9 --arg u32[27]=random:18 --arg u32[1]=random:19 --arg s32[27]=0 --arg u32=1 --print 2:8

// c (rows x columns) = a (rows x depth) * b (depth x columns)
extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, unsigned rows, unsigned columns,
                                        unsigned depth) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows)
        return;
    float sum = 0;
    for (unsigned k = 0; k < depth; ++k)
        sum = fmaf(a[y * depth + k], b[k * columns + x], sum);
    c[y * columns + x] = sum;
}

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, unsigned rows, unsigned columns,
                                        unsigned depth) {
    __shared__ float left[16][16], right[16][17];
    unsigned tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    float sum = 0;
    for (unsigned base = 0; base < depth; base += 16) {
        left[ty][tx] = y < rows && base + tx < depth ? a[y * depth + base + tx] : 0;
        right[ty][tx] = x < columns && base + ty < depth ? b[(base + ty) * columns + x] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
            sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    if (x < columns && y < rows)
        c[y * columns + x] = sum;
}

// Square, sixteen results a thread.
extern "C" __global__ void matmul_blocked(const double *a, const double *b, double *c, unsigned side) {
    double sum[4][4] = {};
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 4, y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    for (unsigned k = 0; k < side; ++k) {
        double left[4], right[4];
        for (int i = 0; i < 4; ++i) {
            left[i] = a[(y + i) * side + k];
            right[i] = b[k * side + x + i];
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                sum[i][j] = fma(left[i], right[j], sum[i][j]);
    }
    for (int i = 0; i < 4; ++i) {
        double2 *row = (double2 *)&c[(y + i) * side + x];
        row[0] = make_double2(sum[i][0], sum[i][1]);
        row[1] = make_double2(sum[i][2], sum[i][3]);
    }
}

// Rows of a by rows of b, four signed bytes a word.
extern "C" __global__ void matmul_dp4a(const int *a, const int *b, int *c, unsigned words) {
    unsigned y = blockIdx.x * blockDim.y + threadIdx.y;
    int sum = 0;
    for (unsigned k = 0; k < words; ++k)
        sum = __dp4a(a[y * words + k], b[threadIdx.x * words + k], sum);
    c[y * blockDim.x + threadIdx.x] = sum;
}
