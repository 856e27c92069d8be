
template<class T> __device__ __noinline__ T common(T x){ return x*5+2; }
__device__ unsigned other(unsigned x){ return common<unsigned>(x+1); }
__device__ unsigned maybe(unsigned x){ return x+100; }
