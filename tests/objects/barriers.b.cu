
__device__ unsigned scan(unsigned x, unsigned* s){ unsigned t=threadIdx.x; s[t]=x; __syncthreads(); unsigned r=0; for(unsigned i=0;i<=t;i++) r+=s[i]; asm volatile("bar.sync 3;"); return r; }
__device__ unsigned vote(unsigned x){ return __popc(__ballot_sync(__activemask(), x&4)) + __shfl_sync(__activemask(), x, threadIdx.x); }
