// Small systems in shared memory: LU with pivots, Cholesky, forward substitution, sparse products, power iteration.
// make: nvcc 90 -fmad=false
// run: --kernel lu --grid 1 --block 16,16 --arg f64[256]=random:1 --arg u32[16]=0 --print 0:8 --print 1
// run: --kernel lu --grid 3 --block 8,8 --arg f64[192]=random:2 --arg u32[24]=0 --print 0:8 --print 1
// run: --kernel lu --grid 2 --block 5,5 --arg f64[50]=random:3 --arg u32[10]=0 --print 0:8 --print 1
// run: --kernel cholesky --grid 1 --block 32 --arg f32[1024]=random:4 --arg f32[1024]=0 --print 1:8
// run: --kernel cholesky --grid 2 --block 10 --arg f32[200]=random:5 --arg f32[200]=0 --print 1:8
// run: --kernel cholesky --grid 4 --block 3 --arg f32[36]=iota --arg f32[36]=0 --print 1:9
// run: --kernel sparse_product --grid 2 --block 64 --arg u8[600]=random:6 --arg f32[64]=random:7 --arg f32[60]=0 --arg u32=60 --print 2:8
// run: --kernel sparse_product --grid 1 --block 32 --arg u8[100]=iota --arg f32[64]=random:8 --arg f32[10]=0 --arg u32=10 --print 2
// run: --kernel sparse_product --grid 5 --block 32,3 --arg u8[900]=random:9 --arg f32[64]=iota --arg f32[90]=0 --arg u32=90 --print 2:8
// run: --kernel tridiagonal --grid 1 --block 4 --arg f64[64]=random:10 --arg f64[64]=0 --arg u32=16 --print 1:8
// run: --kernel tridiagonal --grid 2 --block 33 --arg f64[660]=random:11 --arg f64[660]=0 --arg u32=10 --print 1:8
// run: --kernel tridiagonal --grid 1 --block 1 --arg f64[31]=iota --arg f64[31]=0 --arg u32=31 --print 1:8

// A square matrix for each block, an element a thread.
extern "C" __global__ void lu(double *matrices, unsigned *pivots) {
    __shared__ double a[16][16];
    __shared__ unsigned best;
    unsigned x = threadIdx.x, y = threadIdx.y, n = blockDim.x;
    double *own = matrices + (blockIdx.x * n + y) * n + x;
    a[y][x] = *own;
    for (unsigned k = 0; k < n; ++k) {
        __syncthreads();
        if (x == 0 && y == 0) {
            best = k;
            for (unsigned r = k + 1; r < n; ++r)
                if (fabs(a[r][k]) > fabs(a[best][k]))
                    best = r;
            pivots[blockIdx.x * n + k] = best;
        }
        __syncthreads();
        if (y == 0 && best != k) {
            double swap = a[k][x];
            a[k][x] = a[best][x];
            a[best][x] = swap;
        }
        __syncthreads();
        if (x == k && y > k)
            a[y][k] /= a[k][k];
        __syncthreads();
        if (x > k && y > k)
            a[y][x] -= a[y][k] * a[k][x];
    }
    __syncthreads();
    *own = a[y][x];
}

// The factor of m * transposed(m) + n, a row a thread.
extern "C" __global__ void cholesky(const float *matrices, float *factors) {
    __shared__ float m[32][33], a[32][33];
    unsigned n = blockDim.x, row = threadIdx.x;
    for (unsigned c = 0; c < n; ++c)
        m[row][c] = matrices[(blockIdx.x * n + row) * n + c];
    __syncthreads();
    for (unsigned c = 0; c < n; ++c) {
        float sum = row == c ? (float)n : 0.0f;
        for (unsigned k = 0; k < n; ++k)
            sum = fmaf(m[row][k], m[c][k], sum);
        a[row][c] = sum;
    }
    for (unsigned c = 0; c < n; ++c) {
        __syncthreads();
        if (row == c)
            a[c][c] = sqrtf(a[c][c]);
        __syncthreads();
        if (row > c)
            a[row][c] = a[row][c] / a[c][c];
        __syncthreads();
        if (row > c)
            for (unsigned k = c + 1; k <= row; ++k)
                a[row][k] = fmaf(-a[row][c], a[k][c], a[row][k]);
    }
    for (unsigned c = 0; c < n; ++c)
        factors[(blockIdx.x * n + row) * n + c] = c <= row ? a[row][c] : 0.0f;
}

// A row a warp; rows have from 0 to 9 elements in ten bytes: how many, then columns; whole warps.
extern "C" __global__ void sparse_product(const unsigned char *rows, const float *vector, float *out, unsigned count) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, warps = blockDim.x * blockDim.y / 32, lane = t % 32;
    for (unsigned r = blockIdx.x * warps + t / 32; r < count; r += gridDim.x * warps) {
        unsigned length = rows[10 * r] % 10;
        float sum = 0;
        for (unsigned k = lane; k < length; k += 32) {
            unsigned column = rows[10 * r + 1 + k] % 64;
            sum = fmaf((float)(k + 1), vector[column], sum);
        }
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(~0u, sum, step);
        if (lane == 0)
            out[r] = sum;
    }
}

// Thomas's method for a system with 4 on the diagonal and 1 beside it; its helper array is in local memory.
extern "C" __global__ void tridiagonal(const double *right, double *out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    double upper[32];
    right += i * n, out += i * n;
    upper[0] = 1.0 / 4.0;
    out[0] = right[0] / 4.0;
    for (unsigned k = 1; k < n; ++k) {
        double by = 4.0 - upper[k - 1];
        upper[k] = 1.0 / by;
        out[k] = (right[k] - out[k - 1]) / by;
    }
    for (unsigned k = n - 1; k-- > 0;)
        out[k] -= upper[k] * out[k + 1];
}
