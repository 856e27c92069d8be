
struct Big { double d[5]; int i; char c[3]; };
struct Small { char a; short b; };

extern __device__ Big turn(Big b, float f, Small s, long long l);
extern __device__ float4 vec(float4 a, float2 b, int3 c);
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; Big b; for(int i=0;i<5;i++) b.d[i]=t+i; b.i=t; b.c[0]=1;b.c[1]=2;b.c[2]=t; Small s={(char)t,(short)(t*3)}; Big r=turn(b, t*0.5f, s, t*10ll); float4 f=vec(make_float4(1,2,3,t), make_float2(t,5), make_int3(1,t,3)); double q=0; for(int i=0;i<5;i++) q+=r.d[i]*(i+1); out[t]=(unsigned)(long long)(q*8)+r.i+r.c[2]*7+(unsigned)(f.x+f.y*2+f.z*3+f.w*4); }
