// cuComplex.h, vector types and math_constants.h: the oldest of CUDA's headers.
// make: nvcc 80
// make: clang 75
#include <cuComplex.h>
#include <math_constants.h>
extern "C" __global__ void mandelbrot(unsigned char *image, int w, int h, cuDoubleComplex centre, double scale) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = 0;
    if (x >= w || y >= h)
        return;
    cuDoubleComplex c = cuCadd(centre, make_cuDoubleComplex((x - w / 2) * scale, (y - h / 2) * scale)), z = c;
    while (n < 255 && cuCabs(z) < 2.0) {
        z = cuCadd(cuCmul(z, z), c);
        ++n;
    }
    image[y * w + x] = n;
}
extern "C" __global__ void julia(float *out, cuFloatComplex c) {
    cuFloatComplex z = make_cuFloatComplex(CUDART_PI_F, -CUDART_SQRT_TWO_F);
    for (int i = 0; i < 10; ++i)
        z = cuCaddf(cuCdivf(z, c), cuCfmaf(z, z, cuConjf(c)));
    out[threadIdx.x] = cuCabsf(z) + (isnan(z.x) ? CUDART_NAN_F : CUDART_INF_F);
}
