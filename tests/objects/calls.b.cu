
extern __device__ unsigned back(unsigned x);
__device__ __noinline__ static unsigned own(unsigned x){ return x^0x55; }
__device__ unsigned there(unsigned x, unsigned* p){ if (x&1) return back(x)+own(x); return own(x)-back(x+1); }
