#include "check.h"
constexpr int T = 16;
__global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float x[T][T], y[T][T + 1];
    int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < n; tile += T) {
        x[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += x[threadIdx.y][k] * y[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
int main() {
    int n = 128;
    Buffer<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) a[i] = float(i % 7), b[i] = float(i % 5);
    matmul<<<dim3(n / T, n / T), dim3(T, T)>>>(a.data, b.data, c.data, n);
    finish();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            expect("element", c[i * n + j], sum);
        }
    std::puts("ok");
}
