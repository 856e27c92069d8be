// Text from the device, assertions that hold. Only one thread prints, so that the order is given.
// make: nvcc 90
// run: --kernel greetings --grid 1 --block 1 --arg u32=7
// run: --kernel greetings --grid 2 --block 40 --arg u32=123456
// run: --kernel greetings --grid 1 --block 4,4,4 --arg u32=0xffffffff
// run: --kernel table --grid 1 --block 32 --arg s32[32]=random:1 --arg f64[4]=random:2
// run: --kernel table --grid 1 --block 7 --arg s32[7]=iota --arg f64[4]=1.5
// run: --kernel table --grid 3 --block 5,2 --arg s32[30]=random:3 --arg f64[4]=1e300
// run: --kernel checked --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0 --print 1:8
// run: --kernel checked --grid 2 --block 33 --arg u32[66]=random:4 --arg u32[66]=0 --print 1:8
// run: --kernel checked --grid 1 --block 1 --arg u32[1]=9 --arg u32[1]=0 --print 1
#include <cassert>
#include <cstdio>

extern "C" __global__ void greetings(unsigned n) {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (blockIdx.x != gridDim.x - 1 || t != blockDim.x * blockDim.y * blockDim.z - 1)
        return;
    printf("hello\n");
    printf("thread %u of block %u says %u, as signed %d, in hex %x and %#X, in octal %o\n", t, blockIdx.x, n, (int)n, n, n, n);
    printf("[%8u] [%-8u] [%08u] [%+d] [% d] [%.3u]\n", n % 1000, n % 1000, n % 1000, 5, 5, n % 10);
    printf("%c%c%c %s %10s|%-10s|%.2s 100%%\n", 'a', 'b', 'c', "text", "right", "left", "cut");
    printf("%lld %llu %llx %hd %hu\n", -1234567890123ll, 1ull << 63, 0xfedcba9876543210ull, (short)-7, (unsigned short)65530);
}

extern "C" __global__ void table(const int *in, const double *numbers) {
    __shared__ int copy[64];
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    copy[t] = in[blockIdx.x * size + t];
    __syncthreads();
    if (t == 0 && blockIdx.x == 0) {
        for (unsigned i = 0; i < size; ++i)
            printf("%2u: %11d\n", i, copy[i]);
        for (int i = 0; i < 4; ++i)
            printf("%f %e %g %.3f %10.2e|%-12g|%+g\n", numbers[i], numbers[i], numbers[i], numbers[i], numbers[i], numbers[i],
                   numbers[i]);
        printf("%g %g %g %f\n", 0.0, -0.0, 1e-7, 1.0f / 3.0f);
    }
}

extern "C" __global__ void checked(const unsigned *in, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(in != nullptr && "there must be an input");
    unsigned root = (unsigned)sqrt((double)in[i]);
    assert((unsigned long long)root * root <= in[i]);
    assert((root + 1ull) * (root + 1ull) > in[i]);
    out[i] = root;
}
