// The stack: alloca, large local arrays, spilled structures, stacksave and stackrestore.
// make: nvcc 75 80 100a
// make: clang 80

extern "C" __global__ void dynamic(int *out, int n) {
#ifdef __clang__
    int a[100];
#else
    int *a = (int *)alloca(n * sizeof(int));
#endif
    for (int i = 0; i < n; ++i)
        a[i] = i * i;
    int s = 0;
    for (int i = 0; i < n; ++i)
        s += a[(i * 7) % n];
    out[threadIdx.x] = s;
}

__device__ __noinline__ void fill(double *p, int n) {
    for (int i = 0; i < n; ++i)
        p[i] = i * 0.5;
}
__device__ __noinline__ int chars(const char *p) {
    int n = 0;
    while (*p++)
        ++n;
    return n;
}
extern "C" __global__ void locals(double *out, int n) {
    double d[64];
    char text[40] = "local text";
    fill(d, 64);
    text[n & 15] = (char)n;
    out[threadIdx.x] = d[n & 63] + chars(text);
}
#ifndef __clang__
extern "C" __global__ void stack_asm(unsigned *out) {
    asm volatile("{\n\t.reg .u64 s;\n\tstacksave.u64 s;\n\tstackrestore.u64 s;\n\t}" ::: "memory");
    asm volatile("{\n\t.reg .u64 p;\n\t.reg .u32 v;\n\talloca.u64 p, 64, 16;\n\tst.local.u32 [p], 5;\n\tld.local.u32 v, [p];\n\tst.global.u32 [%0], v;\n\t}" ::"l"(out) : "memory");
}
#endif
