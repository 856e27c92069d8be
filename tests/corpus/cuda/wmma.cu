// The nvcuda::wmma interface over every element type and shape.
// make: nvcc 75 80 86 90a 100a 120
// make: nvrtc 70
// make: clang 80
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, typename A, typename C, typename LA, typename LB, typename In, typename Out>
__device__ void product(const In *a, const In *b, const Out *c, Out *d, int ld) {
    wmma::fragment<wmma::matrix_a, M, N, K, A, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, A, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> fc;
    wmma::load_matrix_sync(fc, c, ld, wmma::mem_row_major);
    for (int k = 0; k < 64; k += K) {
        wmma::load_matrix_sync(fa, a + k, ld);
        wmma::load_matrix_sync(fb, b + k, ld);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; ++i)
        fc.x[i] = fc.x[i] + fc.x[i];
    wmma::store_matrix_sync(d, fc, ld, wmma::mem_col_major);
}

#if !defined(__clang__) || defined(__CUDA_ARCH__)
extern "C" __global__ void wmma_f16_f32(const half *a, const half *b, float *c) {
    product<16, 16, 16, half, float, wmma::row_major, wmma::col_major>(a, b, c, c, 64);
    product<32, 8, 16, half, float, wmma::col_major, wmma::col_major>(a, b, c, c, 64);
    product<8, 32, 16, half, float, wmma::row_major, wmma::row_major>(a, b, c, c, 64);
}
extern "C" __global__ void wmma_f16_f16(const half *a, const half *b, half *c) {
    product<16, 16, 16, half, half, wmma::col_major, wmma::row_major>(a, b, c, c, 64);
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> f;
    wmma::fill_fragment(f, __float2half(1.5f));
    wmma::store_matrix_sync(c, f, 16, wmma::mem_row_major);
}
#endif
#if __CUDA_ARCH__ >= 720
extern "C" __global__ void wmma_s8(const signed char *a, const signed char *b, int *c) {
    product<16, 16, 16, signed char, int, wmma::row_major, wmma::col_major>(a, b, c, c, 64);
    product<32, 8, 16, signed char, int, wmma::row_major, wmma::col_major>(a, b, c, c, 64);
}
extern "C" __global__ void wmma_u8(const unsigned char *a, const unsigned char *b, int *c) {
    product<8, 32, 16, unsigned char, int, wmma::row_major, wmma::col_major>(a, b, c, c, 64);
}
#endif
#if __CUDA_ARCH__ >= 750 && __CUDA_ARCH__ < 1000 && !defined(__clang__)
extern "C" __global__ void wmma_sub_byte(const unsigned *a, const unsigned *b, int *c) {
    using namespace wmma::experimental;
    wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> fc;
    wmma::fill_fragment(fc, 0);
    wmma::load_matrix_sync(fa, a, 32);
    wmma::load_matrix_sync(fb, b, 32);
    wmma::mma_sync(fc, fa, fb, fc, true);
    wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
    wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> ba;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> bb;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> bc;
    wmma::load_matrix_sync(bc, c, 8, wmma::mem_row_major);
    wmma::load_matrix_sync(ba, a, 128);
    wmma::load_matrix_sync(bb, b, 128);
    wmma::bmma_sync(bc, ba, bb, bc);
#if __CUDA_ARCH__ >= 800
    wmma::bmma_sync(bc, ba, bb, bc, bmmaBitOpAND);
#endif
    wmma::store_matrix_sync(c, bc, 8, wmma::mem_row_major);
}
#endif
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void wmma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c) {
    product<16, 16, 16, __nv_bfloat16, float, wmma::row_major, wmma::col_major>(a, b, c, c, 64);
    product<8, 32, 16, __nv_bfloat16, float, wmma::col_major, wmma::row_major>(a, b, c, c, 64);
}
extern "C" __global__ void wmma_f64(const double *a, const double *b, double *c) {
    product<8, 8, 4, double, double, wmma::row_major, wmma::col_major>(a, b, c, c, 64);
}
extern "C" __global__ void wmma_tf32(const float *a, const float *b, float *c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
    wmma::fill_fragment(fc, 0.f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    for (int i = 0; i < fa.num_elements; ++i)
        fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
#endif
