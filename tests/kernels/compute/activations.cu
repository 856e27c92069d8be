// Parts of neural networks: GELU and SiLU of pairs of halves, softmax and layer norm of rows, attention of one query.
// make: nvcc 90 -fmad=false
// run: --kernel gelu --grid 2 --block 32 --arg u32[64]=random:1 --arg u32[64]=0 --arg u32=2 --print 1:4
// bench: --kernel gelu --grid 1056 --block 256 --arg u32[270336]=random:1 --arg u32[270336]=0 --arg u32=100
// run: --kernel silu --grid 2 --block 32 --arg u32[64]=random:2 --arg u32[64]=0 --arg u32=2 --print 1:4
// bench: --kernel silu --grid 1056 --block 256 --arg u32[270336]=random:2 --arg u32[270336]=0 --arg u32=100
// run: --kernel softmax --grid 3 --block 64 --arg f32[384]=random:3:-4:4 --arg u32=128 --print 0:4
// bench: --kernel softmax --grid 1056 --block 256 --arg f32[2162688]=random:3:-4:4 --arg u32=2048
// run: --kernel layer_norm --grid 3 --block 64 --arg f32[384]=random:4:-4:4 --arg f32[128]=random:5 --arg u32=128 --print 0:4
// bench: --kernel layer_norm --grid 1056 --block 256 --arg f32[2162688]=random:4:-4:4 --arg f32[2048]=random:5 --arg u32=2048
// run: --kernel attention --grid 2 --block 32 --arg f32[2048]=random:6 --arg f32[512]=random:7 --arg f32[512]=random:8 --arg f32[2048]=0 --arg u32=16 --print 3:4
// bench: --kernel attention --grid 528 --block 128 --arg f32[2162688]=random:6 --arg f32[8192]=random:7 --arg f32[8192]=random:8 --arg f32[2162688]=0 --arg u32=256

#include <cuda_fp16.h>

__device__ __half2 pair(unsigned bits) {
    bits = bits & 0x8fff8fff | 0x30003000;
    return *(__half2 *)&bits;
}

extern "C" __global__ void gelu(const unsigned *in, unsigned *out, unsigned times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = pair(in[i]), sum = __float2half2_rn(0.0f), quarter = __float2half2_rn(0.25f);
    for (unsigned n = 0; n < times; ++n) {
        float2 v = __half22float2(x), g;
        g.x = 0.5f * v.x * (1.0f + tanhf(0.79788456f * fmaf(0.044715f * v.x * v.x, v.x, v.x)));
        g.y = 0.5f * v.y * (1.0f + tanhf(0.79788456f * fmaf(0.044715f * v.y * v.y, v.y, v.y)));
        __half2 h = __floats2half2_rn(g.x, g.y);
        sum = __hfma2(h, quarter, sum);
        x = __hsub2(__hmul2(x, quarter), h);
    }
    out[i] = *(unsigned *)&sum;
}

extern "C" __global__ void silu(const unsigned *in, unsigned *out, unsigned times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = pair(in[i]), one = __float2half2_rn(1.0f), half = __float2half2_rn(0.5f), sum = __float2half2_rn(0.0f);
    for (unsigned n = 0; n < times; ++n) {
        __half2 s = __h2div(x, __hadd2(one, h2exp(__hneg2(x))));
        sum = __hfma2(s, half, __hmul2(sum, half));
        x = __hfma2(x, __float2half2_rn(-0.75f), s);
    }
    out[i] = *(unsigned *)&sum;
}

__device__ float over_block(float v, bool is_sum) {
    __shared__ float parts[32];
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_xor_sync(~0u, v, step);
        v = is_sum ? v + other : fmaxf(v, other);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    float all = parts[0];
    for (unsigned k = 1; k < blockDim.x / 32; ++k)
        all = is_sum ? all + parts[k] : fmaxf(all, parts[k]);
    return all;
}

extern "C" __global__ void softmax(float *data, unsigned columns) {
    float *row = data + blockIdx.x * columns, most = -1e30f, sum = 0;
    for (unsigned k = threadIdx.x; k < columns; k += blockDim.x)
        most = fmaxf(most, row[k]);
    most = over_block(most, false);
    for (unsigned k = threadIdx.x; k < columns; k += blockDim.x)
        sum += __expf(row[k] - most);
    float scale = 1.0f / over_block(sum, true);
    for (unsigned k = threadIdx.x; k < columns; k += blockDim.x)
        row[k] = __expf(row[k] - most) * scale;
}

extern "C" __global__ void layer_norm(float *data, const float *weights, unsigned columns) {
    float *row = data + blockIdx.x * columns, sum = 0, square = 0;
    for (unsigned k = threadIdx.x; k < columns; k += blockDim.x) {
        sum += row[k];
        square = fmaf(row[k], row[k], square);
    }
    float mean = over_block(sum, true) / columns;
    float variance = over_block(square, true) / columns - mean * mean;
    float scale = rsqrtf(variance + 1e-5f);
    for (unsigned k = threadIdx.x; k < columns; k += blockDim.x)
        row[k] = (row[k] - mean) * scale * weights[k];
}

// A thread has a query of 32 numbers; keys and values go through shared memory, the maximum runs along.
extern "C" __global__ void attention(const float4 *queries, const float4 *keys, const float4 *values, float4 *out,
                                     unsigned count) {
    __shared__ float4 key[16][8], value[16][8];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float4 q[8], sum[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        q[k] = queries[k * all + i];
        sum[k] = make_float4(0, 0, 0, 0);
    }
    float most = -1e30f, weight = 0;
    for (unsigned start = 0; start < count; start += 16) {
        __syncthreads();
        for (unsigned n = threadIdx.x; n < 128; n += blockDim.x) {
            key[n / 8][n % 8] = keys[start * 8 + n];
            value[n / 8][n % 8] = values[start * 8 + n];
        }
        __syncthreads();
        for (int n = 0; n < 16; ++n) {
            float s = 0;
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                float4 y = key[n][k];
                s = fmaf(q[k].x, y.x, fmaf(q[k].y, y.y, fmaf(q[k].z, y.z, fmaf(q[k].w, y.w, s))));
            }
            float next = fmaxf(most, s), old = __expf(most - next), e = __expf(s - next);
            weight = fmaf(weight, old, e);
            most = next;
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                float4 v = value[n][k];
                sum[k].x = fmaf(sum[k].x, old, e * v.x);
                sum[k].y = fmaf(sum[k].y, old, e * v.y);
                sum[k].z = fmaf(sum[k].z, old, e * v.z);
                sum[k].w = fmaf(sum[k].w, old, e * v.w);
            }
        }
    }
    float scale = 1.0f / weight;
#pragma unroll
    for (int k = 0; k < 8; ++k)
        out[k * all + i] = make_float4(sum[k].x * scale, sum[k].y * scale, sum[k].z * scale, sum[k].w * scale);
}
