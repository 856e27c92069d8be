// Random numbers: the Mersenne twister in shared memory, Philox, xoshiro, MRG32k3a in doubles, and pi by darts.
// make: nvcc 90 -fmad=false
// run: --kernel twister --grid 2 --block 64 --arg u32[128]=0 --arg u32=1 --print 0:4
// bench: --kernel twister --grid 1056 --block 256 --arg u32[270336]=0 --arg u32=10
// run: --kernel philox --grid 2 --block 32 --arg u32[64]=0 --arg u32=4 --print 0:4
// bench: --kernel philox --grid 1056 --block 256 --arg u32[270336]=0 --arg u32=150
// run: --kernel xoshiro --grid 2 --block 32 --arg u64[64]=0 --arg u32=8 --print 0:4
// bench: --kernel xoshiro --grid 1056 --block 256 --arg u64[270336]=0 --arg u32=1000
// run: --kernel mrg --grid 2 --block 32 --arg f64[64]=0 --arg u32=5 --print 0:4
// bench: --kernel mrg --grid 1056 --block 128 --arg f64[135168]=0 --arg u32=150
// run: --kernel darts --grid 2 --block 32 --arg u32[64]=0 --arg u32=20 --print 0:4
// bench: --kernel darts --grid 1056 --block 256 --arg u32[270336]=0 --arg u32=1000

typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void twister(u32 *out, u32 rounds) {
    __shared__ u32 state[624];
    u32 t = threadIdx.x, sum = 0;
    if (t == 0) {
        u32 v = blockIdx.x + 5489;
        for (int k = 0; k < 624; ++k) {
            state[k] = v;
            v = 1812433253u * (v ^ v >> 30) + k + 1;
        }
    }
    __syncthreads();
    for (u32 n = 0; n < rounds; ++n) {
        // Numbers from 0 to 226 need old ones only, later ones what was made before.
        for (u32 start = 0; start < 624; start += 227) {
            u32 end = min(start + 227, 624u);
            for (u32 k0 = start; k0 < end; k0 += blockDim.x) {
                u32 k = k0 + t, next = 0;
                if (k < end) {
                    u32 y = (state[k] & 0x80000000) | (state[(k + 1) % 624] & 0x7fffffff);
                    next = state[(k + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
                }
                __syncthreads();
                if (k < end)
                    state[k] = next;
                __syncthreads();
            }
        }
        for (u32 k = t; k < 624; k += blockDim.x) {
            u32 y = state[k];
            y ^= y >> 11;
            y ^= y << 7 & 0x9d2c5680;
            y ^= y << 15 & 0xefc60000;
            sum += y ^ y >> 18;
        }
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = sum;
}

extern "C" __global__ void philox(u32 *out, u32 count) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (u32 n = 0; n < count; ++n) {
        u32 a = n, b = i, c = 0, d = 0, k = 0x12345678, l = 0x9abcdef0;
#pragma unroll
        for (int r = 0; r < 10; ++r) {
            u32 ha = __umulhi(0xd2511f53, a), la = 0xd2511f53 * a, hc = __umulhi(0xcd9e8d57, c), lc = 0xcd9e8d57 * c;
            a = hc ^ b ^ k;
            b = lc;
            c = ha ^ d ^ l;
            d = la;
            k += 0x9e3779b9;
            l += 0xbb67ae85;
        }
        sum ^= a + b ^ c + d;
    }
    out[i] = sum;
}

extern "C" __global__ void xoshiro(u64 *out, u32 count) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 a = i + 1, b = a * 0x9e3779b97f4a7c15ull, c = b ^ b >> 31, d = c * 0xbf58476d1ce4e5b9ull, sum = 0;
    for (u32 n = 0; n < count; ++n) {
        u64 r = b * 5, t = b << 17;
        sum += (r << 7 | r >> 57) * 9;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= t;
        d = d << 45 | d >> 19;
    }
    out[i] = sum;
}

extern "C" __global__ void mrg(double *out, u32 count) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    const double m1 = 4294967087.0, m2 = 4294944443.0;
    double a[3] = {12345.0 + i, 54321.0, 1.0 + i}, b[3] = {777.0, 3.0 + i, 99.0}, sum = 0;
    for (u32 n = 0; n < count; ++n) {
        double p = fma(1403580.0, a[1], -810728.0 * a[0]);
        p -= floor(p * (1.0 / m1)) * m1;
        p = p < 0 ? p + m1 : p >= m1 ? p - m1 : p;
        a[0] = a[1], a[1] = a[2], a[2] = p;
        double q = fma(527612.0, b[2], -1370589.0 * b[0]);
        q -= floor(q * (1.0 / m2)) * m2;
        q = q < 0 ? q + m2 : q >= m2 ? q - m2 : q;
        b[0] = b[1], b[1] = b[2], b[2] = q;
        sum = fma(p - q + (p <= q ? m1 : 0), 2.328306549295727688e-10, sum);
    }
    out[i] = sum;
}

extern "C" __global__ void darts(u32 *out, u32 count) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, s = i * 747796405 + 1, inside = 0;
    for (u32 n = 0; n < count; ++n) {
        s ^= s << 13, s ^= s >> 17, s ^= s << 5;
        float x = (s & 0xffff) * (1.0f / 65536), y = (s >> 16) * (1.0f / 65536);
        inside += fmaf(x, x, y * y) < 1.0f;
    }
    out[i] = inside;
}
