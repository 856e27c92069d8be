// The compiler's own atomic builtins: every operation, order and scope that has a spelling.
// make: nvcc 75 80 90a 100a 120

#define ORDERS(X, S) X(__NV_ATOMIC_RELAXED, S) X(__NV_ATOMIC_ACQUIRE, S) X(__NV_ATOMIC_RELEASE, S) X(__NV_ATOMIC_ACQ_REL, S) X(__NV_ATOMIC_SEQ_CST, S)
#define SCOPES(X) ORDERS(X, __NV_THREAD_SCOPE_BLOCK) ORDERS(X, __NV_THREAD_SCOPE_CLUSTER) ORDERS(X, __NV_THREAD_SCOPE_DEVICE) ORDERS(X, __NV_THREAD_SCOPE_SYSTEM)

#define RMW(O, S)                                                                                                      \
    r += __nv_atomic_fetch_add(p, r, O, S);                                                                            \
    r += __nv_atomic_fetch_and(p, r, O, S);                                                                            \
    r += __nv_atomic_fetch_max(p, r, O, S);                                                                            \
    r += __nv_atomic_exchange_n(p, r, O, S);                                                                           \
    __nv_atomic_thread_fence(O, S);
extern "C" __global__ void rmw32(unsigned *p, unsigned *out) { unsigned r = 1; SCOPES(RMW) *out = r; }
extern "C" __global__ void rmw64(unsigned long long *p, unsigned long long *out) { unsigned long long r = 1; SCOPES(RMW) *out = r; }

#define CAS(O, S)                                                                                                      \
    __nv_atomic_compare_exchange_n(p, &e, r, true, O, __NV_ATOMIC_RELAXED, S);                                         \
    r += e;
extern "C" __global__ void cas32(int *p, int *out) { int r = 1, e = 2; SCOPES(CAS) *out = r; }
#if __CUDA_ARCH__ >= 700
extern "C" __global__ void cas16(short *p, short *out) { short r = 1, e = 2; SCOPES(CAS) *out = r; }
#endif

extern "C" __global__ void load_store(int *p, float *f, double *d) {
#define LOADS(S) p[1] += __nv_atomic_load_n(p, __NV_ATOMIC_ACQUIRE, S) + __nv_atomic_load_n(p, __NV_ATOMIC_SEQ_CST, S) + __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED, S); \
    __nv_atomic_store_n(p, 1, __NV_ATOMIC_RELEASE, S); __nv_atomic_store_n(p, 2, __NV_ATOMIC_SEQ_CST, S); __nv_atomic_store_n(p, 3, __NV_ATOMIC_RELAXED, S);
    LOADS(__NV_THREAD_SCOPE_BLOCK) LOADS(__NV_THREAD_SCOPE_DEVICE) LOADS(__NV_THREAD_SCOPE_SYSTEM)
    f[1] = __nv_atomic_fetch_add(f, 1.f, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    d[1] = __nv_atomic_fetch_add(d, 1.0, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
}
