// Prefix sums: Hillis-Steele, Blelloch, by warp, and over many blocks with decoupled look-back.
// make: nvcc 90
// run: --kernel scan_hillis_steele --grid 1 --block 128 --arg u32[128]=iota --arg u32[128]=0 --arg u32=128 --print 1:16
// run: --kernel scan_hillis_steele --grid 3 --block 96 --arg u32[280]=random:1 --arg u32[280]=0 --arg u32=280 --print 1:16
// run: --kernel scan_hillis_steele --grid 1 --block 1000 --arg u32[1000]=random:2 --arg u32[1000]=0 --arg u32=1000 --print 1:16
// run: --kernel scan_blelloch --grid 1 --block 64 --arg u32[128]=iota --arg u32[128]=0 --arg u32[1]=0 --print 1:16 --print 2
// run: --kernel scan_blelloch --grid 4 --block 256 --arg u32[2048]=random:3 --arg u32[2048]=0 --arg u32[4]=0 --print 1:16 --print 2
// run: --kernel scan_blelloch --grid 2 --block 16 --arg u32[64]=random:4 --arg u32[64]=0 --arg u32[2]=0 --print 1:16 --print 2
// run: --kernel scan_warp --grid 1 --block 32 --arg s32[32]=iota --arg s32[32]=0 --arg u32=32 --print 1
// run: --kernel scan_warp --grid 2 --block 256 --arg s32[500]=random:5 --arg s32[500]=0 --arg u32=500 --print 1:16
// run: --kernel scan_warp --grid 1 --block 32,4,2 --arg s32[200]=random:6 --arg s32[200]=0 --arg u32=200 --print 1:16
// run: --kernel scan_look_back --grid 8 --block 128 --arg u32[1000]=iota --arg u32[1000]=0 --arg u32=1000 --arg u32[1]=0 --arg u64[8]=0 --print 1:16
// run: --kernel scan_look_back --grid 16 --block 64 --arg u32[1024]=random:7 --arg u32[1024]=0 --arg u32=1024 --arg u32[1]=0 --arg u64[16]=0 --print 1:16
// run: --kernel scan_look_back --grid 1 --block 256 --arg u32[200]=random:8 --arg u32[200]=0 --arg u32=200 --arg u32[1]=0 --arg u64[1]=0 --print 1:16

// Inclusive, within each block.
extern "C" __global__ void scan_hillis_steele(const unsigned *in, unsigned *out, unsigned count) {
    __shared__ unsigned buffer[2][1024];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    int now = 0;
    buffer[0][t] = i < count ? in[i] : 0;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        buffer[1 - now][t] = t >= step ? buffer[now][t] + buffer[now][t - step] : buffer[now][t];
        now = 1 - now;
        __syncthreads();
    }
    if (i < count)
        out[i] = buffer[now][t];
}

// Exclusive, two elements a thread, within each block of a power of two of threads.
extern "C" __global__ void scan_blelloch(const unsigned *in, unsigned *out, unsigned *sums) {
    __shared__ unsigned tree[1024];
    unsigned t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n, offset = 1;
    tree[2 * t] = in[base + 2 * t];
    tree[2 * t + 1] = in[base + 2 * t + 1];
    for (unsigned d = n / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) {
        sums[blockIdx.x] = tree[n - 1];
        tree[n - 1] = 0;
    }
    for (unsigned d = 1; d < n; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            unsigned a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            unsigned left = tree[a];
            tree[a] = tree[b];
            tree[b] += left;
        }
    }
    __syncthreads();
    out[base + 2 * t] = tree[2 * t];
    out[base + 2 * t + 1] = tree[2 * t + 1];
}

__device__ int scan_of_warp(int v, unsigned lane) {
    for (int step = 1; step < 32; step *= 2) {
        int left = __shfl_up_sync(~0u, v, step);
        if (lane >= step)
            v += left;
    }
    return v;
}

// Inclusive, within each block of whole warps.
extern "C" __global__ void scan_warp(const int *in, int *out, unsigned count) {
    __shared__ int sums[32];
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned size = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * size + t;
    unsigned lane = t % 32, warp = t / 32;
    int v = scan_of_warp(i < count ? in[i] : 0, lane);
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0)
        sums[lane] = scan_of_warp(lane < size / 32 ? sums[lane] : 0, lane);
    __syncthreads();
    if (warp > 0)
        v += sums[warp - 1];
    if (i < count)
        out[i] = v;
}

// Inclusive over the grid in one launch. A block takes the next part when it starts, so the parts before
// it are running or done, and waiting for them ends. state: 1 << 32 | own sum, then 2 << 32 | prefix.
extern "C" __global__ void scan_look_back(const unsigned *in, unsigned *out, unsigned count, unsigned *next,
                                          unsigned long long *state) {
    __shared__ unsigned part, before, scan[2][256];
    unsigned t = threadIdx.x;
    if (t == 0)
        part = atomicAdd(next, 1);
    __syncthreads();
    unsigned i = part * blockDim.x + t;
    int now = 0;
    scan[0][t] = i < count ? in[i] : 0;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        scan[1 - now][t] = t >= step ? scan[now][t] + scan[now][t - step] : scan[now][t];
        now = 1 - now;
        __syncthreads();
    }
    if (t == 0) {
        unsigned own = scan[now][blockDim.x - 1], sum = 0;
        if (part > 0) {
            atomicExch(&state[part], 1ull << 32 | own);
            for (unsigned back = part; back > 0;) {
                unsigned long long seen;
                asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(seen) : "l"(&state[back - 1]) : "memory");
                if (seen >> 32 == 0)
                    continue;
                sum += (unsigned)seen;
                if (seen >> 32 == 2)
                    break;
                --back;
            }
        }
        atomicExch(&state[part], 2ull << 32 | (unsigned)(sum + own));
        before = sum;
    }
    __syncthreads();
    if (i < count)
        out[i] = before + scan[now][t];
}
