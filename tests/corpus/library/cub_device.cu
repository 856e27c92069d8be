// CUB's device-wide reduce, scan, select, run lengths and histogram.
// make: nvcc 75 100a
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cuda/functional>
struct Odd { __device__ bool operator()(int v) const { return v & 1; } };
struct Less { __device__ bool operator()(float a, float b) const { return a < b; } };
void keep(void *t, size_t &n, int *a, int *b, int *c, float *f, double *d, unsigned char *u, int items) {
    cub::DeviceReduce::Sum(t, n, f, f + 1, items);
    cub::DeviceReduce::Max(t, n, d, d + 1, items);
    cub::DeviceReduce::ReduceByKey(t, n, a, b, f, f + 5, c, cuda::maximum<>(), items);
    cub::DeviceScan::ExclusiveSum(t, n, a, b, items);
    cub::DeviceScan::InclusiveScan(t, n, d, d + 1, cuda::maximum<>(), items);
    cub::DeviceSelect::If(t, n, a, b, c, items, Odd());
    cub::DeviceSelect::Unique(t, n, f, f + 1, c, items);
    cub::DeviceRunLengthEncode::Encode(t, n, a, b, c, c + 1, items);
    cub::DeviceHistogram::HistogramEven(t, n, u, a, 257, 0, 256, items);
    cub::DeviceMergeSort::SortKeys(t, n, f, items, Less());
}
