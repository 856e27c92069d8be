#include "check.h"
__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main() {
    int n = 100003;
    Buffer<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) a[i] = float(i), b[i] = 0.5f * float(i);
    add<<<(n + 255) / 256, 256>>>(a.data, b.data, c.data, n);
    finish();
    for (int i = 0; i < n; i++) expect("sum", c[i], 1.5f * float(i));
    std::puts("ok");
}
