// Multimem: loads with reduction, stores and reductions over all devices of a multicast object.
// make: nvcc 90a 100a 120
// make: clang 90a
extern "C" __global__ void multimem(void *p, unsigned *out) {
    unsigned a, b, c, d;
    unsigned long long l;
    float f;
    asm volatile("multimem.ld_reduce.relaxed.sys.global.add.u32 %0, [%1];" : "=r"(a) : "l"(p) : "memory");
    asm volatile("multimem.ld_reduce.acquire.gpu.global.max.s64 %0, [%1];" : "=l"(l) : "l"(p) : "memory");
    asm volatile("multimem.ld_reduce.weak.global.and.b32 %0, [%1];" : "=r"(b) : "l"(p) : "memory");
    asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f32 %0, [%1];" : "=f"(f) : "l"(p) : "memory");
    asm volatile("multimem.ld_reduce.relaxed.sys.global.add.acc::f32.v4.f16x2 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p) : "memory");
    asm volatile("multimem.ld_reduce.relaxed.sys.global.min.v2.bf16x2 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(p) : "memory");
    asm volatile("multimem.st.release.sys.global.u32 [%0], %1;" ::"l"(p), "r"(a) : "memory");
    asm volatile("multimem.st.weak.global.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(p), "f"(f) : "memory");
    asm volatile("multimem.red.release.gpu.global.add.u32 [%0], %1;" ::"l"(p), "r"(a) : "memory");
    asm volatile("multimem.red.relaxed.sys.global.add.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(p), "f"(f) : "memory");
    asm volatile("fence.proxy.alias;" ::: "memory");
    out[threadIdx.x] = a + b + c + d + (unsigned)l;
}
