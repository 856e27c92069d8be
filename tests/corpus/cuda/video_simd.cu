// SIMD in a word: the __v intrinsics, and the scalar video instructions by inline PTX.
// make: nvcc 75 80 90a 120
// make: nvrtc 60 70
// make: clang 80

extern "C" __global__ void simd(const unsigned *in, unsigned *out) {
    unsigned a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64], r = 0;
    r ^= __vadd2(a, b) ^ __vadd4(a, c) ^ __vaddss2(a, b) ^ __vaddus4(b, c);
    r ^= __vsub2(a, b) ^ __vsubss4(a, c) ^ __vavgs2(a, b) ^ __vavgu4(b, c);
    r ^= __vabs2(a) ^ __vabsss4(b) ^ __vneg2(c) ^ __vnegss4(a);
    r ^= __vabsdiffs2(a, b) ^ __vabsdiffu4(a, c) ^ __vsads2(a, b) ^ __vsadu4(b, c);
    r ^= __vmaxs2(a, b) ^ __vmaxu4(a, c) ^ __vmins4(a, b) ^ __vminu2(b, c);
    r ^= __vcmpeq2(a, b) ^ __vcmpgts4(a, c) ^ __vcmpleu2(a, b) ^ __vsetne4(b, c) ^ __vsetgeu2(a, c);
    r ^= __vhaddu4(a, b);
    r ^= __viaddmax_s32(a, b, c) ^ __viaddmin_s16x2_relu(a, b, c) ^ __vimax3_u32(a, b, c) ^ __vimin3_s16x2(a, b, c);
    bool p, q;
    r ^= __vibmax_s32(a, b, &p) ^ __vibmin_u16x2(b, c, &p, &q);
    out[threadIdx.x] = r + p + q;
}

#define V(TEXT)                                                                                                        \
    asm volatile(TEXT : "=r"(r) : "r"(a), "r"(b), "r"(c));                                                             \
    sum ^= r;

extern "C" __global__ void video(const unsigned *in, unsigned *out) {
    unsigned a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64], r, sum = 0;
    V("vadd.s32.u32.s32 %0, %1, %2;")
    V("vadd.s32.s32.s32.sat %0, %1.b0, %2.h1;")
    V("vadd.u32.u32.u32.add %0, %1.b3, %2.b1, %3;")
    V("vsub.u32.u32.u32.min %0, %1.h0, %2.h1, %3;")
    V("vabsdiff.s32.s32.s32.sat.max %0, %1, %2.b2, %3;")
    V("vmin.s32.s32.s32 %0.b1, %1, %2, %3;")
    V("vmax.u32.u32.u32 %0.h0, %1.h1, %2, %3;")
    V("vshl.u32.u32.u32.clamp %0, %1, %2;")
    V("vshr.s32.s32.u32.wrap.add %0, %1, %2, %3;")
    V("vmad.s32.s32.u32 %0, %1.h0, %2.b0, %3;")
    V("vmad.u32.u32.u32.sat.shr7 %0, %1.b0, %2.b1, %3;")
    V("vmad.s32.u32.s32.po.shr15 %0, %1.h1, %2.h0, %3;")
    V("vset.s32.u32.lt %0, %1, %2;")
    V("vset.u32.u32.ge.max %0, %1.b0, %2.b1, %3;")
    V("vadd2.s32.s32.s32 %0, %1, %2, %3;")
    V("vadd2.s32.s32.u32.sat %0.h10, %1.h32, %2.h10, %3;")
    V("vsub2.u32.u32.u32.add %0.h1, %1, %2, %3;")
    V("vavrg2.s32.s32.s32 %0, %1, %2, %3;")
    V("vmax2.u32.u32.u32 %0, %1.h20, %2.h31, %3;")
    V("vset2.u32.u32.ne %0, %1, %2, %3;")
    V("vadd4.s32.s32.s32.sat %0, %1, %2, %3;")
    V("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;")
    V("vmin4.s32.s32.s32 %0.b20, %1.b7654, %2.b3210, %3;")
    V("vset4.u32.u32.gt %0.b3210, %1, %2, %3;")
    out[threadIdx.x] = sum;
}
