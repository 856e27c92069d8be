// cuRAND's device interface: generators and distributions.
// make: nvcc 75 90a
// make: clang 80
#include <curand_kernel.h>
template <typename S> __device__ void draw(S *states, float *out) {
    S s = states[threadIdx.x];
    out[0] = curand_uniform(&s) + curand_normal(&s) + curand_log_normal(&s, 0.f, 1.f) + curand_poisson(&s, 4.0);
    float2 n = curand_normal2(&s);
    out[1] = n.x + n.y + (float)curand_uniform_double(&s) + curand(&s);
    states[threadIdx.x] = s;
}
extern "C" __global__ void init(curandStateXORWOW_t *a, curandStatePhilox4_32_10_t *b, curandStateMRG32k3a_t *c) {
    curand_init(1234, threadIdx.x, 0, a + threadIdx.x);
    curand_init(1234, threadIdx.x, 0, b + threadIdx.x);
    curand_init(1234, threadIdx.x, 0, c + threadIdx.x);
}
extern "C" __global__ void xorwow(curandStateXORWOW_t *s, float *o) { draw(s, o); }
extern "C" __global__ void philox(curandStatePhilox4_32_10_t *s, float4 *o) { draw(s, (float *)o); o[2] = curand_uniform4(s); }
extern "C" __global__ void mrg(curandStateMRG32k3a_t *s, float *o) { draw(s, o); }
