// Integers of 64 and 128 bits: products, quotients, carries, powers modulo a prime.
// make: nvcc 90
// run: --kernel multiply_128 --grid 1 --block 32 --arg u64[64]=random:1 --arg u64[128]=0 --print 1:8
// run: --kernel multiply_128 --grid 3 --block 21 --arg u64[126]=random:2 --arg u64[252]=0 --print 1:8
// run: --kernel multiply_128 --grid 1 --block 4,2 --arg u64[16]=18446744073709551615 --arg u64[32]=0 --print 1:8
// run: --kernel divide_64 --grid 1 --block 32 --arg s64[32]=random:3 --arg s64[32]=random:4 --arg s64[128]=0 --print 2:8
// run: --kernel divide_64 --grid 2 --block 50 --arg s64[100]=random:5 --arg s64[100]=iota:1:1 --arg s64[400]=0 --print 2:8
// run: --kernel divide_64 --grid 1 --block 5 --arg s64[5]=-9223372036854775808,9223372036854775807,-1,1,0 --arg s64[5]=3,-7,2,-9223372036854775808,5 --arg s64[20]=0 --print 2
// run: --kernel divide_128 --grid 1 --block 16 --arg u64[32]=random:6 --arg u64[32]=random:7 --arg u64[64]=0 --print 2:8
// run: --kernel divide_128 --grid 2 --block 33 --arg u64[132]=random:8 --arg u64[132]=iota:1:3 --arg u64[264]=0 --print 2:8
// run: --kernel divide_128 --grid 1 --block 1 --arg u64[2]=18446744073709551615,18446744073709551615 --arg u64[2]=0,1 --arg u64[4]=0 --print 2
// run: --kernel modular_power --grid 1 --block 32 --arg u64[32]=random:9 --arg u64[32]=random:10 --arg u64[32]=0 --print 2:8
// run: --kernel modular_power --grid 2 --block 20 --arg u64[40]=iota --arg u64[40]=random:11 --arg u64[40]=0 --print 2:8
// run: --kernel modular_power --grid 1 --block 3,3,3 --arg u64[27]=random:12 --arg u64[27]=iota --arg u64[27]=0 --print 2:8
// run: --kernel big_add --grid 1 --block 32 --arg u32[256]=random:13 --arg u32[256]=random:14 --arg u32[288]=0 --print 2:9
// run: --kernel big_add --grid 2 --block 5 --arg u32[80]=0xffffffff --arg u32[80]=iota --arg u32[90]=0 --print 2:9
// run: --kernel big_add --grid 3 --block 33 --arg u32[792]=random:15 --arg u32[792]=random:16 --arg u32[891]=0 --print 2:9

typedef unsigned long long Word;
typedef unsigned __int128 Wide;

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

// The full product of two words, and its square shifted by an amount taken from the input.
extern "C" __global__ void multiply_128(const Word *in, Word *out) {
    unsigned i = thread_in_grid();
    Wide product = (Wide)in[2 * i] * in[2 * i + 1];
    Wide other = (product * product + in[2 * i]) >> (in[2 * i + 1] % 128);
    __int128 negative = -(__int128)product >> 5;
    out[4 * i] = (Word)product;
    out[4 * i + 1] = (Word)(product >> 64);
    out[4 * i + 2] = (Word)other ^ (Word)(other >> 64);
    out[4 * i + 3] = (Word)(negative >> 64) + (Word)(negative < (__int128)other) + __umul64hi(in[2 * i], in[2 * i + 1]);
}

extern "C" __global__ void divide_64(const long long *a, const long long *b, long long *out) {
    unsigned i = thread_in_grid();
    long long by = b[i] == 0 ? 1 : b[i];
    out[4 * i] = a[i] / by;
    out[4 * i + 1] = a[i] % by;
    out[4 * i + 2] = (Word)a[i] / (Word)by;
    out[4 * i + 3] = (Word)a[i] % (Word)by;
}

extern "C" __global__ void divide_128(const Word *a, const Word *b, Word *out) {
    unsigned i = thread_in_grid();
    Wide x = (Wide)a[2 * i] << 64 | a[2 * i + 1], y = (Wide)b[2 * i] << 64 | b[2 * i + 1];
    Wide quotient = y == 0 ? 0 : x / y, rest = y == 0 ? 0 : x % y;
    out[4 * i] = (Word)quotient;
    out[4 * i + 1] = (Word)(quotient >> 64);
    out[4 * i + 2] = (Word)rest;
    out[4 * i + 3] = (Word)(rest >> 64);
}

extern "C" __global__ void modular_power(const Word *base, const Word *exponent, Word *out) {
    const Word prime = 0xffffffffffffffc5ull;
    unsigned i = thread_in_grid();
    Word result = 1, square = base[i] % prime;
    for (Word e = exponent[i] & 0xffff; e != 0; e >>= 1) {
        if (e & 1)
            result = (Word)((Wide)result * square % prime);
        square = (Word)((Wide)square * square % prime);
    }
    out[i] = result;
}

// Numbers of eight words, with the carry in the condition code.
extern "C" __global__ void big_add(const unsigned *a, const unsigned *b, unsigned *out) {
    unsigned i = thread_in_grid();
    a += 8 * i, b += 8 * i, out += 9 * i;
    asm volatile("{ .reg .b32 r<9>;\n"
                 "add.cc.u32 r0, %9, %17; addc.cc.u32 r1, %10, %18; addc.cc.u32 r2, %11, %19; addc.cc.u32 r3, %12, %20;\n"
                 "addc.cc.u32 r4, %13, %21; addc.cc.u32 r5, %14, %22; addc.cc.u32 r6, %15, %23; addc.cc.u32 r7, %16, %24;\n"
                 "addc.u32 r8, 0, 0;\n"
                 "sub.cc.u32 %0, r0, r8; subc.cc.u32 %1, r1, 0; subc.cc.u32 %2, r2, 0; subc.cc.u32 %3, r3, 0;\n"
                 "subc.cc.u32 %4, r4, 0; subc.cc.u32 %5, r5, 0; subc.cc.u32 %6, r6, 0; subc.cc.u32 %7, r7, 0;\n"
                 "subc.u32 %8, r8, 0; }"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3]), "=r"(out[4]), "=r"(out[5]), "=r"(out[6]),
                   "=r"(out[7]), "=r"(out[8])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]),
                   "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
}
