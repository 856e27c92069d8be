// Histograms: global atomics, shared atomics, one private copy per warp.
// make: nvcc 75 80 86 90a 100a 120
// make: nvrtc 60 70
// make: clang 75 90a

extern "C" __global__ void hist_global(const unsigned char *in, unsigned *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
}

extern "C" __global__ void hist_shared(const uchar4 *in, unsigned *bins, int n) {
    __shared__ unsigned s[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 q = in[i];
        atomicAdd(&s[q.x], 1u);
        atomicAdd(&s[q.y], 1u);
        atomicAdd(&s[q.z], 1u);
        atomicAdd(&s[q.w], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (s[i])
            atomicAdd(&bins[i], s[i]);
}

extern "C" __global__ void hist_warp(const unsigned *in, unsigned long long *bins, int n) {
    __shared__ unsigned short s[8][64];
    const int warp = threadIdx.x >> 5;
    for (int i = threadIdx.x; i < 8 * 64; i += blockDim.x)
        (&s[0][0])[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned b = in[i] & 63;
#if __CUDA_ARCH__ >= 700
        // Threads of equal bin elect the lowest one to count for all.
        unsigned same = __match_any_sync(__activemask(), b);
        if ((threadIdx.x & 31) == __ffs(same) - 1)
            s[warp][b] += __popc(same);
        __syncwarp();
#else
        for (int lane = 0; lane < 32; ++lane)
            if ((threadIdx.x & 31) == lane)
                s[warp][b] += 1;
#endif
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        unsigned sum = 0;
#pragma unroll
        for (int w = 0; w < 8; ++w)
            sum += s[w][threadIdx.x];
        atomicAdd(&bins[threadIdx.x], (unsigned long long)sum);
    }
}

extern "C" __global__ void hist_float(const float *in, float *weights, float lo, float scale, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = (in[i] - lo) * scale;
        int b = __float2int_rd(x);
        float f = x - floorf(x);
        if (b >= 0 && b < 255) {
            atomicAdd(&weights[b], 1.f - f);
            atomicAdd(&weights[b + 1], f);
        }
    }
}
