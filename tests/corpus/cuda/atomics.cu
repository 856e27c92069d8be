// Every CUDA atomic function at every scope, on global and shared memory.
// make: nvcc 75 80 90a 100a 120
// make: nvrtc 60 70
// make: clang 70 86

template <typename T> __device__ T arithmetic(T *p, T v) {
    T r = atomicAdd(p, v);
    r += atomicAdd_block(p, v);
    r += atomicAdd_system(p, v);
    r += atomicExch(p, v);
    r += atomicExch_system(p, r);
    return r;
}
template <typename T> __device__ T integers(T *p, T v) {
    T r = atomicMin(p, v);
    r += atomicMax(p, v);
    r += atomicMax_block(p, v);
    r += atomicMin_system(p, v);
    r += atomicAnd(p, v);
    r += atomicOr_block(p, v);
    r += atomicXor_system(p, v);
    r += atomicCAS(p, v, r);
    r += atomicCAS_block(p, v, r);
    r += atomicCAS_system(p, v, r);
    return r;
}

extern "C" __global__ void in_global(int *i, unsigned *u, unsigned long long *l, long long *s, float *f, double *d) {
    i[1] = arithmetic(i, 3) + integers(i, 5) + atomicSub(i, 4);
    u[1] = arithmetic(u, 3u) + integers(u, 5u) + atomicInc(u, 77u) + atomicDec_block(u, 78u) + atomicSub_system(u, 4u);
    l[1] = arithmetic(l, 3ull) + integers(l, 5ull);
    s[1] = atomicMin(s, -3ll) + atomicMax(s, 4ll);
    f[1] = arithmetic(f, 3.f);
    d[1] = atomicAdd(d, 3.0) + atomicAdd_system(d, 4.0);
}

extern "C" __global__ void in_shared(int *out) {
    __shared__ int i;
    __shared__ unsigned u;
    __shared__ unsigned long long l;
    __shared__ float f;
    __shared__ double d;
    out[0] = arithmetic(&i, 3) + integers(&i, 5);
    out[1] = arithmetic(&u, 3u) + integers(&u, 5u) + atomicInc(&u, 3u) + atomicDec(&u, 4u);
    out[2] = arithmetic(&l, 3ull) + integers(&l, 5ull);
    out[3] = (int)(arithmetic(&f, 1.f) + atomicAdd(&d, 2.0));
#if __CUDA_ARCH__ >= 700
    __shared__ unsigned short h;
    out[4] = atomicCAS(&h, (unsigned short)1, (unsigned short)2);
#endif
}

// Results that nobody reads become reductions.
extern "C" __global__ void reductions(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
    atomicAdd(i, 1);
    atomicMin(i, 2);
    atomicOr(u, 3u);
    atomicInc(u, 4u);
    atomicXor_block(u, 5u);
    atomicMax(l, 6ull);
    atomicAnd_system(l, 7ull);
    atomicAdd(f, 8.f);
    atomicAdd_block(d, 9.0);
}

__device__ float atomic_max_float(float *p, float v) {
    int old = *(int *)p, seen;
    do {
        seen = old;
        old = atomicCAS((int *)p, seen, __float_as_int(fmaxf(v, __int_as_float(seen))));
    } while (old != seen);
    return __int_as_float(old);
}
extern "C" __global__ void loops(float *f) { f[1] = atomic_max_float(f, f[2]); }

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void vectors(float4 *a, float2 *b, unsigned long long *out) {
    float4 x = atomicAdd(a, make_float4(1, 2, 3, 4));
    float2 y = atomicAdd(b, make_float2(1, 2));
    out[0] = (unsigned long long)(x.x + x.w + y.y);
    unsigned long long lo, hi;
    asm volatile("{ .reg .b128 v, c, d; mov.b128 c, {%2, %2}; mov.b128 d, {%3, %3};\n\tatom.global.relaxed.gpu.cas.b128 v, [%4], c, d;\n\tmov.b128 {%0, %1}, v; }"
                 : "=l"(lo), "=l"(hi) : "l"(out[1]), "l"(out[2]), "l"(out) : "memory");
    out[3] = lo ^ hi;
}
#endif
