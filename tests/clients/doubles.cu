#include "check.h"
#include <cmath>
__constant__ double factors[4] = {1.0, 0.5, 0.25, 0.125};
__global__ void compute(const double *in, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = in[i], sum = 0;
    for (int k = 0; k < 4; k++) sum = fma(sum, x, factors[k]);
    out[3 * i] = sqrt(x) / (1.0 + sum);
    out[3 * i + 1] = floor(x) + rint(x * 0.1);
    out[3 * i + 2] = double((long long)(x * 1e6) / 7) + 1.0 / x;
}
int main() {
    int n = 10000;
    Buffer<double> in(n), out(3 * n);
    for (int i = 0; i < n; i++) in[i] = 0.1 + i * 0.37;
    compute<<<(n + 127) / 128, 128>>>(in.data, out.data, n);
    finish();
    double host[4] = {1.0, 0.5, 0.25, 0.125};
    for (int i = 0; i < n; i++) {
        double x = in[i], sum = 0;
        for (int k = 0; k < 4; k++) sum = std::fma(sum, x, host[k]);
        // Roots and quotients are correctly rounded on both sides.
        expect("root", out[3 * i], std::sqrt(x) / (1.0 + sum));
        expect("rounded", out[3 * i + 1], std::floor(x) + std::rint(x * 0.1));
        expect("whole", out[3 * i + 2], double((long long)(x * 1e6) / 7) + 1.0 / x);
    }
    std::puts("ok");
}
