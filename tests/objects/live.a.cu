
extern __device__ float f(float x);
extern __device__ float g(float x, float y);
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; float v[40]; for(int i=0;i<40;i++) v[i]=f(t*0.25f+i); float s=0; for(int i=0;i<40;i++) s=g(s,v[i]*(i+1)); for(int i=0;i<40;i++) s+=v[i]; out[t]=__float_as_uint(s); }
