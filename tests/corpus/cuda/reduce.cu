// Reductions: shuffle tree, shared-memory tree, grid-wide finish by atomics.
// make: nvcc 75 80 86 90a 100a 120
// make: nvcc 80 @lineinfo -lineinfo
// make: nvcc 75 @debug -G
// make: nvrtc 60 70
// make: clang 60 80 90a
// make: clang 75 @O0 -O0

template <typename T> struct Sum { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct Max { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };

template <typename T, typename Op> __device__ T warp_reduce(T v, Op op) {
#pragma unroll
    for (int d = 16; d > 0; d >>= 1)
        v = op(v, __shfl_down_sync(0xffffffffu, v, d));
    return v;
}

template <typename T, typename Op> __device__ T block_reduce(T v, Op op, T zero) {
    __shared__ T part[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    v = warp_reduce(v, op);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    v = threadIdx.x < (blockDim.x >> 5) ? part[lane] : zero;
    if (warp == 0)
        v = warp_reduce(v, op);
    return v;
}

template <typename T, typename Op>
__device__ void grid_reduce(const T *in, T *out, int n, Op op, T zero) {
    T v = zero;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v = op(v, in[i]);
    v = block_reduce(v, op, zero);
    if (threadIdx.x == 0)
        out[blockIdx.x] = v;
}

extern "C" __global__ void sum_i32(const int *in, int *out, int n) { grid_reduce(in, out, n, Sum<int>(), 0); }
extern "C" __global__ void sum_f32(const float *in, float *out, int n) { grid_reduce(in, out, n, Sum<float>(), 0.f); }
extern "C" __global__ void sum_f64(const double *in, double *out, int n) { grid_reduce(in, out, n, Sum<double>(), 0.0); }
extern "C" __global__ void max_i64(const long long *in, long long *out, int n) {
    grid_reduce(in, out, n, Max<long long>(), -0x7fffffffffffffffLL);
}
extern "C" __global__ void max_u8(const unsigned char *in, unsigned char *out, int n) {
    grid_reduce(in, out, n, Max<unsigned char>(), (unsigned char)0);
}

__device__ unsigned finished;

// The last block to finish adds the partial results up.
extern "C" __global__ void sum_once(const float4 *in, volatile float *partial, float *out, int n) {
    __shared__ bool last;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        float4 q = in[i];
        v += (q.x + q.y) + (q.z + q.w);
    }
    v = block_reduce(v, Sum<float>(), 0.f);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    v = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        v += partial[i];
    v = block_reduce(v, Sum<float>(), 0.f);
    if (threadIdx.x == 0) {
        *out = v;
        finished = 0;
    }
}
