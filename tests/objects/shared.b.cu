
__device__ unsigned red(unsigned x){ __shared__ unsigned s[32]; unsigned t=threadIdx.x; s[t]=x; __syncthreads(); for(int o=16;o;o>>=1){ if(t<o) s[t]+=s[t+o]; __syncthreads(); } unsigned r=s[0]; __syncthreads(); return r; }
