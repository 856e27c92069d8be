// Small matrices: inverses by Gauss and Jordan, LU and Cholesky factors, eigenvalues by Jacobi's rotations, chains of 4 x 4.
// make: nvcc 90 -fmad=false
// run: --kernel inverse --grid 2 --block 32,8 --arg f32[2048]=random:1 --print 0:4
// bench: --kernel inverse --grid 2112 --block 32,8 --arg f32[2162688]=random:1
// run: --kernel lu --grid 2 --block 32 --arg f64[1024]=random:2 --print 0:4
// bench: --kernel lu --grid 1056 --block 64 --arg f64[1081344]=random:2
// run: --kernel cholesky --grid 2 --block 32 --arg f32[2304]=random:3 --print 0:4
// bench: --kernel cholesky --grid 528 --block 128 --arg f32[2433024]=random:3
// run: --kernel jacobi --grid 2 --block 32 --arg f32[640]=random:4 --arg u32=2 --print 0:4
// bench: --kernel jacobi --grid 1056 --block 128 --arg f32[1351680]=random:4 --arg u32=6
// run: --kernel chain --grid 2 --block 32 --arg f32[1024]=random:5 --arg u32=3 --print 0:4
// bench: --kernel chain --grid 1056 --block 128 --arg f32[2162688]=random:5 --arg u32=100

// 32 x 32 by a block; the diagonal is made heavy, so that no rows are exchanged.
extern "C" __global__ void inverse(float *data) {
    __shared__ float a[32][33], b[32][33];
    unsigned x = threadIdx.x, y = threadIdx.y;
    float *mine = data + blockIdx.x * 1024;
    for (unsigned r = y; r < 32; r += 8) {
        a[r][x] = mine[r * 32 + x] + (r == x ? 32 : 0);
        b[r][x] = r == x;
    }
    for (unsigned k = 0; k < 32; ++k) {
        __syncthreads();
        float scale = 1.0f / a[k][k], factor[4];
        for (int n = 0; n < 4; ++n)
            factor[n] = a[y + 8 * n][k];
        __syncthreads();
        if (y == 0)
            a[k][x] *= scale;
        if (y == 1)
            b[k][x] *= scale;
        __syncthreads();
        for (int n = 0; n < 4; ++n) {
            unsigned r = y + 8 * n;
            if (r != k) {
                a[r][x] = fmaf(-factor[n], a[k][x], a[r][x]);
                b[r][x] = fmaf(-factor[n], b[k][x], b[r][x]);
            }
        }
    }
    __syncthreads();
    for (unsigned r = y; r < 32; r += 8)
        mine[r * 32 + x] = b[r][x];
}

// 16 x 16 by half a warp: a lane has a column in registers.
extern "C" __global__ void lu(double *data) {
    unsigned lane = threadIdx.x & 15, group = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    double *mine = data + group * 256, c[16];
#pragma unroll
    for (int r = 0; r < 16; ++r)
        c[r] = mine[r * 16 + lane] + (r == lane ? 16 : 0);
#pragma unroll
    for (int k = 0; k < 15; ++k) {
        double inverse = 1.0 / c[k];
#pragma unroll
        for (int r = k + 1; r < 16; ++r) {
            double factor = __shfl_sync(~0u, c[r] * inverse, k, 16);
            c[r] = lane == k ? factor : lane > k ? fma(-factor, c[k], c[r]) : c[r];
        }
    }
#pragma unroll
    for (int r = 0; r < 16; ++r)
        mine[r * 16 + lane] = c[r];
}

// A thread has the lower half of 8 x 8 numbers.
extern "C" __global__ void cholesky(float *data) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float a[36];
#pragma unroll
    for (int k = 0; k < 36; ++k)
        a[k] = data[k * all + i];
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
        for (int c = 0; c <= r; ++c) {
            float sum = a[r * (r + 1) / 2 + c] + (r == c ? 8.0f : 0.0f);
#pragma unroll
            for (int k = 0; k < c; ++k)
                sum = fmaf(-a[r * (r + 1) / 2 + k], a[c * (c + 1) / 2 + k], sum);
            a[r * (r + 1) / 2 + c] = r == c ? sqrtf(sum) : sum / a[c * (c + 1) / 2 + c];
        }
#pragma unroll
    for (int k = 0; k < 36; ++k)
        data[k * all + i] = a[k];
}

// A thread has a symmetric matrix of 4 x 4.
extern "C" __global__ void jacobi(float *data, unsigned sweeps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float a[4][4];
    for (int r = 0, k = 0; r < 4; ++r)
        for (int c = 0; c <= r; ++c, ++k)
            a[r][c] = a[c][r] = data[k * all + i];
    for (unsigned n = 0; n < sweeps; ++n)
#pragma unroll
        for (int p = 0; p < 3; ++p)
#pragma unroll
            for (int q = p + 1; q < 4; ++q) {
                float off = a[p][q];
                if (fabsf(off) < 1e-9f)
                    continue;
                float theta = (a[q][q] - a[p][p]) / (2 * off);
                float t = copysignf(1.0f, theta) / (fabsf(theta) + sqrtf(fmaf(theta, theta, 1.0f)));
                float c = rsqrtf(fmaf(t, t, 1.0f)), s = t * c;
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float x = a[k][p], y = a[k][q];
                    a[k][p] = fmaf(c, x, -s * y);
                    a[k][q] = fmaf(s, x, c * y);
                }
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float x = a[p][k], y = a[q][k];
                    a[p][k] = fmaf(c, x, -s * y);
                    a[q][k] = fmaf(s, x, c * y);
                }
            }
    for (int k = 0; k < 4; ++k)
        data[k * all + i] = a[k][k];
}

extern "C" __global__ void chain(float *data, unsigned times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float a[4][4], b[4][4];
    for (int k = 0; k < 16; ++k) {
        a[k / 4][k % 4] = data[k * all + i];
        b[k / 4][k % 4] = 0.3f * a[k / 4][k % 4] + (k % 5 == 0 ? 0.25f : 0.0f);
    }
    for (unsigned n = 0; n < times; ++n) {
        float c[4][4];
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float sum = 0;
#pragma unroll
            for (int j = 0; j < 4; ++j)
                sum = fmaf(a[k / 4][j], b[j][k % 4], sum);
            c[k / 4][k % 4] = sum;
        }
#pragma unroll
        for (int k = 0; k < 16; ++k)
            a[k / 4][k % 4] = c[k / 4][k % 4];
    }
    for (int k = 0; k < 16; ++k)
        data[k * all + i] = a[k / 4][k % 4];
}
