// Steps of k-means, and bodies that attract each other.
// make: nvcc 90 -fmad=false
// run: --kernel kmeans_step --grid 2 --block 64 --arg u8[256]=random:1 --arg f32[8]=10,10,200,200,10,200,200,10 --arg f32[8]=0 --arg u32[4]=0 --arg u8[128]=0 --arg u32=128 --arg u32=4 --print 2 --print 3
// run: --kernel kmeans_step --grid 3 --block 33 --arg u8[160]=random:2 --arg f32[6]=50,60,100,110,200,20 --arg f32[6]=0 --arg u32[3]=0 --arg u8[80]=0 --arg u32=80 --arg u32=3 --print 2 --print 3
// run: --kernel kmeans_step --grid 1 --block 16,4 --arg u8[600]=random:3 --arg f32[4]=0,0,255,255 --arg f32[4]=0 --arg u32[2]=0 --arg u8[300]=0 --arg u32=300 --arg u32=2 --print 2 --print 3
// run: --kernel nbody --grid 1 --block 32 --arg f32[128]=random:4 --arg f32[128]=0 --arg u32=32 --arg u32=2 --print 0:8
// run: --kernel nbody --grid 1 --block 64 --arg f32[200]=random:5 --arg f32[200]=0 --arg u32=50 --arg u32=3 --print 0:8
// run: --kernel nbody --grid 1 --block 20 --arg f32[80]=random:6 --arg f32[80]=random:7 --arg u32=20 --arg u32=1 --print 0:8

// Points are pairs of bytes; sums of whole numbers as floats are exact in any order.
extern "C" __global__ void kmeans_step(const uchar2 *points, const float2 *centres, float *sums, unsigned *counts,
                                       unsigned char *nearest, unsigned count, unsigned k) {
    __shared__ float part[16];
    __shared__ unsigned number[8];
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    if (t < 2 * k)
        part[t] = 0;
    if (t < k)
        number[t] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * size + t; i < count; i += gridDim.x * size) {
        float best = 1e30f, x = points[i].x, y = points[i].y;
        unsigned which = 0;
        for (unsigned c = 0; c < k; ++c) {
            float dx = x - centres[c].x, dy = y - centres[c].y, d = dx * dx + dy * dy;
            if (d < best) {
                best = d;
                which = c;
            }
        }
        nearest[i] = which;
        atomicAdd(&part[2 * which], x);
        atomicAdd(&part[2 * which + 1], y);
        atomicAdd(&number[which], 1);
    }
    __syncthreads();
    if (t < 2 * k)
        atomicAdd(&sums[t], part[t]);
    if (t < k)
        atomicAdd(&counts[t], number[t]);
}

// One block; positions with the mass in w, and velocities.
extern "C" __global__ void nbody(float4 *bodies, float4 *speeds, unsigned count, unsigned steps) {
    __shared__ float4 all[64];
    unsigned i = threadIdx.x;
    float4 own = i < count ? bodies[i] : make_float4(0, 0, 0, 0), speed = i < count ? speeds[i] : own;
    for (unsigned s = 0; s < steps; ++s) {
        all[i] = own;
        __syncthreads();
        float ax = 0, ay = 0, az = 0;
        for (unsigned j = 0; j < count; ++j) {
            float dx = all[j].x - own.x, dy = all[j].y - own.y, dz = all[j].z - own.z;
            float square = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.01f)));
            float pull = all[j].w / (square * sqrtf(square));
            ax = fmaf(dx, pull, ax);
            ay = fmaf(dy, pull, ay);
            az = fmaf(dz, pull, az);
        }
        speed.x += 0.001f * ax, speed.y += 0.001f * ay, speed.z += 0.001f * az;
        own.x += 0.001f * speed.x, own.y += 0.001f * speed.y, own.z += 0.001f * speed.z;
        __syncthreads();
    }
    if (i < count) {
        bodies[i] = own;
        speeds[i] = speed;
    }
}
