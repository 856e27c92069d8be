// Constant, shared (static and dynamic), local and managed memory, with initialisers of every kind.
// make: nvcc 75 86 120
// make: nvrtc 60 70
// make: clang 80

struct Entry { char tag; short level; int id; double weight; const char *name; };
__device__ int zeroes[1024];
__device__ const char text[] = "a text with \x01 bytes";
__device__ Entry entries[3] = {{'a', 1, 10, 0.5, "one"}, {'b', -2, -20, 1e300, "two"}, {'c', 3, 30, -0.0, nullptr}};
__device__ float grid[2][3] = {{1.f, -2.5f, 3e-30f}, {1e38f, 0.1f, -0.f}};
__device__ unsigned long long big[2] = {0xffffffffffffffffull, 1ull << 63};
__device__ int *where = &zeroes[5];
__device__ const void *spread[3] = {&entries[1].weight, text + 2, &grid[1][2]};
__constant__ unsigned char masks[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__constant__ Entry fixed = {'z', 7, 8, 9.0, "fixed"};
__constant__ double angles[4] = {0.0, 1.5707963267948966, 3.141592653589793, 4.71238898038469};
__device__ alignas(64) int aligned = 7;
static __device__ short hidden = -3;
#if !defined(__CUDACC_RTC__) && !defined(__clang__)
__managed__ int shared_with_host = 5;
#endif
extern __shared__ unsigned char dynamic[];

extern "C" __global__ void spaces(int *out, int n) {
    __shared__ int fixed_size[64];
    __shared__ alignas(16) struct { double d; char c[5]; } pair;
    double *doubles = (double *)dynamic;
    int *ints = (int *)(dynamic + n * sizeof(double));
    int local[20];
    for (int i = 0; i < 20; ++i)
        local[i] = i * n;
    fixed_size[threadIdx.x % 64] = masks[n & 7];
    doubles[threadIdx.x] = angles[n & 3] + fixed.weight;
    if (threadIdx.x == 0)
        pair.d = entries[n % 3].weight, pair.c[n % 5] = text[n];
    __syncthreads();
    ints[threadIdx.x] = local[n % 20] + zeroes[n] + hidden + *where + aligned;
    __syncthreads();
    out[threadIdx.x] = fixed_size[n % 64] + ints[n] + (int)doubles[n] + (int)pair.d + pair.c[1] + (int)grid[n & 1][n % 3];
    out[threadIdx.x] += entries[n % 3].name[1] + (int)big[n & 1] + *(const char *)spread[n % 3];
#if !defined(__CUDACC_RTC__) && !defined(__clang__)
    atomicAdd(&shared_with_host, 1);
#endif
    hidden = n;
}

// Generic addresses whose space is asked for at run time.
extern "C" __global__ void generic_addresses(int *p, int *out) {
    __shared__ int s[4];
    int l[4] = {1, 2, 3, (int)threadIdx.x};
    int *q = out[0] == 0 ? p : out[0] == 1 ? s : l;
    q[out[1] & 3] = 5;
    out[2] = __isGlobal(q) + 2 * __isShared(q) + 4 * __isLocal(q) + 8 * __isConstant(q);
    out[3] = (int)__cvta_generic_to_global(p) + l[out[1] & 3] + s[out[1] & 3];
    unsigned size, used;
    asm volatile("mov.u32 %0, %%dynamic_smem_size; mov.u32 %1, %%total_smem_size;" : "=r"(size), "=r"(used));
    out[4] = size + used;
}
