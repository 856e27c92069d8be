// Matrix transposition through padded shared memory, for elements of 1 to 16 bytes.
// make: nvcc 75 80 120
// make: nvrtc 60
// make: clang 90a

template <typename T> __device__ void transpose(const T *in, T *out, int w, int h) {
    __shared__ T tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(size_t)(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_u8(const unsigned char *i, unsigned char *o, int w, int h) { transpose(i, o, w, h); }
extern "C" __global__ void transpose_i16(const short *i, short *o, int w, int h) { transpose(i, o, w, h); }
extern "C" __global__ void transpose_f32(const float *i, float *o, int w, int h) { transpose(i, o, w, h); }
extern "C" __global__ void transpose_f64(const double *i, double *o, int w, int h) { transpose(i, o, w, h); }
extern "C" __global__ void transpose_v2(const uint2 *i, uint2 *o, int w, int h) { transpose(i, o, w, h); }
extern "C" __global__ void transpose_v4(const float4 *i, float4 *o, int w, int h) { transpose(i, o, w, h); }
