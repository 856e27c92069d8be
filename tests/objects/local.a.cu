
extern __device__ unsigned sort(unsigned* a, int n);
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; unsigned a[24]; for(int i=0;i<24;i++) a[i]=(t*37+i*101)%97; unsigned r=sort(a,24); out[t]=r+a[t%24]; }
