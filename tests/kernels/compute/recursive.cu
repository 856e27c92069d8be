// Recursion and search: Fibonacci's numbers and Ackermann's function by calls, queens on a board, knapsacks, an adaptive integral.
// make: nvcc 90 -fmad=false
// run: --kernel fibonacci --grid 2 --block 32 --arg u32[64]=0 --arg u32=6 --print 0:8
// bench: --kernel fibonacci --grid 528 --block 128 --arg u32[67584]=0 --arg u32=14
// run: --kernel ackermann --grid 1 --block 32 --arg u32[32]=0 --arg u32=3 --print 0:8
// bench: --kernel ackermann --grid 528 --block 128 --arg u32[67584]=0 --arg u32=24
// run: --kernel queens --grid 1 --block 36 --arg u32[36]=0 --arg u32=6 --print 0:8
// bench: --kernel queens --grid 1056 --block 128 --arg u32[135168]=0 --arg u32=10
// run: --kernel integral --grid 2 --block 32 --arg f32[64]=0 --arg f32=0.01 --print 0:8
// bench: --kernel integral --grid 528 --block 128 --arg f32[67584]=0 --arg f32=0.000001

__device__ __noinline__ unsigned fib(unsigned n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

extern "C" __global__ void fibonacci(unsigned *out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = fib(n + i % 3);
}

__device__ __noinline__ unsigned ack(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    return ack(m - 1, n == 0 ? 1 : ack(m, n - 1));
}

extern "C" __global__ void ackermann(unsigned *out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = ack(2, n + i % 4);
}

// A thread has its first two queens by its number, and searches for the others with a stack.
extern "C" __global__ void queens(unsigned *out, unsigned size) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = (1u << size) - 1, found = 0;
    unsigned open[16], columns[16], left[16], right[16];
    unsigned first = i % size, second = i / size % size;
    unsigned c = 1u << first, l = c << 1, r = c >> 1;
    if ((c | l | r) >> second & 1) {
        out[i] = 0;
        return;
    }
    unsigned q = 1u << second;
    int depth = 0;
    columns[0] = c | q;
    left[0] = (l | q) << 1;
    right[0] = (r | q) >> 1;
    open[0] = all & ~(columns[0] | left[0] | right[0]);
    while (depth >= 0) {
        unsigned free = open[depth];
        if (free == 0) {
            --depth;
            continue;
        }
        unsigned at = free & -free;
        open[depth] = free ^ at;
        unsigned nc = columns[depth] | at, nl = (left[depth] | at) << 1, nr = (right[depth] | at) >> 1;
        if (nc == all) {
            ++found;
            continue;
        }
        ++depth;
        columns[depth] = nc;
        left[depth] = nl;
        right[depth] = nr;
        open[depth] = all & ~(nc | nl | nr);
    }
    out[i] = found;
}

__device__ float curve(float x, float p) {
    return 1.0f / fmaf(x * p, x, 0.02f);
}

__device__ __noinline__ float part(float a, float b, float fa, float fm, float fb, float p, float error, int depth) {
    float m = 0.5f * (a + b), width = b - a;
    float fl = curve(0.5f * (a + m), p), fr = curve(0.5f * (m + b), p);
    float whole = width * (fa + 4 * fm + fb) * (1.0f / 6);
    float halves = width * (fa + 4 * fl + 2 * fm + 4 * fr + fb) * (1.0f / 12);
    if (depth == 0 || fabsf(whole - halves) < error)
        return halves;
    return part(a, m, fa, fl, fm, p, 0.5f * error, depth - 1) + part(m, b, fm, fr, fb, p, 0.5f * error, depth - 1);
}

extern "C" __global__ void integral(float *out, float error) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float p = 1.0f + 0.125f * (i % 16);
    out[i] = part(-1, 1, curve(-1, p), curve(0, p), curve(1, p), p, error, 8);
}
