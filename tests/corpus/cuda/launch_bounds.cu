// Kernel directives: launch bounds, required and maximal sizes, cluster sizes, register limits.
// make: nvcc 75 90a 100a 120
// make: nvrtc 60 70
// make: clang 90a
extern "C" __global__ void __launch_bounds__(256) bound(int *p) { p[threadIdx.x] = 1; }
extern "C" __global__ void __launch_bounds__(128, 4) bound2(int *p) { p[threadIdx.x] = 2; }
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void __launch_bounds__(128, 2, 8) bound3(int *p) { p[threadIdx.x] = 3; }
extern "C" __global__ void __cluster_dims__(2, 2, 2) cluster8(int *p) { p[threadIdx.x] = 4; }
#endif
#ifndef __clang__
extern "C" __global__ void __maxnreg__(32) registers(int *p) { p[threadIdx.x] = 5; }
#endif
#if defined(__NVCC__) && __CUDA_ARCH__ >= 900
extern "C" __global__ void __block_size__((64, 2, 1), (2, 1, 1)) block_size(int *p) { p[threadIdx.x] = 6; }
#endif
