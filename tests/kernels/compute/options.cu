// Prices of options: the formula of Black and Scholes, a binomial tree, and Monte Carlo with a generator of its own.
// make: nvcc 90 -fmad=false
// run: --kernel black_scholes --grid 2 --block 32 --arg f32[64]=random:1:5:30 --arg f32[64]=random:2:1:100 --arg f32[128]=0 --arg u32=2 --print 2:4
// bench: --kernel black_scholes --grid 1056 --block 256 --arg f32[270336]=random:1:5:30 --arg f32[270336]=random:2:1:100 --arg f32[540672]=0 --arg u32=64
// run: --kernel binomial --grid 3 --block 32 --arg f32[3]=20,25,30 --arg f32[3]=0 --arg u32=31 --print 1:3
// bench: --kernel binomial --grid 1056 --block 256 --arg f32[1056]=random:3:5:30 --arg f32[1056]=0 --arg u32=255
// run: --kernel monte_carlo --grid 2 --block 32 --arg f32[64]=0 --arg u32=4 --arg u32=5 --print 0:4
// bench: --kernel monte_carlo --grid 1056 --block 256 --arg f32[270336]=0 --arg u32=16 --arg u32=32

__device__ float normal(float d) {
    float k = 1.0f / fmaf(0.2316419f, fabsf(d), 1.0f);
    float p = fmaf(fmaf(fmaf(fmaf(1.330274429f, k, -1.821255978f), k, 1.781477937f), k, -0.356563782f), k, 0.31938153f) * k;
    float tail = 0.39894228f * expf(-0.5f * d * d) * p;
    return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float *price, const float *strike, float2 *out, unsigned years) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = price[i], x = strike[i], call = 0, put = 0;
    for (unsigned t = 1; t <= years; ++t) {
        float time = 0.25f * t, root = sqrtf(time), rate = 0.02f, volatility = 0.3f;
        float d1 = (logf(s / x) + fmaf(0.5f * volatility, volatility, rate) * time) / (volatility * root);
        float d2 = fmaf(-volatility, root, d1), later = expf(-rate * time) * x;
        float n1 = normal(d1), n2 = normal(d2);
        call += fmaf(s, n1, -later * n2);
        put += fmaf(later, 1.0f - n2, -s * (1.0f - n1));
    }
    out[i] = make_float2(call, put);
}

extern "C" __global__ void binomial(const float *price, float *out, unsigned steps) {
    __shared__ float value[258];
    float step = 1.0f / steps, up = expf(0.3f * sqrtf(step)), down = 1.0f / up;
    float grown = expf(0.02f * step), p = (grown - down) / (up - down), later = 1.0f / grown;
    float a = p * later, b = (1.0f - p) * later, s = price[blockIdx.x];
    unsigned i = threadIdx.x;
    if (i <= steps)
        value[i] = fmaxf(s * expf(0.3f * sqrtf(step) * (2.0f * i - steps)) - 20.0f, 0.0f);
    __syncthreads();
    for (unsigned n = steps; n > 0; --n) {
        float next = i < n ? fmaf(a, value[i + 1], b * value[i]) : 0;
        __syncthreads();
        if (i < n)
            value[i] = next;
        __syncthreads();
    }
    if (i == 0)
        out[blockIdx.x] = value[0];
}

__device__ unsigned mixed(unsigned v) {
    v ^= v >> 16;
    v *= 0x7feb352d;
    v ^= v >> 15;
    v *= 0x846ca68b;
    return v ^ v >> 16;
}

// The mean of the prices along a path of an Asian option, by Box and Muller's transform.
extern "C" __global__ void monte_carlo(float *out, unsigned paths, unsigned steps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = mixed(i + 1);
    float sum = 0;
    for (unsigned p = 0; p < paths; ++p) {
        float s = 20.0f, mean = 0;
        for (unsigned k = 0; k < steps; ++k) {
            state = mixed(state + 0x9e3779b9);
            float u = fmaf(state >> 8, 1.0f / 16777216, 1.0f / 33554432);
            state = mixed(state + 0x9e3779b9);
            float v = (state >> 8) * (6.2831853f / 16777216);
            float z = sqrtf(-2.0f * __logf(u)) * __cosf(v);
            s *= __expf(fmaf(0.05f, z, 0.0002f));
            mean += s;
        }
        sum += fmaxf(mean / steps - 20.0f, 0.0f);
    }
    out[i] = sum / paths;
}
