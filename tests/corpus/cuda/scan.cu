// Prefix sums: warp scan, work-efficient block scan, decoupled look-back over blocks.
// make: nvcc 75 80 90a 120
// make: nvrtc 60 70
// make: clang 70 86 100a

__device__ int warp_inclusive(int v) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        int up = __shfl_up_sync(~0u, v, d);
        if (lane >= d)
            v += up;
    }
    return v;
}

extern "C" __global__ void scan_warp(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = warp_inclusive(in[i]);
}

// Blelloch's up-sweep and down-sweep.
extern "C" __global__ void scan_blelloch(const float *in, float *out, int n) {
    extern __shared__ float s[];
    const int t = threadIdx.x;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1, offset <<= 1) {
        __syncthreads();
        if (t < d)
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    }
    if (t == 0)
        s[n - 1] = 0;
    for (int d = 1; d < n; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            float a = s[offset * (2 * t + 1) - 1];
            s[offset * (2 * t + 1) - 1] = s[offset * (2 * t + 2) - 1];
            s[offset * (2 * t + 2) - 1] += a;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}

struct Tile { unsigned state; int value; };
__device__ unsigned next_tile;

// Merrill and Garland's single pass: each tile looks back over its predecessors.
extern "C" __global__ void __launch_bounds__(256) scan_lookback(const int *in, int *out, volatile Tile *tiles, int n) {
    __shared__ int warps[8];
    __shared__ int before;
    __shared__ unsigned tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(&next_tile, 1u);
    __syncthreads();
    const int i = tile * 256 + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = i < n ? in[i] : 0, inc = warp_inclusive(v);
    if (lane == 31)
        warps[warp] = inc;
    __syncthreads();
    if (warp == 0) {
        int w = lane < 8 ? warps[lane] : 0;
        w = warp_inclusive(w);
        if (lane < 8)
            warps[lane] = w;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        tiles[tile].value = warps[7];
        __threadfence();
        tiles[tile].state = tile == 0 ? 2 : 1;
        int sum = 0;
        for (int p = (int)tile - 1; p >= 0; --p) {
            unsigned s;
            while ((s = tiles[p].state) == 0)
                ;
            __threadfence();
            sum += tiles[p].value;
            if (s == 2)
                break;
        }
        if (tile) {
            tiles[tile].value = warps[7] + sum;
            __threadfence();
            tiles[tile].state = 2;
        }
        before = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = before + inc + (warp ? warps[warp - 1] : 0);
}
