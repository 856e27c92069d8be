// Loops that end at a different time for each thread: Mandelbrot, Collatz, greatest common divisors.
// make: nvcc 90 -fmad=false
// run: --kernel mandelbrot --grid 2,4 --block 16,4 --arg u16[512]=0 --arg u32=32 --arg u32=16 --arg u32=100 --print 0:32
// run: --kernel mandelbrot --grid 3,3 --block 5,5 --arg u16[196]=0 --arg u32=14 --arg u32=14 --arg u32=50 --print 0:28
// run: --kernel mandelbrot --grid 1,20 --block 40 --arg u16[800]=0 --arg u32=40 --arg u32=20 --arg u32=200 --print 0:40
// run: --kernel collatz --grid 2 --block 64 --arg u32[128]=0 --arg u32=1 --print 0:16
// run: --kernel collatz --grid 1 --block 45 --arg u32[45]=0 --arg u32=1000000 --print 0:16
// run: --kernel collatz --grid 3 --block 32 --arg u32[96]=0 --arg u32=837799 --print 0:16
// run: --kernel common_divisor --grid 1 --block 100 --arg u64[100]=random:1 --arg u64[100]=random:2 --arg u64[100]=0 --print 2:8
// run: --kernel common_divisor --grid 4 --block 16 --arg u64[64]=iota --arg u64[64]=720720 --arg u64[64]=0 --print 2:8
// run: --kernel common_divisor --grid 1 --block 7,3,2 --arg u64[42]=random:3 --arg u64[42]=iota --arg u64[42]=0 --print 2:8

extern "C" __global__ void mandelbrot(unsigned short *image, unsigned width, unsigned height, unsigned limit) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    double cr = -2.0 + 3.0 * x / width, ci = -1.0 + 2.0 * y / height, r = 0, i = 0;
    unsigned n = 0;
    while (n < limit && r * r + i * i <= 4.0) {
        double next = r * r - i * i + cr;
        i = 2.0 * r * i + ci;
        r = next;
        ++n;
    }
    image[y * width + x] = n;
}

extern "C" __global__ void collatz(unsigned *steps, unsigned first) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
    unsigned long long v = first + i;
    while (v != 1) {
        v = v % 2 ? 3 * v + 1 : v / 2;
        ++n;
    }
    steps[i] = n;
}

extern "C" __global__ void common_divisor(const unsigned long long *a, const unsigned long long *b,
                                          unsigned long long *out) {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned i = blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
    unsigned long long x = a[i], y = b[i];
    while (y != 0) {
        unsigned long long rest = x % y;
        x = y;
        y = rest;
    }
    out[i] = x;
}
