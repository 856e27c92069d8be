
struct Base { unsigned v; __device__ virtual unsigned get(unsigned x); __device__ virtual unsigned two() { return 2; } };
struct Derived : Base { __device__ virtual unsigned get(unsigned x); __device__ unsigned two() { return 22; } };

#include <new>
__device__ unsigned Base::get(unsigned x){ return x+v; }
__device__ unsigned Derived::get(unsigned x){ return x*2+v; }
__device__ void make(Base** b, unsigned w, char* room){ if (w&1) *b=new (room) Derived; else *b=new (room) Base; (*b)->v=w; }
__device__ unsigned use(Base* b, unsigned x){ return b->get(x); }
