// Fast Fourier transforms in registers and shared memory, single and double precision.
// make: nvcc 80 90a 100a
// make: nvrtc 60
// make: clang 80

template <typename T> struct Complex {
    T x, y;
    __device__ Complex operator+(Complex o) const { return {x + o.x, y + o.y}; }
    __device__ Complex operator-(Complex o) const { return {x - o.x, y - o.y}; }
    __device__ Complex operator*(Complex o) const { return {x * o.x - y * o.y, x * o.y + y * o.x}; }
};

__device__ void twiddle(float a, float *s, float *c) { sincospif(a, s, c); }
__device__ void twiddle(double a, double *s, double *c) { sincospi(a, s, c); }

template <typename T, int N> __device__ void butterfly(Complex<T> *v) {
    if constexpr (N > 1) {
        Complex<T> even[N / 2], odd[N / 2];
#pragma unroll
        for (int i = 0; i < N / 2; ++i)
            even[i] = v[2 * i], odd[i] = v[2 * i + 1];
        butterfly<T, N / 2>(even);
        butterfly<T, N / 2>(odd);
#pragma unroll
        for (int i = 0; i < N / 2; ++i) {
            T s, c;
            twiddle(T(-2) * i / N, &s, &c);
            Complex<T> t = Complex<T>{c, s} * odd[i];
            v[i] = even[i] + t;
            v[i + N / 2] = even[i] - t;
        }
    }
}

template <typename T> __device__ void fft256(Complex<T> *data) {
    __shared__ Complex<T> s[16][17];
    Complex<T> v[16];
    int t = threadIdx.x;
#pragma unroll
    for (int i = 0; i < 16; ++i)
        v[i] = data[blockIdx.x * 256 + i * 16 + t];
    butterfly<T, 16>(v);
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        T sn, cs;
        twiddle(T(-2) * i * t / 256, &sn, &cs);
        s[i][t] = v[i] * Complex<T>{cs, sn};
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i)
        v[i] = s[t][i];
    butterfly<T, 16>(v);
#pragma unroll
    for (int i = 0; i < 16; ++i)
        data[blockIdx.x * 256 + i * 16 + t] = v[i];
}
extern "C" __global__ void fft_f32(Complex<float> *d) { fft256(d); }
extern "C" __global__ void fft_f64(Complex<double> *d) { fft256(d); }
