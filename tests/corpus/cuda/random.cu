// Generators written out: xorshift, PCG, Philox, and a Monte Carlo integration with each.
// make: nvcc 75 86
// make: nvrtc 60 70
// make: clang 120

struct Xorshift {
    unsigned long long s;
    __device__ unsigned next() {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        return (unsigned)(s >> 11);
    }
};
struct Pcg {
    unsigned long long state, inc;
    __device__ unsigned next() {
        unsigned long long old = state;
        state = old * 6364136223846793005ull + (inc | 1);
        unsigned x = (unsigned)(((old >> 18) ^ old) >> 27), r = old >> 59;
        return (x >> r) | (x << ((-r) & 31));
    }
};
struct Philox {
    uint4 counter;
    uint2 key;
    __device__ uint4 round(uint4 c, uint2 k) {
        unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x, h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
        return make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
    }
    __device__ unsigned next() {
        uint4 c = counter;
        uint2 k = key;
#pragma unroll
        for (int i = 0; i < 10; ++i) {
            c = round(c, k);
            k.x += 0x9E3779B9u;
            k.y += 0xBB67AE85u;
        }
        counter.x++;
        return c.x;
    }
};

template <typename G> __device__ void integrate(G g, float *out, int n) {
    int inside = 0;
    for (int i = 0; i < n; ++i) {
        float x = g.next() * 2.3283064e-10f, y = g.next() * 2.3283064e-10f;
        inside += x * x + y * y <= 1.f;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = 4.f * inside / n;
}
extern "C" __global__ void pi_xorshift(float *out, int n) { integrate(Xorshift{threadIdx.x * 77ull + 1}, out, n); }
extern "C" __global__ void pi_pcg(float *out, int n) { integrate(Pcg{threadIdx.x, 54u}, out, n); }
extern "C" __global__ void pi_philox(float *out, int n) { integrate(Philox{make_uint4(0, threadIdx.x, 0, 0), make_uint2(1, 2)}, out, n); }
