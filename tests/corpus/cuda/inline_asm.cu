// Inline PTX of many kinds: every operand class, vectors, predicates, labels, scopes, loads and stores.
// make: nvcc 75 80 90a 100a 120
// make: nvrtc 60 70
// make: clang 75 100a

extern "C" __global__ void loads(const void *in, void *out) {
    unsigned a, b, c, d;
    unsigned short h;
    unsigned long long l, m;
    float f;
    double e;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(in));
    asm volatile("ld.global.nc.v4.u32 {%0,%1,%2,%3}, [%4+16];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in));
    asm volatile("ld.global.ca.u16 %0, [%1+-2];" : "=h"(h) : "l"(in));
    asm volatile("ld.global.cg.v2.u64 {%0,%1}, [%2+32];" : "=l"(l), "=l"(m) : "l"(in));
    asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(f) : "l"(in));
    asm volatile("ld.global.cv.f64 %0, [%1];" : "=d"(e) : "l"(in));
    asm volatile("ld.global.cs.s8 %0, [%1];" : "=r"(b) : "l"(in));
    asm volatile("ld.global.lu.b8 %0, [%1];" : "=r"(c) : "l"(in));
    asm volatile("ldu.global.u32 %0, [%1];" : "=r"(d) : "l"(in));
    asm volatile("ld.u32 %0, [%1+0x40];" : "=r"(d) : "l"(in));
    asm volatile("st.global.wb.v2.u32 [%0], {%1,%2};" ::"l"(out), "r"(a), "r"(b) : "memory");
    asm volatile("st.global.cg.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(out), "f"(f) : "memory");
    asm volatile("st.global.cs.u16 [%0+8], %1;" ::"l"(out), "h"(h) : "memory");
    asm volatile("st.global.wt.u64 [%0], %1;" ::"l"(out), "l"(l ^ m) : "memory");
    asm volatile("st.volatile.global.f64 [%0], %1;" ::"l"(out), "d"(e) : "memory");
    asm volatile("st.global.u8 [%0], 255;" ::"l"(out) : "memory");
    asm volatile("prefetch.global.L1 [%0];\n\tprefetch.global.L2 [%0];\n\tprefetchu.L1 [%0];" ::"l"(in));
#if __CUDA_ARCH__ >= 700
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(a) : "l"(in) : "memory");
    asm volatile("ld.relaxed.sys.global.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(in) : "memory");
    asm volatile("st.release.cta.global.u32 [%0], %1;" ::"l"(out), "r"(a) : "memory");
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(out), "l"(l) : "memory");
    asm volatile("fence.sc.sys;\n\tfence.acq_rel.gpu;\n\tfence.acq_rel.cta;" ::: "memory");
#endif
#if __CUDA_ARCH__ >= 750
    asm volatile("ld.global.L1::evict_last.L2::128B.u32 %0, [%1];" : "=r"(a) : "l"(in));
#endif
#if __CUDA_ARCH__ >= 800
    unsigned long long policy;
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in));
    asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(policy));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(a) : "l"(in), "l"(policy));
    asm volatile("createpolicy.range.global.L2::evict_first.L2::evict_unchanged.b64 %0, [%1], 256, 1024;" : "=l"(policy) : "l"(in));
    asm volatile("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(policy) : "l"(l));
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;\n\tdiscard.global.L2 [%0], 128;" ::"l"(out) : "memory");
    asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(in));
    asm volatile("st.global.L1::evict_first.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(out), "r"(a), "l"(policy) : "memory");
    asm volatile("red.global.add.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(out), "r"(a), "l"(policy) : "memory");
#endif
#if __CUDA_ARCH__ >= 1000
    asm volatile("ld.global.nc.L1::no_allocate.L2::evict_last.v4.u64 {%0,%1,%0,%1}, [%2];" : "=l"(l), "=l"(m) : "l"(in));
    asm volatile("st.global.v8.f32 [%0], {%1,%1,%1,%1,%1,%1,%1,%1};" ::"l"(out), "f"(f) : "memory");
#endif
    ((unsigned *)out)[9] = a + b + c + d;
}

extern "C" __global__ void scopes(const int *in, int *out, int n) {
    int r;
    asm volatile("{\n\t.reg .pred p, q, r;\n\t.reg .b32 t<4>;\n\t.reg .b64 w;\n\t.shared .align 8 .b8 box[16];\n\t.local .align 4 .b8 den[8];\n\t"
                 "setp.ge.s32 p, %1, 3;\n\tsetp.eq.or.s32 q|r, %1, 5, p;\n\t@!q bra SKIP_%=;\n\tmov.u32 t0, box;\n\tst.shared.u32 [box+4], %1;\n\tld.shared.u32 t1, [t0+4];\n\t"
                 "st.local.u32 [den], t1;\n\tld.local.u32 t2, [den];\n\tadd.s32 %0, t2, 1;\n\tbra.uni DONE_%=;\nSKIP_%=:\n\tnot.pred p, p;\n\tand.pred q, p, r;\n\tor.pred q, q, 1;\n\txor.pred r, q, p;\n\t"
                 "@r mov.s32 %0, -1;\n\t@!r mov.s32 %0, 0x7f;\nDONE_%=:\n\t}" : "=r"(r) : "r"(n) : "memory");
    out[0] = r;
    unsigned lo, hi;
    unsigned short x, y;
    unsigned long long w = (unsigned long long)in;
    asm volatile("mov.b64 {%0,%1}, %2;" : "=r"(lo), "=r"(hi) : "l"(w));
    asm volatile("mov.b32 {%0,%1}, %2;" : "=h"(x), "=h"(y) : "r"(lo));
    asm volatile("mov.b64 %0, {%1,%2};" : "=l"(w) : "r"(hi), "r"(lo));
    asm volatile("mov.b32 %0, {%1,%2};" : "=r"(lo) : "h"(y), "h"(x));
    asm volatile("{ .reg .b32 hi; mov.b64 {_, hi}, %1; mov.b32 %0, hi; }" : "=r"(hi) : "l"(w));
    asm volatile("cvt.u64.u32 %0, %1;" : "=l"(w) : "r"(lo));
    asm volatile("cvt.s16.s32 %0, %1;\n\tcvt.sat.u8.s32 %0, %1;" : "=h"(x) : "r"(hi));
    asm volatile("cvt.rni.s32.f32 %0, %1;" : "=r"(hi) : "f"(1.5f));
#if __CUDA_ARCH__ >= 720
    asm volatile("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(lo) : "r"(lo), "r"(hi));
#endif
    asm volatile("cvta.to.global.u64 %0, %0;\n\tcvta.global.u64 %0, %0;" : "+l"(w));
    asm volatile("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(hi) : "l"(w));
    out[1] = lo + hi + x + y + (int)w;
    asm volatile("{ .reg .b64 s; .reg .f64 d; mov.f64 d, 0d3FF0000000000000; mov.b64 s, d; cvt.u32.u64 %0, s; }" : "=r"(lo));
    asm volatile("add.s32 %0, %0, %1;" : "+r"(lo) : "n"(17));
    asm("membar.cta;\n\tmembar.gl;\n\tmembar.sys;" ::: "memory");
    asm volatile("bar.sync 0;\n\tbarrier.sync 1, 64;\n\tbar.warp.sync 0xffffffff;" ::: "memory");
    asm volatile(".pragma \"nounroll\";");
#if __CUDA_ARCH__ >= 700
    asm volatile("nanosleep.u32 100;");
#endif
    out[2] = lo;
}
