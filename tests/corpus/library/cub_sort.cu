// CUB's device-wide radix sort over keys of several types, and over pairs.
// make: nvcc 80 90a 120
#include <cub/device/device_radix_sort.cuh>
template <typename K> void sort(void *t, size_t &n, const K *a, K *b, int items) { cub::DeviceRadixSort::SortKeys(t, n, a, b, items); }
void keep(void *t, size_t &n, void *a, void *b, void *c, void *d, int items) {
    sort(t, n, (const unsigned *)a, (unsigned *)b, items);
    sort(t, n, (const long long *)a, (long long *)b, items);
    sort(t, n, (const float *)a, (float *)b, items);
    cub::DeviceRadixSort::SortPairsDescending(t, n, (const unsigned short *)a, (unsigned short *)b, (const double *)c, (double *)d, items);
}
