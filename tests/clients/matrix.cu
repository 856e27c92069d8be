#include "check.h"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void multiply(const __half *a, const __half *b, float *c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < 64; k += 16) {
        wmma::load_matrix_sync(x, a + k, 64);
        wmma::load_matrix_sync(y, b + k, 64);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
int main() {
    Buffer<__half> a(16 * 64), b(16 * 64);
    Buffer<float> c(16 * 16);
    for (int i = 0; i < 16 * 64; i++) a[i] = __float2half(float(i % 9) - 4), b[i] = __float2half(float(i % 5));
    multiply<<<1, 32>>>(a.data, b.data, c.data);
    finish();
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            float sum = 0;
            for (int k = 0; k < 64; k++) sum += (float((i * 64 + k) % 9) - 4) * float((j * 64 + k) % 5);
            expect("element", c[i * 16 + j], sum);
        }
    std::puts("ok");
}
