// libcu++: complex, mdspan, tuple, optional, variant, span, bit, chrono, charconv-free algorithms.
// make: nvcc 75 90a 120
// make: nvrtc 70
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>
namespace std_ = cuda::std;

extern "C" __global__ void complex_math(const std_::complex<float> *a, std_::complex<float> *b, std_::complex<double> *c) {
    int i = threadIdx.x;
    b[i] = std_::exp(a[i]) + std_::sqrt(a[i]) * std_::conj(a[i]) / a[i + 1];
    c[i] = std_::polar(2.0, c[i].real()) + std_::pow(c[i], 3.0) + std_::log(c[i]) + std_::abs(c[i]);
}
extern "C" __global__ void spans(float *p, int n, int m) {
    std_::mdspan<float, std_::extents<int, std_::dynamic_extent, std_::dynamic_extent>> v(p, n, m);
    std_::mdspan<float, std_::extents<int, 8, 8>, std_::layout_left> w(p + n * m);
    for (int i = threadIdx.x; i < v.extent(0); i += blockDim.x)
        for (int j = 0; j < v.extent(1); ++j)
            v(i, j) += w(i & 7, j & 7);
    std_::span<float, 16> s(p, 16);
    for (float &f : s.subspan(3, 5))
        f *= 2;
}
__device__ __noinline__ std_::optional<int> halve(int v) { return v & 1 ? std_::optional<int>() : v / 2; }
__device__ __noinline__ std_::tuple<int, float, char> split(int v) { return {v, v * .5f, (char)v}; }
extern "C" __global__ void values(int *out) {
    int i = threadIdx.x;
    auto [a, b, c] = split(i);
    std_::variant<int, float, double> v;
    if (i & 1)
        v = a;
    else
        v = b;
    out[i] = halve(i).value_or(-1) + c + (int)std_::visit([](auto x) { return (double)x; }, v);
    std_::array<unsigned, 4> w = {1u, 2u, (unsigned)i, 4u};
    out[i] += std_::popcount(w[2]) + std_::countl_zero(w[i & 3]) + std_::rotl(w[1], i) + std_::bit_ceil(w[2]);
    out[i] += std_::chrono::duration_cast<std_::chrono::microseconds>(std_::chrono::system_clock::now().time_since_epoch()).count();
}
