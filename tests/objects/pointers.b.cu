
typedef unsigned (*fn)(unsigned);
extern __device__ unsigned mine(unsigned x);
__device__ unsigned f0(unsigned x){ return x+1; }
__device__ static unsigned f1(unsigned x){ return x<<2; }
__device__ unsigned f2(unsigned x){ return ~x; }
__device__ fn table[4]={f0,f1,f2,mine};
__device__ unsigned apply(fn f, unsigned x){ return f(x)+1; }
