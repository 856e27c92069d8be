// Fifth-generation tensor cores: tensor memory, loads, stores, copies, matrix products (sm_100a family).
// make: nvcc 100a 103a 110a
// make: clang 100a
extern "C" __global__ void __launch_bounds__(128) tcgen05(unsigned long long da, unsigned long long db, unsigned idesc, unsigned *out, unsigned scale, unsigned d, unsigned sa) {
    __shared__ unsigned slot;
    __shared__ alignas(8) unsigned long long bar;
    unsigned s = (unsigned)__cvta_generic_to_shared(&slot), b = (unsigned)__cvta_generic_to_shared(&bar), r[4];
    unsigned short mask = 3;
    if (threadIdx.x < 32) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(s) : "memory");
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    }
    __syncthreads();
    unsigned t = slot;
    asm volatile("tcgen05.fence::before_thread_sync;\n\ttcgen05.fence::after_thread_sync;" ::: "memory");
    asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" ::"r"(t), "l"(da) : "memory");
    asm volatile("tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [%0], %1;" ::"r"(t), "l"(da) : "memory");
    asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4.b8x16.b6x16_p32 [%0], %1;" ::"r"(t), "l"(da) : "memory");
    asm volatile("tcgen05.shift.cta_group::1.down [%0];" ::"r"(t) : "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" ::"r"(t), "l"(da), "l"(db), "r"(idesc), "r"(scale) : "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::tf32 [%0], [%1], %2, %3, p; }" ::"r"(t), "r"(d), "l"(db), "r"(idesc), "r"(scale) : "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::f8f6f4.collector::a::lastuse [%0], %1, %2, %3, p; }" ::"r"(t), "l"(da), "l"(db), "r"(idesc), "r"(scale) : "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%0], %1, %2, %3, [%5], [%5], p; }" ::"r"(t), "l"(da), "l"(db), "r"(idesc), "r"(scale), "r"(sa) : "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\ttcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::fill [%0], %1, %2, %3, p; }" ::"r"(t), "l"(da), "l"(db), "r"(idesc), "r"(scale) : "memory");
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(b) : "memory");
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(b), "h"(mask) : "memory");
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(t));
    asm volatile("tcgen05.ld.sync.aligned.16x64b.x4.pack::16b.b32 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(t));
    asm volatile("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(t));
    asm volatile("tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%0}, [%1], 8;" : "=r"(r[0]) : "r"(t));
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    asm volatile("tcgen05.st.sync.aligned.16x128b.x2.b32 [%0], {%1,%2,%3,%4};" ::"r"(t), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [%0], {%1};" ::"r"(t), "r"(r[0]) : "memory");
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
    for (int i = 0; i < 4; ++i)
        out[threadIdx.x * 4 + i] = r[i];
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(t));
}
