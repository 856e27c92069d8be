// Warp collectives: shuffles of every width and type, votes, matches, reductions, lane masks.
// make: nvcc 75 80 90a 100a 120
// make: nvrtc 60 70
// make: clang 70 80

template <typename T> __device__ T shuffles(T v, int n) {
    v += __shfl_sync(~0u, v, n);
    v += __shfl_up_sync(~0u, v, 1);
    v += __shfl_down_sync(0xffff, v, 2, 16);
    v += __shfl_xor_sync(~0u, v, n, 8);
    return v;
}

extern "C" __global__ void shuffle(int *i, unsigned *u, long long *l, float *f, double *d, int n) {
    int t = threadIdx.x;
    i[t] = shuffles(i[t], n);
    u[t] = shuffles(u[t], n);
    l[t] = shuffles(l[t], n);
    f[t] = shuffles(f[t], n);
    d[t] = shuffles(d[t], n);
}

extern "C" __global__ void votes(int *d, int n) {
    int t = threadIdx.x, v = d[t];
    unsigned mask = __activemask();
    d[t] = __all_sync(mask, v > n) + 2 * __any_sync(mask, v < n) + __ballot_sync(~0u, v & 1);
#if __CUDA_ARCH__ >= 700
    int same;
    d[t + 32] = __match_any_sync(mask, v) ^ __match_any_sync(mask, (long long)v << 20);
    d[t + 64] = __match_all_sync(~0u, v, &same) + same;
    d[t + 96] = __match_all_sync(~0u, (double)v, &same) + same;
    __syncwarp();
    __syncwarp(0xff);
#endif
#if __CUDA_ARCH__ >= 800
    d[t + 128] = __reduce_add_sync(mask, v) + __reduce_min_sync(mask, v) + __reduce_max_sync(mask, v);
    unsigned w = v;
    d[t + 160] = __reduce_and_sync(mask, w) ^ __reduce_or_sync(mask, w) ^ __reduce_xor_sync(mask, w) ^ __reduce_max_sync(mask, w);
#endif
#if __CUDA_ARCH_SPECIFIC__ == 1000
    float f = __int_as_float(v), g;
    asm volatile("redux.sync.min.abs.NaN.f32 %0, %1, 0xffffffff;" : "=f"(g) : "f"(f));
    d[t + 192] = (int)g;
#endif
}

#define S(NAME) asm volatile("mov.u32 %0, %%" NAME ";" : "=r"(v)); sum += v;
extern "C" __global__ void special(unsigned *out) {
    unsigned v, sum = 0;
    S("laneid") S("warpid") S("nwarpid") S("smid") S("nsmid") S("ctaid.x") S("ctaid.y") S("ctaid.z") S("nctaid.x") S("ntid.z") S("tid.y")
    S("lanemask_eq") S("lanemask_le") S("lanemask_lt") S("lanemask_ge") S("lanemask_gt") S("clock") S("clock_hi") S("envreg3") S("globaltimer_lo")
    unsigned long long w;
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(w));
    asm volatile("{ .reg .pred p; vote.sync.uni.pred p, 1, 0xffffffff; selp.b32 %0, 1, 0, p; }" : "=r"(v));
    asm volatile("{ .reg .pred p; shfl.sync.idx.b32 %0|p, %1, 3, 0x1f, 0xffffffff; @p add.u32 %0, %0, 1; }" : "+r"(v) : "r"(sum));
    asm volatile("activemask.b32 %0;" : "=r"(v));
    out[threadIdx.x] = sum + v + (unsigned)w;
}
