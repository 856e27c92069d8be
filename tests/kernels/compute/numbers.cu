// Integers: powers by Montgomery's method, quotients of 32 and 64 bits, Collatz' sequences, primes, common divisors, products of long numbers.
// make: nvcc 90 -fmad=false
// run: --kernel powers --grid 2 --block 32 --arg u64[64]=random:1 --arg u64[64]=0 --arg u32=1 --print 1:4
// bench: --kernel powers --grid 1056 --block 256 --arg u64[270336]=random:1 --arg u64[270336]=0 --arg u32=3
// run: --kernel quotients --grid 2 --block 32 --arg u32[64]=random:2 --arg u32[64]=0 --arg u32=6 --print 1:4
// bench: --kernel quotients --grid 1056 --block 256 --arg u32[270336]=random:2 --arg u32[270336]=0 --arg u32=200
// run: --kernel long_quotients --grid 2 --block 32 --arg u64[64]=random:3 --arg u64[64]=0 --arg u32=4 --print 1:4
// bench: --kernel long_quotients --grid 1056 --block 256 --arg u64[270336]=random:3 --arg u64[270336]=0 --arg u32=60
// run: --kernel collatz --grid 2 --block 32 --arg u32[64]=0 --arg u32=1000 --print 0:8
// bench: --kernel collatz --grid 4224 --block 256 --arg u32[1081344]=0 --arg u32=1000000
// run: --kernel primes --grid 2 --block 32 --arg u32[64]=0 --arg u32=1000001 --print 0:8
// bench: --kernel primes --grid 1056 --block 256 --arg u32[270336]=0 --arg u32=1000001
// run: --kernel divisors --grid 2 --block 32 --arg u64[64]=random:4 --arg u64[64]=random:5 --arg u64[64]=0 --print 2:4
// bench: --kernel divisors --grid 1056 --block 256 --arg u64[270336]=random:4 --arg u64[270336]=random:5 --arg u64[270336]=0
// run: --kernel squares_256 --grid 2 --block 32 --arg u32[512]=random:6 --arg u32=2 --print 0:8
// bench: --kernel squares_256 --grid 1056 --block 128 --arg u32[1081344]=random:6 --arg u32=60

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u64 reduced(u64 low, u64 high, u64 n, u64 inverse) {
    u64 q = low * inverse, h = __umul64hi(q, n);
    return high < h ? high - h + n : high - h;
}

// 3 to the power of a number modulo an odd one.
extern "C" __global__ void powers(const u64 *in, u64 *out, u32 times) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 n = in[i] | 1, inverse = n;
    for (int k = 0; k < 5; ++k)
        inverse *= 2 - n * inverse;
    u64 one = ~0ull % n + 1, base = one;
    for (int k = 0; k < 2; ++k)
        base = base + one >= n || base + one < one ? base + one - n : base + one;
    for (u32 t = 0; t < times; ++t) {
        u64 r = one;
        for (u64 e = n - 1; e; e >>= 1) {
            if (e & 1)
                r = reduced(r * base, __umul64hi(r, base), n, inverse);
            base = reduced(base * base, __umul64hi(base, base), n, inverse);
        }
        base = r;
    }
    out[i] = reduced(base, 0, n, inverse);
}

extern "C" __global__ void quotients(const u32 *in, u32 *out, u32 times) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, a = in[i], sum = 0;
    int s = (int)a;
    for (u32 k = 0; k < times; ++k) {
        u32 divisor = (a >> (k & 15)) + k | 1;
        sum += a / divisor ^ a % divisor;
        int other = (int)(divisor >> 3) - 1000 | 1;
        sum ^= s / other + s % other;
        sum += a / 10 + s % 7;
        a = a * 1664525 + 1013904223;
        s ^= (int)a;
    }
    out[i] = sum;
}

extern "C" __global__ void long_quotients(const u64 *in, u64 *out, u32 times) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 a = in[i], sum = 0;
    for (u32 k = 0; k < times; ++k) {
        u64 divisor = a >> (k & 31) | 1;
        sum += a / divisor ^ a % divisor;
        sum ^= (u64)((long long)a / ((long long)(divisor >> 7) - 12345 | 1));
        a = a * 6364136223846793005ull + 1442695040888963407ull;
    }
    out[i] = sum;
}

extern "C" __global__ void collatz(u32 *steps, u32 first) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
    u64 v = first + i;
    while (v != 1) {
        v = v & 1 ? (3 * v + 1) >> 1 : v >> 1;
        ++n;
    }
    steps[i] = n;
}

extern "C" __global__ void primes(u32 *out, u32 first) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, v = first + 2 * i;
    bool prime = v % 3 != 0;
    for (u32 d = 5; prime && d * d <= v; d += 6)
        prime = v % d != 0 && v % (d + 2) != 0;
    out[i] = prime;
}

// Stein's way: shifts and differences.
extern "C" __global__ void divisors(const u64 *a, const u64 *b, u64 *out) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 x = a[i] | 1ull << 63, y = b[i] | 1ull << 62;
    int both = __ffsll((long long)(x | y)) - 1;
    x >>= __ffsll((long long)x) - 1;
    while (y) {
        y >>= __ffsll((long long)y) - 1;
        u64 low = min(x, y);
        y = max(x, y) - low;
        x = low;
    }
    out[i] = x << both;
}

// Squares of 256 bits modulo 2^256 - 189, again and again.
extern "C" __global__ void squares_256(u32 *data, u32 times) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, v[8];
    for (int k = 0; k < 8; ++k)
        v[k] = data[i * 8 + k];
    for (u32 n = 0; n < times; ++n) {
        u32 wide[16];
        for (int k = 0; k < 16; ++k)
            wide[k] = 0;
#pragma unroll
        for (int a = 0; a < 8; ++a) {
            u64 carry = 0;
#pragma unroll
            for (int b = 0; b < 8; ++b) {
                carry += (u64)v[a] * v[b] + wide[a + b];
                wide[a + b] = (u32)carry;
                carry >>= 32;
            }
            wide[a + 8] = (u32)carry;
        }
        u64 carry = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            carry += (u64)wide[k + 8] * 189 + wide[k];
            v[k] = (u32)carry;
            carry >>= 32;
        }
        carry *= 189;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            carry += v[k];
            v[k] = (u32)carry;
            carry >>= 32;
        }
    }
    for (int k = 0; k < 8; ++k)
        data[i * 8 + k] = v[k];
}
