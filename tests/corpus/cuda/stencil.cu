// Finite differences: coefficients in constant memory, halo in shared memory, read-only loads.
// make: nvcc 75 86 100a
// make: nvcc 90a @lineinfo -lineinfo
// make: nvrtc 60 70
// make: clang 80 100a

#define R 4
__constant__ float coeff[R + 1] = {-2.847f, 1.6f, -0.2f, 0.0253968f, -0.001785714f};
__constant__ double scale;

extern "C" __global__ void stencil_1d(const double *__restrict__ in, double *__restrict__ out, int n) {
    __shared__ double s[256 + 2];
    int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x + 1;
    s[t] = i < n ? in[i] : 0.0;
    if (threadIdx.x == 0)
        s[0] = i ? in[i - 1] : 0.0;
    if (threadIdx.x == 255)
        s[257] = i + 1 < n ? in[i + 1] : 0.0;
    __syncthreads();
    if (i < n)
        out[i] = fma(scale, s[t - 1] - 2.0 * s[t] + s[t + 1], s[t]);
}

extern "C" __global__ void stencil_3d(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz) {
    __shared__ float s[16 + 2 * R][16 + 2 * R];
    const int x = blockIdx.x * 16 + threadIdx.x + R, y = blockIdx.y * 16 + threadIdx.y + R;
    const size_t plane = (size_t)nx * ny;
    size_t idx = (size_t)y * nx + x;
    float behind[R], ahead[R], here;
#pragma unroll
    for (int r = R - 1; r >= 0; --r, idx += plane)
        behind[r] = __ldg(&in[idx]);
    here = __ldg(&in[idx]);
    size_t at = idx;
    idx += plane;
#pragma unroll
    for (int r = 0; r < R; ++r, idx += plane)
        ahead[r] = __ldg(&in[idx]);
    for (int z = R; z < nz - R; ++z) {
        __syncthreads();
        if (threadIdx.y < R) {
            s[threadIdx.y][threadIdx.x + R] = in[at - R * nx];
            s[threadIdx.y + 16 + R][threadIdx.x + R] = in[at + 16 * nx];
        }
        if (threadIdx.x < R) {
            s[threadIdx.y + R][threadIdx.x] = in[at - R];
            s[threadIdx.y + R][threadIdx.x + 16 + R] = in[at + 16];
        }
        s[threadIdx.y + R][threadIdx.x + R] = here;
        __syncthreads();
        float v = coeff[0] * here;
#pragma unroll
        for (int r = 1; r <= R; ++r)
            v += coeff[r] * (ahead[r - 1] + behind[r - 1] + s[threadIdx.y + R - r][threadIdx.x + R] +
                             s[threadIdx.y + R + r][threadIdx.x + R] + s[threadIdx.y + R][threadIdx.x + R - r] +
                             s[threadIdx.y + R][threadIdx.x + R + r]);
        out[at] = v;
        at += plane;
#pragma unroll
        for (int r = R - 1; r > 0; --r)
            behind[r] = behind[r - 1];
        behind[0] = here;
        here = ahead[0];
#pragma unroll
        for (int r = 0; r < R - 1; ++r)
            ahead[r] = ahead[r + 1];
        if (z + R + 1 < nz) {
            ahead[R - 1] = in[idx];
            idx += plane;
        }
    }
}
