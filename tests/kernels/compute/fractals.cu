// Fractals: a Julia set in single precision, the Mandelbrot set in double precision, the burning ship, Newton's method for z^3 = 1.
// make: nvcc 90 -fmad=false
// run: --kernel julia --grid 2,2 --block 16,4 --arg u32[256]=0 --arg u32=32 --arg u32=8 --arg u32=60 --print 0:8
// bench: --kernel julia --grid 64,256 --block 32,8 --arg u32[4194304]=0 --arg u32=2048 --arg u32=2048 --arg u32=1000
// run: --kernel mandelbrot --grid 2,2 --block 16,4 --arg u32[256]=0 --arg u32=32 --arg u32=8 --arg u32=60 --print 0:8
// bench: --kernel mandelbrot --grid 32,128 --block 32,8 --arg u32[1048576]=0 --arg u32=1024 --arg u32=1024 --arg u32=300
// run: --kernel burning_ship --grid 2,2 --block 16,4 --arg u32[256]=0 --arg u32=32 --arg u32=8 --arg u32=60 --print 0:8
// bench: --kernel burning_ship --grid 64,256 --block 32,8 --arg u32[4194304]=0 --arg u32=2048 --arg u32=2048 --arg u32=300
// run: --kernel newton --grid 2,2 --block 16,4 --arg u32[256]=0 --arg u32=32 --arg u32=8 --arg u32=20 --print 0:8
// bench: --kernel newton --grid 64,256 --block 32,8 --arg u32[4194304]=0 --arg u32=2048 --arg u32=2048 --arg u32=40

__device__ bool inside(unsigned width, unsigned height, unsigned &x, unsigned &y) {
    x = blockIdx.x * blockDim.x + threadIdx.x;
    y = blockIdx.y * blockDim.y + threadIdx.y;
    return x < width && y < height;
}

extern "C" __global__ void julia(unsigned *image, unsigned width, unsigned height, unsigned limit) {
    unsigned x, y, n = 0;
    if (!inside(width, height, x, y))
        return;
    float r = 3.2f * x / width - 1.6f, i = 2.4f * y / height - 1.2f;
    float rr = r * r, ii = i * i;
    while (n < limit && rr + ii < 4.0f) {
        i = fmaf(2.0f * r, i, 0.156f);
        r = rr - ii - 0.8f;
        rr = r * r;
        ii = i * i;
        ++n;
    }
    image[y * width + x] = n;
}

extern "C" __global__ void mandelbrot(unsigned *image, unsigned width, unsigned height, unsigned limit) {
    unsigned x, y, n = 0;
    if (!inside(width, height, x, y))
        return;
    double cr = 3.0 * x / width - 2.0, ci = 2.4 * y / height - 1.2, r = 0, i = 0, rr = 0, ii = 0;
    while (n < limit && rr + ii < 4.0) {
        i = fma(2.0 * r, i, ci);
        r = rr - ii + cr;
        rr = r * r;
        ii = i * i;
        ++n;
    }
    image[y * width + x] = n;
}

extern "C" __global__ void burning_ship(unsigned *image, unsigned width, unsigned height, unsigned limit) {
    unsigned x, y;
    if (!inside(width, height, x, y))
        return;
    float cr = 3.0f * x / width - 2.2f, ci = 2.4f * y / height - 1.9f, r = 0, i = 0;
    unsigned n = 0;
    for (; n < limit; ++n) {
        float next = fmaf(r, r, fmaf(-i, i, cr));
        i = fmaf(2.0f, fabsf(r * i), ci);
        r = next;
        if (fmaf(r, r, i * i) > 16.0f)
            break;
    }
    image[y * width + x] = n;
}

extern "C" __global__ void newton(unsigned *image, unsigned width, unsigned height, unsigned limit) {
    unsigned x, y, n = 0;
    if (!inside(width, height, x, y))
        return;
    float r = 4.0f * x / width - 2.0f, i = 4.0f * y / height - 2.0f;
    for (; n < limit; ++n) {
        float rr = r * r, ii = i * i, square = rr + ii;
        if (square < 1e-6f)
            break;
        // z - (z^3 - 1) / (3 z^2)
        float scale = 1.0f / (3.0f * square * square);
        float nr = fmaf(2.0f / 3.0f, r, (rr - ii) * scale), ni = fmaf(2.0f / 3.0f, i, -2.0f * r * i * scale);
        float change = fabsf(nr - r) + fabsf(ni - i);
        r = nr;
        i = ni;
        if (change < 1e-6f)
            break;
    }
    image[y * width + x] = n | (r > 0) << 16 | (i > 0) << 17;
}
