
extern __device__ unsigned helper(unsigned* a, int i);
__device__ unsigned sort(unsigned* a, int n){ unsigned tmp[32]; for(int i=0;i<n;i++) tmp[i]=a[i]; for(int i=1;i<n;i++){ unsigned v=tmp[i]; int j=i-1; while(j>=0&&tmp[j]>v){tmp[j+1]=tmp[j];j--;} tmp[j+1]=v; } for(int i=0;i<n;i++) a[i]=tmp[i]; return helper(tmp,n-1); }
__device__ unsigned helper(unsigned* a, int i){ return i<0?0:a[i]+helper(a,i-1); }
