
#include <cstdio>
__device__ void say(int x, double d){ printf("say %d %f %s\n", x, d, "text"); }
