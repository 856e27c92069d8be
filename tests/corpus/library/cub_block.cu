// CUB's block-wide algorithms over several types.
// make: nvcc 75 80 90a 120
// make: nvrtc 60 70
// make: clang 80
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

template <typename T, int N, int ITEMS> __device__ void all(const T *in, T *out) {
    using Load = cub::BlockLoad<T, N, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<T, N, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<T, N, cub::BLOCK_SCAN_WARP_SCANS>;
    using Reduce = cub::BlockReduce<T, N, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
    using Sort = cub::BlockRadixSort<T, N, ITEMS>;
    using Exchange = cub::BlockExchange<T, N, ITEMS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
        typename Reduce::TempStorage reduce;
        typename Sort::TempStorage sort;
        typename Exchange::TempStorage exchange;
    } s;
    T v[ITEMS];
    Load(s.load).Load(in + blockIdx.x * N * ITEMS, v);
    __syncthreads();
    Sort(s.sort).Sort(v);
    __syncthreads();
    Scan(s.scan).InclusiveSum(v, v);
    __syncthreads();
    T sum = Reduce(s.reduce).Sum(v);
    __syncthreads();
    Exchange(s.exchange).BlockedToStriped(v, v);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
    Store(s.store).Store(out + blockIdx.x * N * ITEMS, v);
}

extern "C" __global__ void block_i32(const int *i, int *o) { all<int, 128, 4>(i, o); }
extern "C" __global__ void block_u64(const unsigned long long *i, unsigned long long *o) { all<unsigned long long, 64, 3>(i, o); }
extern "C" __global__ void block_f32(const float *i, float *o) { all<float, 256, 2>(i, o); }
extern "C" __global__ void block_u8(const unsigned char *i, unsigned char *o) { all<unsigned char, 128, 8>(i, o); }

struct Less { template <typename T> __device__ bool operator()(T a, T b) const { return a < b; } };
extern "C" __global__ void block_merge(double *d) {
    using Sort = cub::BlockMergeSort<double, 128, 4>;
    __shared__ typename Sort::TempStorage s;
    double v[4];
    for (int i = 0; i < 4; ++i)
        v[i] = d[threadIdx.x * 4 + i];
    Sort(s).Sort(v, Less());
    for (int i = 0; i < 4; ++i)
        d[threadIdx.x * 4 + i] = v[i];
}
extern "C" __global__ void block_histogram(unsigned char *d, unsigned *bins) {
    using Histogram = cub::BlockHistogram<unsigned char, 128, 4, 256, cub::BLOCK_HISTO_ATOMIC>;
    __shared__ typename Histogram::TempStorage s;
    __shared__ unsigned h[256];
    unsigned char v[4];
    for (int i = 0; i < 4; ++i)
        v[i] = d[threadIdx.x * 4 + i];
    Histogram(s).Histogram(v, h);
    __syncthreads();
    bins[threadIdx.x] = h[threadIdx.x];
}
