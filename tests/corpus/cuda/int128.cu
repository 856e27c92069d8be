// 128-bit integers, and multi-word arithmetic with carry chains.
// make: nvcc 75 90a 120
typedef unsigned __int128 u128;
typedef __int128 s128;

extern "C" __global__ void wide(const u128 *in, u128 *out, s128 *sout, int n) {
    u128 a = in[0], b = in[1];
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a / (b | 1);
    out[4] = a % (b | 1);
    out[5] = (a << n) | (b >> (n & 127));
    out[6] = a < b ? a : b;
    sout[0] = (s128)a / ((s128)b | 1);
    sout[1] = (s128)a >> n;
    sout[2] = (s128)a < (s128)b ? -(s128)a : ~(s128)b;
    out[7] = (u128)(unsigned long long)a * (unsigned long long)b;
    out[8] = (u128)(double)(unsigned long long)a;
}

// 256-bit modular addition and Montgomery multiplication, as cryptography has them.
__device__ void add256(unsigned *r, const unsigned *a, const unsigned *b) {
    asm volatile("add.cc.u32 %0, %8, %16;\n\taddc.cc.u32 %1, %9, %17;\n\taddc.cc.u32 %2, %10, %18;\n\taddc.cc.u32 %3, %11, %19;\n\t"
                 "addc.cc.u32 %4, %12, %20;\n\taddc.cc.u32 %5, %13, %21;\n\taddc.cc.u32 %6, %14, %22;\n\taddc.u32 %7, %15, %23;"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]), "r"(b[1]),
                   "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
}

__device__ void montgomery(unsigned *r, const unsigned *a, const unsigned *b, const unsigned *m, unsigned inv) {
    unsigned long long t[9] = {};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        unsigned long long carry = 0;
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            carry += t[j] + (unsigned long long)a[i] * b[j];
            t[j] = (unsigned)carry;
            carry >>= 32;
        }
        t[8] += carry;
        unsigned q = (unsigned)t[0] * inv;
        carry = (t[0] + (unsigned long long)q * m[0]) >> 32;
#pragma unroll
        for (int j = 1; j < 8; ++j) {
            carry += t[j] + (unsigned long long)q * m[j];
            t[j - 1] = (unsigned)carry;
            carry >>= 32;
        }
        carry += t[8];
        t[7] = (unsigned)carry;
        t[8] = carry >> 32;
    }
#pragma unroll
    for (int j = 0; j < 8; ++j)
        r[j] = (unsigned)t[j];
}

extern "C" __global__ void field(unsigned *a, const unsigned *b, const unsigned *m, unsigned inv) {
    unsigned x[8], y[8], z[8], mod[8];
    for (int i = 0; i < 8; ++i)
        x[i] = a[threadIdx.x * 8 + i], y[i] = b[threadIdx.x * 8 + i], mod[i] = m[i];
    montgomery(z, x, y, mod, inv);
    add256(x, z, y);
    for (int i = 0; i < 8; ++i)
        a[threadIdx.x * 8 + i] = x[i];
}
