// Bitonic sort in registers, in shared memory and over global memory.
// make: nvcc 75 86 90a 120
// make: nvrtc 60 70
// make: clang 80 120

template <typename K> __device__ void exchange(K &a, K &b, bool up) {
    if ((b < a) == up) {
        K t = a;
        a = b;
        b = t;
    }
}

template <typename K> __device__ K warp_sort(K v) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int k = 2; k <= 32; k <<= 1)
#pragma unroll
        for (int j = k >> 1; j > 0; j >>= 1) {
            K w = __shfl_xor_sync(~0u, v, j);
            bool keep_min = ((lane & k) == 0) == ((lane & j) == 0);
            v = keep_min ? (w < v ? w : v) : (v < w ? w : v);
        }
    return v;
}

extern "C" __global__ void sort_warp_u32(unsigned *d) { int i = blockIdx.x * blockDim.x + threadIdx.x; d[i] = warp_sort(d[i]); }
extern "C" __global__ void sort_warp_f64(double *d) { int i = blockIdx.x * blockDim.x + threadIdx.x; d[i] = warp_sort(d[i]); }

template <typename K, int N> __device__ void shared_sort(K *keys) {
    __shared__ K s[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        s[i] = keys[blockIdx.x * N + i];
    for (int k = 2; k <= N; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            for (int i = threadIdx.x; i < N / 2; i += blockDim.x) {
                int a = 2 * i - (i & (j - 1));
                exchange(s[a], s[a + j], (a & k) == 0);
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        keys[blockIdx.x * N + i] = s[i];
}

struct Pair {
    short key, value;
    __device__ bool operator<(const Pair &o) const { return key < o.key; }
};

extern "C" __global__ void sort_shared_f32(float *d) { shared_sort<float, 1024>(d); }
extern "C" __global__ void sort_shared_u64(unsigned long long *d) { shared_sort<unsigned long long, 512>(d); }
extern "C" __global__ void sort_shared_pair(Pair *d) { shared_sort<Pair, 256>(d); }

extern "C" __global__ void sort_step(int *d, int j, int k) {
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x, p = i ^ j;
    if (p > i) {
        int a = d[i], b = d[p];
        exchange(a, b, (i & k) == 0);
        d[i] = a;
        d[p] = b;
    }
}
