
typedef unsigned (*fn)(unsigned);
extern __device__ fn table[4];
extern __device__ unsigned apply(fn f, unsigned x);
__device__ unsigned mine(unsigned x){ return x+1000; }
__device__ __noinline__ static unsigned hidden(unsigned x){ return x*7; }
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; fn f=table[t&3]; unsigned v=f(out[t]); v+=apply(mine,t); v+=apply(hidden,t+1); out[t]=v; }
