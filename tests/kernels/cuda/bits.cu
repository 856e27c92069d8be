// Bits and bytes: counting, finding, permuting, shifting through two words, dot products of bytes, SIMD within a word.
// make: nvcc 90
// run: --kernel bit_tricks --grid 1 --block 32 --arg u32[64]=random:1 --arg u32[512]=0 --print 1:16
// run: --kernel bit_tricks --grid 2 --block 45 --arg u32[180]=random:2 --arg u32[1440]=0 --print 1:16
// run: --kernel bit_tricks --grid 1 --block 3 --arg u32[6]=0,0xffffffff,0x80000000,1,31,32 --arg u32[48]=0 --print 1:16
// run: --kernel bytes_of_words --grid 1 --block 32 --arg u32[96]=random:3 --arg u32[256]=0 --print 1:16
// run: --kernel bytes_of_words --grid 3 --block 15 --arg u32[135]=random:4 --arg u32[360]=0 --print 1:16
// run: --kernel bytes_of_words --grid 1 --block 4,4 --arg u32[48]=0x80ff7f01 --arg u32[128]=0 --print 1:16
// run: --kernel simd_in_word --grid 1 --block 32 --arg u32[64]=random:5 --arg u32[640]=0 --print 1:20
// run: --kernel simd_in_word --grid 2 --block 33 --arg u32[132]=random:6 --arg u32[1320]=0 --print 1:20
// run: --kernel simd_in_word --grid 1 --block 2 --arg u32[4]=0x80007fff,0x7f80ff00,0xffffffff,0x00010001 --arg u32[40]=0 --print 1:20
// run: --kernel morton --grid 2,2 --block 8,8 --arg u64[256]=0 --print 0:8
// run: --kernel morton --grid 1,3 --block 17,5 --arg u64[255]=0 --print 0:8
// run: --kernel morton --grid 5 --block 3,1,2 --arg u64[30]=0 --print 0:8

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * blockDim.x * blockDim.y * blockDim.z + t;
}

extern "C" __global__ void bit_tricks(const unsigned *in, unsigned *out) {
    unsigned i = thread_in_grid(), a = in[2 * i], b = in[2 * i + 1];
    unsigned long long both = (unsigned long long)a << 32 | b;
    out += 16 * i;
    out[0] = __popc(a) | __popcll(both) << 8;
    out[1] = __clz(a) | __clzll(both) << 8;
    out[2] = __ffs(a) | __ffsll(both) << 8;
    out[3] = __brev(a);
    out[4] = (unsigned)__brevll(both >> (b % 64));
    out[5] = __funnelshift_l(a, b, b % 64);
    out[6] = __funnelshift_rc(a, b, b % 64);
    out[7] = __byte_perm(a, b, b);
    out[8] = a << (b % 32) ^ (unsigned)((int)a >> (a % 32));
    out[9] = __umulhi(a, b);
    out[10] = __mulhi((int)a, (int)b);
    out[11] = __usad(a, b, 7) + __sad((int)a, (int)b, 9);
    out[12] = __umul24(a, b) ^ __mul24((int)a, (int)b);
    out[13] = __uhadd(a, b) ^ __rhadd((int)a, (int)b);
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(out[14]) : "r"(a), "r"(b & 255), "r"(b >> 8 & 255));
    asm("{ .reg .b32 f; bfi.b32 f, %1, %2, %3, %4; bfind.shiftamt.u32 %0, f; lop3.b32 %0, %0, f, %1, 0x96; }"
        : "=&r"(out[15])
        : "r"(a), "r"(b), "r"(a >> 3 & 31), "r"(b >> 5 & 15));
}

extern "C" __global__ void bytes_of_words(const unsigned *in, unsigned *out) {
    unsigned i = thread_in_grid(), a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    out += 8 * i;
    out[0] = __dp4a(a, b, c);
    out[1] = __dp4a((int)a, (int)b, (int)c);
    out[2] = __dp2a_lo(a, b, c);
    out[3] = __dp2a_hi((int)a, (int)b, (int)c);
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(out[4]) : "r"(a), "r"(b), "r"(c));
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(out[5]) : "r"(a), "r"(b), "r"(c));
    asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(out[6]) : "r"(a), "r"(b), "r"(c));
    out[7] = __byte_perm(a, b, 0x9bde) ^ __byte_perm(b, c, 0x0123);
}

extern "C" __global__ void simd_in_word(const unsigned *in, unsigned *out) {
    unsigned i = thread_in_grid(), a = in[2 * i], b = in[2 * i + 1];
    out += 20 * i;
    out[0] = __vadd4(a, b);
    out[1] = __vsub4(a, b);
    out[2] = __vaddus4(a, b);
    out[3] = __vaddss4(a, b);
    out[4] = __vabsdiffu4(a, b);
    out[5] = __vavgu4(a, b);
    out[6] = __vmaxs4(a, b);
    out[7] = __vminu4(a, b);
    out[8] = __vcmpgts4(a, b);
    out[9] = __vseteq4(a, b);
    out[10] = __vsads4(a, b);
    out[11] = __vadd2(a, b);
    out[12] = __vsubss2(a, b);
    out[13] = __vmaxu2(a, b);
    out[14] = __vabsss2(a);
    out[15] = __vneg4(b);
    out[16] = __viaddmax_s32((int)a, (int)b, -5);
    out[17] = __vimin3_u16x2(a, b, a ^ b);
    bool first;
    out[18] = __vibmax_s32((int)a, (int)b, &first);
    asm("vadd.u32.s32.u32.sat.max %0, %1.b1, %2.h1, %3;" : "=r"(out[19]) : "r"(a), "r"(b), "r"(a));
    out[19] += first;
}

__device__ unsigned long long spread(unsigned v) {
    unsigned long long x = v;
    x = (x | x << 16) & 0x0000ffff0000ffffull;
    x = (x | x << 8) & 0x00ff00ff00ff00ffull;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
    x = (x | x << 2) & 0x3333333333333333ull;
    return (x | x << 1) & 0x5555555555555555ull;
}

extern "C" __global__ void morton(unsigned long long *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[thread_in_grid()] = spread(x * 40503) | spread(y * 40503 + threadIdx.z) << 1;
}
