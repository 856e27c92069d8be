
struct Big { double d[5]; int i; char c[3]; };
struct Small { char a; short b; };

__device__ Big turn(Big b, float f, Small s, long long l){ for(int i=0;i<5;i++) b.d[i]=b.d[i]*2+f; b.i+=s.a+s.b+(int)l; b.c[2]^=5; return b; }
__device__ float4 vec(float4 a, float2 b, int3 c){ return make_float4(a.x+b.x, a.y*b.y, a.z+c.x+c.y, a.w-c.z); }
