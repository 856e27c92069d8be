// Parameters: structures by value, arrays in structures, alignment, many parameters, grid constants.
// make: nvcc 75 86 90a 120
// make: nvrtc 70
// make: clang 80

struct Small { char c; short s; };
struct Nested { int a; Small b[3]; double d; float4 v; };
struct alignas(32) Wide { unsigned long long w[8]; };
struct Matrix { float m[4][4]; };
struct Empty {};
union Either { int i; float f; char bytes[8]; };

__device__ __noinline__ Nested change(Nested n, Small s, int k) {
    n.a += k;
    n.b[k % 3] = s;
    n.v.y = n.d;
    return n;
}
__device__ __noinline__ Matrix multiply(const Matrix a, const Matrix &b) {
    Matrix r;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            float s = 0;
            for (int k = 0; k < 4; ++k)
                s += a.m[i][k] * b.m[k][j];
            r.m[i][j] = s;
        }
    return r;
}
__device__ __noinline__ float4 spread(char a, short b, long long c, float d, double e, bool f, unsigned char g, Empty, Either h) {
    return make_float4(a + b, c + d, e + f, g + h.i);
}

extern "C" __global__ void by_value(Nested n, Small s, Wide w, Empty e, Either u, Nested *out, float4 *v, char c, bool b) {
    out[threadIdx.x] = change(n, s, (int)w.w[threadIdx.x & 7]);
    v[threadIdx.x] = spread(c, s.s, w.w[1], n.v.x, n.d, b, u.bytes[3], e, u);
}
extern "C" __global__ void matrices(Matrix a, const __grid_constant__ Matrix b, Matrix *out) { out[threadIdx.x] = multiply(a, b); }
extern "C" __global__ void many(int a, int b, float c, float d, double e, char f, short g, long long h, int *p, float *q, const double *__restrict__ r, unsigned char s, bool t) {
    p[threadIdx.x] = a + b + (int)c + f + g + (int)h + s + t;
    q[threadIdx.x] = d + (float)e + (float)r[threadIdx.x];
}
#if __CUDA_ARCH__ >= 700 && !defined(__CUDACC_RTC__) && !defined(__clang__)
struct Huge { int v[2000]; };
extern "C" __global__ void huge(const __grid_constant__ Huge h, int *out) { out[threadIdx.x] = h.v[out[threadIdx.x]]; }
#endif
