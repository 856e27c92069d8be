// Thrust algorithms on device vectors.
// make: nvcc 86 120
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
struct Axpy { float a; __device__ float operator()(float x, float y) const { return a * x + y; } };
struct Point { float x, y, z; };
struct Nearer { __device__ bool operator()(const Point &a, const Point &b) const { return a.x * a.x + a.y * a.y + a.z * a.z < b.x * b.x + b.y * b.y + b.z * b.z; } };
struct Small { __device__ bool operator()(int v) const { return v < 10; } };
void keep(thrust::device_vector<float> &x, thrust::device_vector<float> &y, thrust::device_vector<int> &k, thrust::device_vector<Point> &p) {
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Axpy{2.f});
    thrust::sort_by_key(k.begin(), k.end(), x.begin());
    thrust::sort(p.begin(), p.end(), Nearer());
    thrust::remove_if(k.begin(), k.end(), Small());
    x[0] = thrust::reduce(y.begin(), y.end(), 0.f);
    thrust::sequence(k.begin(), k.end());
    thrust::unique(k.begin(), k.end());
    thrust::inclusive_scan(y.begin(), y.end(), x.begin());
}
