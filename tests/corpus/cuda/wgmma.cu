// Warpgroup matrix multiplication (sm_90a only).
// make: nvcc 90a
// make: clang 90a
#define D8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define OUT8 "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
#define OUTI8 "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3]), "+r"(e[4]), "+r"(e[5]), "+r"(e[6]), "+r"(e[7])

extern "C" __global__ void __launch_bounds__(128) wgmma(unsigned long long da, unsigned long long db, const unsigned *a, float *out, int *iout, int scale) {
    float d[8] = {};
    int e[8] = {};
    unsigned r0 = a[0], r1 = a[1], r2 = a[2], r3 = a[3];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0;\n\twgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " D8 ", %8, %9, p, 1, 1, 0, 1; }" : OUT8 : "l"(da), "l"(db), "r"(scale));
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 " D8 ", %8, %9, 1, -1, 1, 0, 0;" : OUT8 : "l"(da), "l"(db));
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " D8 ", {%8,%9,%10,%11}, %12, 1, 1, 1, 1;" : OUT8 : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "l"(db));
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 " D8 ", %8, %9, 1, 1, 1;" : OUT8 : "l"(da), "l"(db));
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2 " D8 ", %8, %9, 1, 1, 1;" : OUT8 : "l"(da), "l"(db));
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 " D8 ", %8, %9, 1;" : OUTI8 : "l"(da), "l"(db));
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.s8.satfinite " D8 ", %8, %9, 1;" : OUTI8 : "l"(da), "l"(db));
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc " D8 ", %8, %9, 1;" : OUTI8 : "l"(da), "l"(db));
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 " D8 ", %8, %9, %10, 0, 1, 1, 1, 0, 0;" : OUT8 : "l"(da), "l"(db), "r"(r0));
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 1;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 8; ++i)
        out[threadIdx.x * 8 + i] = d[i], iout[threadIdx.x * 8 + i] = e[i];
}
