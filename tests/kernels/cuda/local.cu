// Local memory: arrays that are indexed, alloca, structures by value, addresses of locals passed on.
// make: nvcc 90
// run: --kernel local_sort --grid 1 --block 16 --arg u32[256]=random:1 --arg u32[256]=0 --print 1:16
// run: --kernel local_sort --grid 3 --block 33 --arg u32[1584]=random:2 --arg u32[1584]=0 --print 1:16
// run: --kernel local_sort --grid 1 --block 2,3,2 --arg u32[192]=iota --arg u32[192]=0 --print 1:16
// run: --kernel allocated --grid 1 --block 20 --arg u32[20]=0 --arg u32=3 --print 0
// run: --kernel allocated --grid 2 --block 32 --arg u32[64]=0 --arg u32=10 --print 0:16
// run: --kernel allocated --grid 1 --block 45 --arg u32[45]=0 --arg u32=1 --print 0:16
// run: --kernel by_value --grid 1 --block 32 --arg {u32=3,f32=0.5,u64=1000000007,u8=5} --arg u64[32]=0 --print 1:8
// run: --kernel by_value --grid 2 --block 17 --arg {u32=77,f32=-2.25,u64=18446744073709551615,u8=255} --arg u64[34]=0 --print 1:8
// run: --kernel by_value --grid 1 --block 5,5 --arg {u32=0,f32=1e10,u64=0,u8=0} --arg u64[25]=0 --print 1:8
// run: --kernel digits --grid 1 --block 16 --arg u64[16]=random:3 --arg u8[384]=0 --print 1:24
// run: --kernel digits --grid 2 --block 40 --arg u64[80]=random:4 --arg u8[1920]=0 --print 1:24
// run: --kernel digits --grid 1 --block 3 --arg u64[3]=0,9,18446744073709551615 --arg u8[72]=0 --print 1:24

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

// Counting sort of 16 numbers by their lowest bits.
extern "C" __global__ void local_sort(const unsigned *in, unsigned *out) {
    unsigned i = thread_in_grid() * 16, counts[16] = {}, sorted[16];
    for (int k = 0; k < 16; ++k)
        ++counts[in[i + k] % 16];
    for (int k = 1; k < 16; ++k)
        counts[k] += counts[k - 1];
    for (int k = 15; k >= 0; --k)
        sorted[--counts[in[i + k] % 16]] = in[i + k];
    for (int k = 0; k < 16; ++k)
        out[i + k] = sorted[k];
}

__device__ __noinline__ void fill(unsigned *row, unsigned n, unsigned seed) {
    for (unsigned k = 0; k < n; ++k)
        row[k] = seed = seed * 1664525 + 1013904223;
}

// Two rows whose length is known only at run time, and differs from lane to lane.
extern "C" __global__ void allocated(unsigned *out, unsigned least) {
    unsigned i = thread_in_grid(), n = least + i % 5;
    unsigned *a = (unsigned *)alloca(n * sizeof(unsigned));
    unsigned *b = (unsigned *)alloca((n + 1) * sizeof(unsigned));
    fill(a, n, i);
    fill(b, n + 1, ~i);
    unsigned sum = 0;
    for (unsigned k = 0; k < n; ++k)
        sum = sum * 17 + (a[k] ^ b[n - k]);
    out[i] = sum;
}

struct Mixed {
    unsigned word;
    float number;
    unsigned long long wide;
    unsigned char small;
};

__device__ __noinline__ Mixed twice(Mixed m, unsigned by) {
    m.word += by;
    m.number *= 2.0f;
    m.wide = m.wide << 1 | m.wide >> 63;
    m.small += 3;
    return m;
}

extern "C" __global__ void by_value(Mixed m, unsigned long long *out) {
    unsigned i = thread_in_grid();
    for (unsigned k = 0; k < i % 4; ++k)
        m = twice(m, i);
    out[i] = m.word + ((unsigned long long)__float_as_uint(m.number) << 32) + m.wide * 3 + m.small;
}

// A number as text, 24 characters for each.
extern "C" __global__ void digits(const unsigned long long *in, char *out) {
    unsigned i = thread_in_grid();
    char text[24];
    int at = 24;
    unsigned long long v = in[i];
    do {
        text[--at] = '0' + v % 10;
        v /= 10;
    } while (v != 0);
    for (int k = 0; k < 24; ++k)
        out[i * 24 + k] = k < at ? ' ' : text[k];
}
