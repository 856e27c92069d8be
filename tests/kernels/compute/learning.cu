// Learning and planning: k-means, nearest neighbours, Viterbi's paths, shortest paths, knapsacks, orbits by Runge and Kutta, rotations by CORDIC.
// make: nvcc 90 -fmad=false
// run: --kernel k_means --grid 2 --block 32 --arg f32[256]=random:1 --arg f32[64]=random:2 --arg u32[64]=0 --arg u32=16 --print 2:8
// bench: --kernel k_means --grid 1056 --block 256 --arg f32[1081344]=random:1 --arg f32[1024]=random:2 --arg u32[270336]=0 --arg u32=256
// run: --kernel neighbours --grid 2 --block 32 --arg f32[256]=random:3 --arg f32[256]=random:4 --arg u32[256]=0 --arg u32=64 --print 2:8
// bench: --kernel neighbours --grid 528 --block 128 --arg f32[270336]=random:3 --arg f32[8192]=random:4 --arg u32[270336]=0 --arg u32=2048
// run: --kernel viterbi --grid 2 --block 32 --arg f32[1024]=random:5 --arg u8[32]=random:6 --arg f32[64]=0 --arg u32=16 --print 2:4
// bench: --kernel viterbi --grid 4224 --block 32 --arg f32[1024]=random:5 --arg u8[270336]=random:6 --arg f32[135168]=0 --arg u32=64
// run: --kernel floyd --grid 2 --block 16,16 --arg u32[512]=random:7:1:1000 --print 0:4
// bench: --kernel floyd --grid 4096 --block 16,16 --arg u32[1048576]=random:7:1:1000
// run: --kernel knapsack --grid 2 --block 64 --arg u32[16]=random:8:1:40 --arg u32[16]=random:9:1:1000 --arg u32[2]=0 --arg u32=16 --print 2
// bench: --kernel knapsack --grid 1056 --block 256 --arg u32[128]=random:8:1:200 --arg u32[128]=random:9:1:1000 --arg u32[1056]=0 --arg u32=128
// run: --kernel orbits --grid 2 --block 32 --arg f64[256]=random:10:0.5:1.5 --arg u32=4 --print 0:4
// bench: --kernel orbits --grid 528 --block 128 --arg f64[270336]=random:10:0.5:1.5 --arg u32=40
// run: --kernel cordic --grid 2 --block 32 --arg s32[64]=random:11 --arg s32[128]=0 --arg u32=2 --print 1:4
// bench: --kernel cordic --grid 1056 --block 256 --arg s32[270336]=random:11 --arg s32[540672]=0 --arg u32=40
// run: --kernel lorenz --grid 2 --block 32 --arg f32[192]=random:12 --arg u32=10 --print 0:4
// bench: --kernel lorenz --grid 1056 --block 256 --arg f32[811008]=random:12 --arg u32=600

extern "C" __global__ void k_means(const float4 *points, const float4 *centres, unsigned *out, unsigned count) {
    __shared__ float4 centre[256];
    for (unsigned k = threadIdx.x; k < count; k += blockDim.x)
        centre[k] = centres[k];
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, nearest = 0;
    float4 p = points[i];
    float best = 1e30f;
    for (unsigned k = 0; k < count; ++k) {
        float4 c = centre[k];
        float dx = p.x - c.x, dy = p.y - c.y, dz = p.z - c.z, dw = p.w - c.w;
        float d = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, dw * dw)));
        if (d < best) {
            best = d;
            nearest = k;
        }
    }
    out[i] = nearest;
}

// The four nearest, kept in order.
extern "C" __global__ void neighbours(const float4 *points, const float4 *others, uint4 *out, unsigned count) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, id[4] = {};
    float4 p = points[i];
    float best[4] = {1e30f, 1e30f, 1e30f, 1e30f};
    for (unsigned k = 0; k < count; ++k) {
        float4 c = others[k];
        float dx = p.x - c.x, dy = p.y - c.y, dz = p.z - c.z, dw = p.w - c.w;
        float d = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, dw * dw)));
        unsigned at = k;
        if (d < best[3])
#pragma unroll
            for (int n = 0; n < 4; ++n)
                if (d < best[n]) {
                    float f = best[n];
                    unsigned u = id[n];
                    best[n] = d;
                    id[n] = at;
                    d = f;
                    at = u;
                }
    }
    out[i] = make_uint4(id[0], id[1], id[2], id[3]);
}

// 32 states, one for each lane; observations choose a column of costs.
extern "C" __global__ void viterbi(const float *costs, const unsigned char *seen, float *out, unsigned length) {
    __shared__ float move[32][33];
    unsigned lane = threadIdx.x;
    for (int k = 0; k < 32; ++k)
        move[k][lane] = costs[k * 32 + lane];
    __syncthreads();
    float score = lane * 0.01f;
    for (unsigned n = 0; n < length; ++n) {
        unsigned symbol = seen[blockIdx.x * length + n] & 31;
        float best = 1e30f;
#pragma unroll
        for (int k = 0; k < 32; ++k)
            best = fminf(best, __shfl_sync(~0u, score, k) + move[k][lane]);
        score = best + move[lane][symbol];
    }
    out[blockIdx.x * 32 + lane] = score;
}

extern "C" __global__ void floyd(unsigned *data) {
    __shared__ unsigned d[16][17];
    unsigned x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
    d[y][x] = x == y ? 0 : data[at];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
        unsigned through = min(d[y][x], d[y][k] + d[k][x]);
        __syncthreads();
        d[y][x] = through;
        __syncthreads();
    }
    data[at] = d[y][x];
}

// A block has a sack; threads have its sizes.
extern "C" __global__ void knapsack(const unsigned *sizes, const unsigned *values, unsigned *out, unsigned items) {
    __shared__ unsigned best[2][1024];
    unsigned t = threadIdx.x, room = 4 * blockDim.x;
    for (unsigned k = t; k < room; k += blockDim.x)
        best[0][k] = 0;
    for (unsigned n = 0; n < items; ++n) {
        __syncthreads();
        unsigned size = sizes[n] + blockIdx.x % 3, value = values[n];
        for (unsigned k = t; k < room; k += blockDim.x) {
            unsigned without = best[n & 1][k];
            best[~n & 1][k] = k >= size ? max(without, best[n & 1][k - size] + value) : without;
        }
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = best[items & 1][room - 1];
}

__device__ void pull(double x, double y, double &ax, double &ay) {
    double square = fma(x, x, y * y), f = -1.0 / (square * sqrt(square));
    ax = f * x;
    ay = f * y;
}

extern "C" __global__ void orbits(double *data, unsigned steps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    double x = data[i], y = data[all + i], u = 0.3 * data[2 * all + i], v = 0.3 * data[3 * all + i], h = 0.01;
    for (unsigned n = 0; n < steps; ++n) {
        double a1, b1, a2, b2, a3, b3, a4, b4;
        pull(x, y, a1, b1);
        pull(fma(0.5 * h, u, x), fma(0.5 * h, v, y), a2, b2);
        double u2 = fma(0.5 * h, a1, u), v2 = fma(0.5 * h, b1, v), u3 = fma(0.5 * h, a2, u), v3 = fma(0.5 * h, b2, v);
        pull(fma(0.5 * h, u2, x), fma(0.5 * h, v2, y), a3, b3);
        double u4 = fma(h, a3, u), v4 = fma(h, b3, v);
        pull(fma(h, u3, x), fma(h, v3, y), a4, b4);
        x = fma(h / 6, u + 2 * u2 + 2 * u3 + u4, x);
        y = fma(h / 6, v + 2 * v2 + 2 * v3 + v4, y);
        u = fma(h / 6, a1 + 2 * a2 + 2 * a3 + a4, u);
        v = fma(h / 6, b1 + 2 * b2 + 2 * b3 + b4, v);
    }
    data[i] = x;
    data[all + i] = y;
    data[2 * all + i] = u;
    data[3 * all + i] = v;
}

__constant__ int arcs[24] = {421657428, 248918915, 131521918, 66762579, 33510843, 16771758, 8387925, 4194219,
                             2097141, 1048575, 524288, 262144, 131072, 65536, 32768, 16384,
                             8192, 4096, 2048, 1024, 512, 256, 128, 64};

// Angles in units of 2^-29.
extern "C" __global__ void cordic(const int *in, int2 *out, unsigned times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int angle = in[i] >> 2, c = 0, s = 0;
    for (unsigned n = 0; n < times; ++n) {
        int x = 326016435, y = 0, z = angle;
#pragma unroll
        for (int k = 0; k < 24; ++k) {
            int sign = z >> 31, dx = (y >> k ^ sign) - sign, dy = (x >> k ^ sign) - sign;
            x -= dx;
            y += dy;
            z -= (arcs[k] ^ sign) - sign;
        }
        c += x >> 8;
        s += y >> 8;
        angle = angle * 5 + 1 >> 2;
    }
    out[i] = make_int2(c, s);
}

extern "C" __global__ void lorenz(float *data, unsigned steps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float x = data[i], y = data[all + i], z = data[2 * all + i];
    for (unsigned n = 0; n < steps; ++n) {
        float dx = 10.0f * (y - x), dy = fmaf(x, 28.0f - z, -y), dz = fmaf(x, y, -8.0f / 3.0f * z);
        x = fmaf(0.002f, dx, x);
        y = fmaf(0.002f, dy, y);
        z = fmaf(0.002f, dz, z);
    }
    data[i] = x;
    data[all + i] = y;
    data[2 * all + i] = z;
}
