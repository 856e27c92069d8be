
extern __device__ unsigned odd(unsigned n);
__device__ unsigned even(unsigned n){ return n==0?1:odd(n-1); }
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; out[t]=even(t&15)*100+odd(t&7); }
