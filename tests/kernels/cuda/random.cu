// Generators of random numbers: xorshift, Philox, a Mersenne twister in shared memory, estimates with them.
// make: nvcc 90 -fmad=false
// run: --kernel xorshift --grid 1 --block 32 --arg u64[32]=0 --arg u64=42 --arg u32=10 --print 0:8
// run: --kernel xorshift --grid 3 --block 33 --arg u64[99]=0 --arg u64=7 --arg u32=100 --print 0:8
// run: --kernel xorshift --grid 1 --block 4,4,2 --arg u64[32]=0 --arg u64=1 --arg u32=1 --print 0:8
// run: --kernel philox --grid 1 --block 32 --arg u32[128]=0 --arg u64=42 --print 0:8
// run: --kernel philox --grid 2 --block 50 --arg u32[400]=0 --arg u64=18446744073709551615 --print 0:8
// run: --kernel philox --grid 4 --block 7 --arg u32[112]=0 --arg u64=0 --print 0:8
// run: --kernel twister --grid 1 --block 256 --arg u32[1248]=0 --arg u32=5489 --print 0:8
// run: --kernel twister --grid 2 --block 100 --arg u32[2496]=0 --arg u32=1 --print 0:8
// run: --kernel twister --grid 1 --block 227 --arg u32[1248]=0 --arg u32=77 --print 0:8
// run: --kernel estimate_pi --grid 2 --block 64 --arg u32[1]=0 --arg f64[1]=0 --arg u32=20 --print 0 --print 1
// run: --kernel estimate_pi --grid 5 --block 40 --arg u32[1]=0 --arg f64[1]=0 --arg u32=10 --print 0 --print 1
// run: --kernel estimate_pi --grid 1 --block 1 --arg u32[1]=0 --arg f64[1]=0 --arg u32=300 --print 0 --print 1

typedef unsigned long long Word;

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

__device__ Word next(Word &state) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1dull;
}

extern "C" __global__ void xorshift(Word *out, Word seed, unsigned skip) {
    unsigned i = thread_in_grid();
    Word state = seed * 0x9e3779b97f4a7c15ull + i + 1, v = 0;
    for (unsigned k = 0; k <= skip; ++k)
        v = next(state);
    out[i] = v;
}

extern "C" __global__ void philox(uint4 *out, Word seed) {
    unsigned i = thread_in_grid(), k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32);
    uint4 c = make_uint4(i, 0, i * 3, 1);
    for (int round = 0; round < 10; ++round) {
        unsigned low0 = 0xd2511f53u * c.x, high0 = __umulhi(0xd2511f53u, c.x);
        unsigned low1 = 0xcd9e8d57u * c.z, high1 = __umulhi(0xcd9e8d57u, c.z);
        c = make_uint4(high1 ^ c.y ^ k0, low1, high0 ^ c.w ^ k1, low0);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    out[i] = c;
}

// Two rounds of 624 numbers for each block. 227 of them can be made at once, for each needs the one 397 further on.
extern "C" __global__ void twister(unsigned *out, unsigned seed) {
    __shared__ unsigned state[624];
    if (threadIdx.x == 0) {
        state[0] = seed + blockIdx.x;
        for (int k = 1; k < 624; ++k)
            state[k] = 1812433253u * (state[k - 1] ^ state[k - 1] >> 30) + k;
    }
    for (int round = 0; round < 2; ++round) {
        for (int base = 0; base < 624; base += 227) {
            int last = min(base + 227, 624);
            for (int chunk = base; chunk < last; chunk += blockDim.x) {
                int k = chunk + threadIdx.x;
                unsigned made = 0;
                __syncthreads();
                if (k < last) {
                    unsigned y = (state[k] & 0x80000000u) | (state[(k + 1) % 624] & 0x7fffffffu);
                    made = state[(k + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
                }
                __syncthreads();
                if (k < last)
                    state[k] = made;
            }
        }
        __syncthreads();
        for (int k = threadIdx.x; k < 624; k += blockDim.x) {
            unsigned y = state[k];
            y ^= y >> 11;
            y ^= y << 7 & 0x9d2c5680u;
            y ^= y << 15 & 0xefc60000u;
            out[(blockIdx.x * 2 + round) * 624 + k] = y ^ y >> 18;
        }
    }
}

// How many points are in the circle; the sum of squares is of whole numbers, so that the order does not matter.
extern "C" __global__ void estimate_pi(unsigned *inside, double *squares, unsigned each) {
    Word state = thread_in_grid() * 0x9e3779b97f4a7c15ull + 88172645463325252ull;
    unsigned hits = 0;
    double sum = 0;
    for (unsigned k = 0; k < each; ++k) {
        double x = (double)(next(state) >> 11) * 0x1p-53, y = (double)(next(state) >> 11) * 0x1p-53;
        hits += x * x + y * y <= 1.0;
        double whole = floor(x * 1000.0);
        sum += whole * whole;
    }
    atomicAdd(inside, hits);
    atomicAdd(squares, sum);
}
