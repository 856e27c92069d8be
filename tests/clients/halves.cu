#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void compute(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half2 h = __floats2half2_rn(in[i], in[i] * 0.5f);
    h = __hfma2(h, h, __float2half2_rn(1.0f));
    __nv_bfloat16 b = __float2bfloat16(in[i]);
    b = __hadd(b, __float2bfloat16(2.0f));
    out[3 * i] = __low2float(h);
    out[3 * i + 1] = __high2float(h);
    out[3 * i + 2] = __bfloat162float(b);
}
int main() {
    int n = 64;
    Buffer<float> in(n), out(3 * n);
    for (int i = 0; i < n; i++) in[i] = float(i) / 4;
    compute<<<1, 64>>>(in.data, out.data, n);
    finish();
    for (int i = 0; i < 32; i++) {
        float x = in[i];
        expect("low", out[3 * i], x * x + 1);
        expect("high", out[3 * i + 1], x * x / 4 + 1);
        expect("bfloat", out[3 * i + 2], x + 2);
    }
    std::puts("ok");
}
