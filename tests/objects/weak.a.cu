
template<class T> __device__ __noinline__ T common(T x){ return x*5+2; }
extern __device__ unsigned other(unsigned);
__attribute__((weak)) __device__ unsigned maybe(unsigned x){ return x+1; }
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; out[t]=common<unsigned>(t)+other(t)+maybe(t); }
