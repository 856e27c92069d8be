
#include <cassert>
__device__ unsigned* grab(unsigned n){ unsigned* p=(unsigned*)malloc(n*4); p[0]=n; return p; }
__device__ void drop(unsigned* p){ assert(p[0]==4); free(p); }
