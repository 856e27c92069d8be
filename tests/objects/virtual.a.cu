
struct Base { unsigned v; __device__ virtual unsigned get(unsigned x); __device__ virtual unsigned two() { return 2; } };
struct Derived : Base { __device__ virtual unsigned get(unsigned x); __device__ unsigned two() { return 22; } };

extern __device__ unsigned use(Base* b, unsigned x);
extern __device__ void make(Base** b, unsigned w, char* room);
extern "C" __global__ void k(unsigned* out){ unsigned t=blockIdx.x*blockDim.x+threadIdx.x; __align__(8) char room[32]; Base* b; make(&b, t, room); out[t]=use(b,t)+b->two(); }
