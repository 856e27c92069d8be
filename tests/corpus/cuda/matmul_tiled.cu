// Matrix multiplication by register and shared-memory tiles, for float, double and packed bytes.
// make: nvcc 75 80 86 90a 100a 120
// make: nvcc 80 @nofma -fmad=false
// make: nvrtc 60 70
// make: clang 75 90a

template <typename T, int BM, int BN, int BK, int TM, int TN>
__device__ void matmul(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c, int m, int n, int k, T alpha, T beta) {
    __shared__ T as[BK][BM], bs[BK][BN];
    constexpr int THREADS = (BM / TM) * (BN / TN);
    const int tx = threadIdx.x % (BN / TN), ty = threadIdx.x / (BN / TN);
    const int row = blockIdx.y * BM, col = blockIdx.x * BN;
    T acc[TM][TN] = {};
    for (int k0 = 0; k0 < k; k0 += BK) {
#pragma unroll
        for (int i = threadIdx.x; i < BM * BK; i += THREADS)
            as[i % BK][i / BK] = a[(size_t)(row + i / BK) * k + k0 + i % BK];
#pragma unroll
        for (int i = threadIdx.x; i < BN * BK; i += THREADS)
            bs[i / BN][i % BN] = b[(size_t)(k0 + i / BN) * n + col + i % BN];
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < BK; ++kk) {
            T ra[TM], rb[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i)
                ra[i] = as[kk][ty * TM + i];
#pragma unroll
            for (int j = 0; j < TN; ++j)
                rb[j] = bs[kk][tx * TN + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            size_t at = (size_t)(row + ty * TM + i) * n + col + tx * TN + j;
            c[at] = alpha * acc[i][j] + beta * c[at];
        }
}

extern "C" __global__ void __launch_bounds__(256, 2)
    matmul_f32(const float *a, const float *b, float *c, int m, int n, int k, float alpha, float beta) {
    matmul<float, 128, 128, 8, 8, 8>(a, b, c, m, n, k, alpha, beta);
}
extern "C" __global__ void __launch_bounds__(256)
    matmul_f64(const double *a, const double *b, double *c, int m, int n, int k, double alpha, double beta) {
    matmul<double, 64, 64, 8, 4, 4>(a, b, c, m, n, k, alpha, beta);
}
extern "C" __global__ void __launch_bounds__(64)
    matmul_i32(const int *a, const int *b, int *c, int m, int n, int k, int alpha, int beta) {
    matmul<int, 32, 32, 8, 4, 4>(a, b, c, m, n, k, alpha, beta);
}
extern "C" __global__ void matmul_s8(const int *a, const int *b, int *c, int n, int k4) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, sum = 0;
#if __CUDA_ARCH__ >= 610
#pragma unroll 8
    for (int i = 0; i < k4; ++i)
        sum = __dp4a(a[row * k4 + i], b[col * k4 + i], sum);
#else
    for (int i = 0; i < k4 * 4; ++i)
        sum += ((const signed char *)a)[row * 4 * k4 + i] * ((const signed char *)b)[col * 4 * k4 + i];
#endif
    c[row * n + col] = sum;
}
