
extern __device__ float h(float a, float b, float c);
__device__ float f(float x){ float a[20]; for(int i=0;i<20;i++) a[i]=x*i; float s=0; for(int i=0;i<20;i++) s+=h(a[i],a[19-i],s*0.125f); return s*0.5f; }
__device__ float g(float x, float y){ return x*0.5f+y; }
__device__ float h(float a, float b, float c){ return a-b+c; }
