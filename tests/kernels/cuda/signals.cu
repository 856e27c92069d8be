// Signals and images: FFT, number-theoretic transform, convolutions with constant memory, median, rank of neighbours.
// make: nvcc 90 -fmad=false
// run: --kernel fft --grid 1 --block 32 --arg f32[128]=random:1 --arg f32[128]=random:2 --arg u32=0 --print 0:8
// run: --kernel fft --grid 2 --block 64 --arg f32[512]=iota --arg f32[256]=random:3 --arg u32=1 --print 0:8
// run: --kernel fft --grid 3 --block 4 --arg f32[48]=random:4 --arg f32[16]=random:5 --arg u32=0 --print 0:8
// run: --kernel number_transform --grid 1 --block 32 --arg u32[64]=random:6 --print 0:8
// run: --kernel number_transform --grid 2 --block 256 --arg u32[1024]=iota --print 0:8
// run: --kernel number_transform --grid 5 --block 2 --arg u32[20]=random:7 --print 0:8
// run: --kernel convolution --grid 2,2 --block 16,8 --arg f32[512]=random:8 --arg f32[512]=0 --arg u32=32 --arg u32=16 --print 1:8
// run: --kernel convolution --grid 3,4 --block 5,3 --arg f32[150]=iota --arg f32[150]=0 --arg u32=15 --arg u32=10 --print 1:8
// run: --kernel convolution --grid 1,9 --block 33 --arg f32[297]=random:9 --arg f32[297]=0 --arg u32=33 --arg u32=9 --print 1:8
// run: --kernel median --grid 2,2 --block 16,8 --arg u8[512]=random:10 --arg u8[512]=0 --arg u32=32 --arg u32=16 --print 1:16
// run: --kernel median --grid 1,1 --block 9,7 --arg u8[63]=random:11 --arg u8[63]=0 --arg u32=9 --arg u32=7 --print 1:16
// run: --kernel median --grid 4,5 --block 3,2 --arg u8[110]=iota --arg u8[110]=0 --arg u32=11 --arg u32=10 --print 1:16
// run: --kernel grey --grid 2 --block 64 --arg u8[400]=random:12 --arg u8[100]=0 --arg u32=100 --print 1:16
// run: --kernel grey --grid 1 --block 7 --arg u8[28]=iota --arg u8[7]=0 --arg u32=7 --print 1
// run: --kernel grey --grid 3 --block 8,8 --arg u8[600]=random:13 --arg u8[150]=0 --arg u32=150 --print 1:16

// In place, two complex numbers a thread, a power of two. The factors are given, not computed: any numbers do.
extern "C" __global__ void fft(float2 *data, const float2 *factors, unsigned inverse) {
    __shared__ float2 a[128];
    unsigned t = threadIdx.x, n = 2 * blockDim.x, bits = __ffs(n) - 1;
    data += blockIdx.x * n;
    for (unsigned i = t; i < n; i += blockDim.x)
        a[__brev(i) >> (32 - bits)] = data[i];
    for (unsigned half = 1; half < n; half *= 2) {
        __syncthreads();
        unsigned place = t % half, low = 2 * (t - place) + place;
        float2 w = factors[place * (blockDim.x / half)], x = a[low], y = a[low + half];
        if (inverse)
            w.y = -w.y;
        float2 product = make_float2(w.x * y.x - w.y * y.y, fmaf(w.x, y.y, w.y * y.x));
        a[low] = make_float2(x.x + product.x, x.y + product.y);
        a[low + half] = make_float2(x.x - product.x, x.y - product.y);
    }
    __syncthreads();
    for (unsigned i = t; i < n; i += blockDim.x)
        data[i] = a[i];
}

__device__ unsigned power(unsigned base, unsigned exponent) {
    const unsigned prime = 998244353;
    unsigned long long result = 1, square = base;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * square % prime;
        square = square * square % prime;
    }
    return (unsigned)result;
}

// The same over the integers modulo a prime: exact, and forth and back gives the input modulo the prime.
extern "C" __global__ void number_transform(unsigned *data) {
    const unsigned prime = 998244353;
    __shared__ unsigned a[512];
    unsigned t = threadIdx.x, n = 2 * blockDim.x, bits = __ffs(n) - 1;
    data += blockIdx.x * n;
    for (unsigned i = t; i < n; i += blockDim.x)
        a[__brev(i) >> (32 - bits)] = data[i] % prime;
    for (unsigned half = 1; half < n; half *= 2) {
        __syncthreads();
        unsigned place = t % half, low = 2 * (t - place) + place;
        unsigned w = power(power(3, (prime - 1) / (2 * half)), place);
        unsigned x = a[low], y = (unsigned)((unsigned long long)a[low + half] * w % prime);
        a[low] = (x + y) % prime;
        a[low + half] = (x + prime - y) % prime;
    }
    __syncthreads();
    for (unsigned i = t; i < n; i += blockDim.x)
        data[i] = a[i];
}

__constant__ float weights[5][5] = {{1, 4, 7, 4, 1}, {4, 16, 26, 16, 4}, {7, 26, 41, 26, 7}, {4, 16, 26, 16, 4}, {1, 4, 7, 4, 1}};

extern "C" __global__ void convolution(const float *in, float *out, unsigned width, unsigned height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            int sx = min(max(x + dx, 0), (int)width - 1), sy = min(max(y + dy, 0), (int)height - 1);
            sum = fmaf(weights[dy + 2][dx + 2], in[sy * width + sx], sum);
        }
    out[y * width + x] = sum / 273.0f;
}

// Of a pixel and its eight neighbours, by a network of comparisons on local values.
extern "C" __global__ void median(const unsigned char *in, unsigned char *out, unsigned width, unsigned height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    unsigned char v[9];
    int n = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int sx = min(max(x + dx, 0), (int)width - 1), sy = min(max(y + dy, 0), (int)height - 1);
            v[n++] = in[sy * width + sx];
        }
    for (int i = 0; i < 5; ++i)
        for (int k = 8; k > i; --k) {
            unsigned char least = min(v[k], v[k - 1]);
            v[k] = max(v[k], v[k - 1]);
            v[k - 1] = least;
        }
    out[y * width + x] = v[4];
}

// Pixels of four bytes to one, in whole numbers.
extern "C" __global__ void grey(const uchar4 *in, unsigned char *out, unsigned count) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, i = blockIdx.x * blockDim.x * blockDim.y + t;
    if (i < count)
        out[i] = (in[i].x * 77u + in[i].y * 150u + in[i].z * 29u) * in[i].w / 65280u;
}
