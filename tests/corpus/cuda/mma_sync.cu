// mma.sync, ldmatrix and stmatrix by inline PTX: shapes and types by generation.
// make: nvcc 75 80 86 90a 100a 120
// make: nvrtc 70
// make: clang 75 80 90a

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

#define MMA(NAME, ASM, ND, NA, NB, DC, AC, CT)                                                                        \
    extern "C" __global__ void NAME(const unsigned *a, const unsigned *b, CT *c) {                                     \
        unsigned ra[4], rb[4];                                                                                         \
        CT d[8];                                                                                                       \
        for (int i = 0; i < 4; ++i)                                                                                    \
            ra[i] = a[threadIdx.x * 4 + i], rb[i] = b[threadIdx.x * 4 + i];                                            \
        for (int i = 0; i < 8; ++i)                                                                                    \
            d[i] = c[threadIdx.x * 8 + i];                                                                             \
        ASM;                                                                                                           \
        for (int i = 0; i < 8; ++i)                                                                                    \
            c[threadIdx.x * 8 + i] = d[i];                                                                             \
    }

#if __CUDA_ARCH__ >= 700 && __CUDA_ARCH__ < 900
MMA(mma_m8n8k4_f32, asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "
                                 "{%0,%1,%2,%3,%4,%5,%6,%7};"
                                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                                 : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1])), 8, 2, 2, , , float)
#endif
#if __CUDA_ARCH__ >= 750
MMA(mma_m16n8k8_f16, asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
                                  : "+r"(d[0]), "+r"(d[1]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0])), 2, 2, 1, , , unsigned)
MMA(mma_m16n8k8_f32, asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                                  : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0])), 4, 2, 1, , , float)
MMA(mma_m8n8k16_s8, asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
                                 : "+r"(d[0]), "+r"(d[1]) : "r"(ra[0]), "r"(rb[0])), 2, 1, 1, , , int)
MMA(mma_m8n8k32_u4, asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.u4.s4.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
                                 : "+r"(d[0]), "+r"(d[1]) : "r"(ra[0]), "r"(rb[0])), 2, 1, 1, , , int)
MMA(mma_m8n8k128_b1, asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0,%1}, {%2}, {%3}, {%0,%1};"
                                  : "+r"(d[0]), "+r"(d[1]) : "r"(ra[0]), "r"(rb[0])), 2, 1, 1, , , int)

extern "C" __global__ void ldmatrix_forms(unsigned *out) {
    __shared__ __align__(128) unsigned short tile[64 * 32];
    for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x)
        tile[i] = i;
    __syncthreads();
    unsigned r0, r1, r2, r3, at = shared_address(&tile[threadIdx.x % 32 * 32]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r0) : "r"(at));
    out[threadIdx.x] = r0;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2+16];" : "=r"(r0), "=r"(r1) : "r"(at));
    out[threadIdx.x + 32] = r0 ^ r1;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(at));
    out[threadIdx.x + 64] = r0 ^ r1 ^ r2 ^ r3;
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at), "r"(r0), "r"(r1), "r"(r2), "r"(r3) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(at), "r"(r0), "r"(r1) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(r0) : "memory");
#endif
#if __CUDA_ARCH_SPECIFIC__ == 1000 || __CUDA_ARCH_SPECIFIC__ == 1200
    asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0,%1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(at));
    asm volatile("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%0], {%1,%2};" ::"r"(at), "r"(r0), "r"(r1) : "memory");
#endif
}

extern "C" __global__ void movmatrix(unsigned *d) {
    unsigned v = d[threadIdx.x];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(v) : "r"(v));
    d[threadIdx.x] = v;
}
#endif
#if __CUDA_ARCH__ >= 800
#define MMA_F32(NAME, SHAPE) MMA(NAME, asm volatile("mma.sync.aligned." SHAPE " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) \
                                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1])), 4, 4, 2, , , float)
#define MMA_S32(NAME, SHAPE) MMA(NAME, asm volatile("mma.sync.aligned." SHAPE " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) \
                                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1])), 4, 4, 2, , , int)
MMA_F32(mma_m16n8k16_f16, "m16n8k16.row.col.f32.f16.f16.f32")
MMA_F32(mma_m16n8k16_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_F32(mma_m16n8k8_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_S32(mma_m16n8k32_s8, "m16n8k32.row.col.s32.s8.u8.s32")
MMA_S32(mma_m16n8k64_s4, "m16n8k64.row.col.satfinite.s32.s4.s4.s32")
MMA_S32(mma_m16n8k256_b1, "m16n8k256.row.col.s32.b1.b1.s32.and.popc")
extern "C" __global__ void mma_f64(double *c, double a, double b) {
    double x = c[0], y = c[1];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(x), "+d"(y) : "d"(a), "d"(b));
    c[0] = x;
    c[1] = y;
}
extern "C" __global__ void mma_sparse(const unsigned *a, float *c, unsigned e) {
    float x = c[0], y = c[1], z = c[2], w = c[3];
    asm volatile("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, 0x0;"
                 : "+f"(x), "+f"(y), "+f"(z), "+f"(w) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(e));
    c[0] = x + y + z + w;
}
#endif
#if __CUDA_ARCH__ >= 890
MMA_F32(mma_m16n8k32_e4m3, "m16n8k32.row.col.f32.e4m3.e5m2.f32")
#endif
