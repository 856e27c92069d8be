// CUB's warp-wide algorithms.
// make: nvcc 75 90a
// make: clang 86
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

template <typename T, int W> __device__ void all(const T *in, T *out) {
    using Reduce = cub::WarpReduce<T, W>;
    using Scan = cub::WarpScan<T, W>;
    __shared__ typename Reduce::TempStorage r[8];
    __shared__ typename Scan::TempStorage s[8];
    T v = in[threadIdx.x], inc, exc;
    T sum = Reduce(r[threadIdx.x / 32]).Sum(v);
    Scan(s[threadIdx.x / 32]).Scan(v, inc, exc, [](T a, T b) { return a < b ? b : a; });
    out[threadIdx.x] = sum + inc + exc;
}
struct Less { template <typename T> __device__ bool operator()(T a, T b) const { return a < b; } };
extern "C" __global__ void warp_i32(const int *i, int *o) { all<int, 32>(i, o); }
extern "C" __global__ void warp_f64(const double *i, double *o) { all<double, 32>(i, o); }
extern "C" __global__ void warp_u16(const unsigned short *i, unsigned short *o) { all<unsigned short, 8>(i, o); }
extern "C" __global__ void warp_f32_20(const float *i, float *o) { all<float, 20>(i, o); }
extern "C" __global__ void warp_sort(int *d) {
    using Sort = cub::WarpMergeSort<int, 4, 32>;
    __shared__ typename Sort::TempStorage s[4];
    int v[4];
    for (int i = 0; i < 4; ++i)
        v[i] = d[threadIdx.x * 4 + i];
    Sort(s[threadIdx.x / 32]).Sort(v, Less());
    for (int i = 0; i < 4; ++i)
        d[threadIdx.x * 4 + i] = v[i];
}
