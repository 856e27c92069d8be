
extern __device__ double many(int a,int b,int c,int d,int e,int f,int g,int h,double i,double j,long long k,int l,float m,double n,int o,int p);
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; double live[6]; for(int i=0;i<6;i++) live[i]=out[(t+i)&63]; double r=many(t,t+1,t+2,t+3,t+4,t+5,t+6,t+7,t*1.0,t*2.0,t*3ll,t,t*0.25f,t*5.0,1,2); for(int i=0;i<6;i++) r+=live[i]*(i+1); out[128+t]=(unsigned)r; }
