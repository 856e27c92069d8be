// Linkage: extern, weak, static and visible functions and variables, separate compilation, device launches.
// make: nvcc 75 90a @rdc -rdc=true
// make: nvcc 120
// make: nvrtc 60 70 @rdc --relocatable-device-code=true
// make: clang 80 @rdc -fgpu-rdc

extern __device__ int outside_variable;
extern __device__ double outside_table[];
extern __device__ int outside_function(int a, double b, const char *c);
struct Result { int a[5]; };
extern __device__ Result outside_struct(Result r);
extern "C" __device__ void outside_void();

__device__ __attribute__((weak)) int weak_function(int a) { return a + 1; }
static __device__ __noinline__ int static_function(int a) { return a * 3; }
__device__ __noinline__ int visible_function(int a) { return static_function(a) - weak_function(a); }
template <typename T> __device__ __noinline__ T template_function(T a) { return a * a; }
namespace { __device__ __noinline__ int hidden_function(int a) { return a ^ 0x55; } }
__device__ int visible_variable = 5;
static __device__ int static_variable[4] = {1, 2, 3, 4};
__constant__ int visible_constant[3] = {7, 8, 9};
__device__ inline __noinline__ int inline_function(int a) { return a / 3; }

extern "C" __global__ void calls(int *out, int n) {
    out[0] = visible_function(n) + template_function(n) + hidden_function(n) + inline_function(n);
    out[1] = (int)template_function(2.5 * n) + visible_variable + static_variable[n & 3] + visible_constant[n % 3];
    static_variable[n & 3] = n;
#if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__) || defined(__CUDACC_RTC__)
    Result r = {};
    r = outside_struct(r);
    out[2] = outside_function(n, 2.0, "text") + outside_variable + (int)outside_table[n] + r.a[n % 5];
    outside_void();
#endif
}
__global__ void __attribute__((weak)) weak_kernel(int *out) { out[0] = 1; }
template <int N> __global__ void template_kernel(int *out) { out[0] = N; }
template __global__ void template_kernel<7>(int *);
static __global__ void static_kernel(int *out) { out[0] = 3; }
#ifndef __CUDACC_RTC__
void keep(int *p) { static_kernel<<<1, 1>>>(p); }
#endif
#if defined(__CUDACC_RDC__) && !defined(__CUDACC_RTC__) && !defined(__clang__)
extern "C" __global__ void launches(int *out, int depth) {
    if (threadIdx.x == 0 && depth > 0) {
        launches<<<2, 32>>>(out, depth - 1);
        calls<<<1, 32, 0, cudaStreamFireAndForget>>>(out, depth);
    }
}
#endif
