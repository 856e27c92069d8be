
__device__ unsigned counter=5;
__device__ unsigned arr[8]={10,20,30,40,50,60,70,80};
__constant__ unsigned cc[8]={1,2,4,8,16,32,64,128};
__constant__ static unsigned hid[4]={3,5,7,11};
extern __device__ unsigned here[64];
__device__ unsigned *ptr=&arr[2];
__device__ unsigned get(unsigned i){ here[i&63]+=i; return ptr[i&3]+hid[i&3]+here[0]*0; }
