
extern __device__ unsigned red(unsigned x);
__shared__ unsigned buf[32];
extern "C" __global__ void k(unsigned* out){ extern __shared__ unsigned dyn[]; __shared__ unsigned mine[32]; unsigned t=threadIdx.x; mine[t]=out[blockIdx.x*32+t]; dyn[t]=t*3; buf[t]=t+7; __syncthreads(); unsigned v=red(mine[31-t]); out[blockIdx.x*32+t]=v+dyn[(t+1)&31]+buf[(t+5)&31]; }
extern "C" __global__ void k2(unsigned* out){ out[threadIdx.x]=red(threadIdx.x); }
