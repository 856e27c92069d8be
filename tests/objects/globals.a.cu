
extern __device__ unsigned counter;
extern __device__ unsigned arr[];
extern __constant__ unsigned cc[8];
__constant__ unsigned own_c[4]={9,8,7,6};
__device__ unsigned here[64]={1,2,3};
extern __device__ unsigned get(unsigned i);
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; unsigned v=arr[t&7]+cc[t&7]+own_c[t&3]+cc[2]; atomicAdd(&counter,1u); v+=get(t); out[t]=v; __syncthreads(); if (t==0) out[64]=here[1]; }
