#include "check.h"
__global__ void histogram(const unsigned char *text, int n, unsigned *bins) {
    __shared__ unsigned own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[text[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}
int main() {
    int n = 1 << 20;
    Buffer<unsigned char> text(n);
    Buffer<unsigned> bins(256);
    std::vector<unsigned> wanted(256);
    for (int i = 0; i < n; i++) wanted[text[i] = (unsigned char)(i * 2654435761u >> 24)]++;
    histogram<<<32, 192>>>(text.data, n, bins.data);
    finish();
    for (int i = 0; i < 256; i++) expect("bin", bins[i], wanted[i]);
    std::puts("ok");
}
