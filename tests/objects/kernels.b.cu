
__device__ unsigned shared_count=3;
__device__ unsigned __noinline__ fa(unsigned x){ return x*x; }
extern "C" __global__ void k2(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; out[t]=fa(t)*2+shared_count; }
