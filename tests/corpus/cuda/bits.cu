// Integer and bit intrinsics, 8 to 64 bits, and the PTX behind them.
// make: nvcc 75 86 120
// make: nvrtc 60 70
// make: clang 75 100a

template <typename T> __device__ T arithmetic(T a, T b, T c) {
    T r = a * b + c;
    r = (T)(r - a / (T)(b | 1));
    r = (T)(r ^ (a % (T)(c | 1)));
    r = (T)((r << (b & 7)) | (r >> (c & 7)));
    r = (T)(r + (a < b ? a : b) + (a > c ? a : c) + (a == b) + (b != c));
    r = (T)(~r & (a | -b));
    return a < c ? r : (T)(r + a);
}

#define KERNEL(NAME, T)                                                                                                \
    extern "C" __global__ void NAME(const T *in, T *out) {                                                             \
        int i = threadIdx.x;                                                                                           \
        out[i] = arithmetic(in[i], in[i + 32], in[i + 64]);                                                            \
    }
KERNEL(int_s8, signed char)
KERNEL(int_u8, unsigned char)
KERNEL(int_s16, short)
KERNEL(int_u16, unsigned short)
KERNEL(int_s32, int)
KERNEL(int_u32, unsigned)
KERNEL(int_s64, long long)
KERNEL(int_u64, unsigned long long)

extern "C" __global__ void bits(const unsigned *in, unsigned *out, const unsigned long long *in64, unsigned long long *out64) {
    int i = threadIdx.x;
    unsigned a = in[i], b = in[i + 1], c = in[i + 2], r = 0;
    r += __popc(a) + __clz(b) + __ffs(c) + __brev(a);
    r ^= __funnelshift_l(a, b, c) ^ __funnelshift_lc(a, b, c) ^ __funnelshift_r(a, b, 5) ^ __funnelshift_rc(a, b, c);
    r ^= __byte_perm(a, b, 0x5140) ^ __byte_perm(a, b, c);
    r ^= __mulhi((int)a, (int)b) ^ __umulhi(a, c) ^ __mul24((int)a, (int)b) ^ __umul24(b, c);
    r ^= __sad((int)a, (int)b, c) ^ __usad(a, b, c) ^ __hadd((int)a, (int)b) ^ __rhadd((int)a, (int)c) ^ __uhadd(a, b);
    r ^= abs((int)a) ^ max((int)a, (int)b) ^ min(a, b);
#if __CUDA_ARCH__ >= 610 && !defined(__clang__)
    r ^= __dp4a((int)a, (int)b, (int)c) ^ __dp4a(a, b, c) ^ __dp2a_lo((int)a, (int)b, (int)c) ^ __dp2a_hi(a, b, c);
#endif
    out[i] = r;
    unsigned long long x = in64[i], y = in64[i + 1], z = 0;
    z += __popcll(x) + __clzll(y) + __ffsll(x) + __brevll(y);
    z ^= __umul64hi(x, y) ^ __mul64hi(x, y) ^ (x >> (y & 63)) ^ (x << 13 | x >> 51) ^ llabs((long long)x);
    out64[i] = z;
}

#define B(TEXT)                                                                                                        \
    asm volatile(TEXT : "=r"(r) : "r"(a), "r"(b), "r"(c));                                                             \
    sum ^= r;

extern "C" __global__ void bit_asm(const unsigned *in, unsigned *out) {
    unsigned a = in[0], b = in[1], c = in[2], r, sum = 0;
    B("bfe.u32 %0, %1, %2, %3;")
    B("bfe.s32 %0, %1, 3, 7;")
    B("bfi.b32 %0, %1, %2, 4, 8;")
    B("bfind.u32 %0, %1;")
    B("bfind.shiftamt.s32 %0, %1;")
#if __CUDA_ARCH__ >= 700
    B("bmsk.clamp.b32 %0, %1, %2;")
    B("bmsk.wrap.b32 %0, %1, %2;")
    B("szext.clamp.s32 %0, %1, %2;")
    B("szext.wrap.u32 %0, %1, %2;")
#endif
    B("fns.b32 %0, %1, %2, %3;")
    B("lop3.b32 %0, %1, %2, %3, 0x96;")
    B("shf.l.wrap.b32 %0, %1, %2, %3;")
    B("shf.r.clamp.b32 %0, %1, %2, 12;")
    B("prmt.b32.f4e %0, %1, %2, %3;")
    B("prmt.b32.rc16 %0, %1, %2, %3;")
    B("prmt.b32.ecl %0, %1, %2, 2;")
    B("mad.hi.u32 %0, %1, %2, %3;")
    B("mad.lo.s32 %0, %1, %2, %3;")
    B("mad24.hi.u32 %0, %1, %2, %3;")
    B("mul24.lo.s32 %0, %1, %2;")
    B("sad.u32 %0, %1, %2, %3;")
    B("cnot.b32 %0, %1;")
    B("mul.hi.s32 %0, %1, %2;")
    B("add.sat.s32 %0, %1, %2;")
    B("{ add.cc.u32 %0, %1, %2; addc.cc.u32 %0, %1, %3; addc.u32 %0, %2, %3; }")
    B("{ sub.cc.u32 %0, %1, %2; subc.cc.u32 %0, %1, %3; subc.u32 %0, %2, %3; }")
    B("{ mad.lo.cc.u32 %0, %1, %2, %3; madc.hi.u32 %0, %1, %2, %3; }")
    B("slct.u32.s32 %0, %1, %2, %3;")
    B("set.lt.u32.s32 %0, %1, %2;")
    out[0] = sum;
}
