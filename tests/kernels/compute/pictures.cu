// Pictures: spheres by rays, a distance field by marching, a rasteriser's edges, colours of another space, a bilateral filter.
// make: nvcc 90 -fmad=false
// run: --kernel spheres --grid 2,2 --block 16,4 --arg f32[32]=random:1 --arg u32[256]=0 --arg u32=32 --arg u32=8 --arg u32=8 --print 1:4
// bench: --kernel spheres --grid 64,128 --block 16,8 --arg f32[256]=random:1 --arg u32[1048576]=0 --arg u32=1024 --arg u32=1024 --arg u32=64
// run: --kernel marching --grid 2,2 --block 16,4 --arg f32[256]=0 --arg u32=32 --arg u32=8 --arg u32=20 --print 0:4
// bench: --kernel marching --grid 64,128 --block 16,8 --arg f32[1048576]=0 --arg u32=1024 --arg u32=1024 --arg u32=100
// run: --kernel triangles --grid 2,2 --block 16,4 --arg f32[48]=random:2:0:32 --arg u32[256]=0 --arg u32=32 --arg u32=8 --print 1:4
// bench: --kernel triangles --grid 64,128 --block 16,8 --arg f32[1536]=random:2:0:1024 --arg u32[1048576]=0 --arg u32=1024 --arg u32=1024
// run: --kernel bilateral --grid 2,1 --block 16,8 --arg f32[432]=random:3 --arg f32[256]=0 --arg u32=32 --print 1:4
// bench: --kernel bilateral --grid 64,128 --block 16,8 --arg f32[1056784]=random:3 --arg f32[1048576]=0 --arg u32=1024

extern "C" __global__ void spheres(const float4 *all, unsigned *image, unsigned width, unsigned height, unsigned count) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float dx = 2.0f * x / width - 1.0f, dy = 2.0f * y / height - 1.0f, dz = 1.0f;
    float norm = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, dz * dz)));
    dx *= norm, dy *= norm, dz *= norm;
    float nearest = 1e30f;
    unsigned hit = 0;
    for (unsigned k = 0; k < count; ++k) {
        float4 s = all[k];
        float cx = 4.0f * s.x - 2.0f, cy = 4.0f * s.y - 2.0f, cz = 2.0f + 4.0f * s.z, r = 0.1f + 0.4f * s.w;
        float b = fmaf(cx, dx, fmaf(cy, dy, cz * dz));
        float d = fmaf(b, b, fmaf(r, r, -fmaf(cx, cx, fmaf(cy, cy, cz * cz))));
        if (d < 0)
            continue;
        float t = b - sqrtf(d);
        if (t > 0 && t < nearest) {
            nearest = t;
            hit = k + 1;
        }
    }
    image[y * width + x] = hit << 24 | (unsigned)(fminf(nearest, 8.0f) * 1000);
}

__device__ float field(float x, float y, float z) {
    float qx = fabsf(x - 2.0f * rintf(0.5f * x)) - 0.3f, qy = fabsf(y - 2.0f * rintf(0.5f * y)) - 0.3f;
    float qz = fabsf(z - 2.0f * rintf(0.5f * z)) - 0.3f;
    float ox = fmaxf(qx, 0), oy = fmaxf(qy, 0), oz = fmaxf(qz, 0);
    return sqrtf(fmaf(ox, ox, fmaf(oy, oy, oz * oz))) + fminf(fmaxf(qx, fmaxf(qy, qz)), 0.0f) - 0.05f;
}

extern "C" __global__ void marching(float *image, unsigned width, unsigned height, unsigned steps) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float dx = 1.2f * x / width - 0.6f, dy = 1.2f * y / height - 0.6f, t = 0;
    float norm = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, 1.0f)));
    for (unsigned n = 0; n < steps; ++n) {
        float d = field(1.0f + t * dx * norm, 1.0f + t * dy * norm, t * norm);
        if (d < 0.001f || t > 40.0f)
            break;
        t += d;
    }
    image[y * width + x] = t;
}

// Each triangle is three corners in twelve numbers: the fourth of a corner is unused.
extern "C" __global__ void triangles(const float4 *corners, unsigned *image, unsigned width, unsigned height) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float px = x + 0.5f, py = y + 0.5f, nearest = 1e30f;
    unsigned seen = 0, count = width == 32 ? 4 : 128;
    for (unsigned k = 0; k < count; ++k) {
        float4 a = corners[3 * k], b = corners[3 * k + 1], c = corners[3 * k + 2];
        float u = fmaf(b.x - a.x, py - a.y, -(b.y - a.y) * (px - a.x));
        float v = fmaf(c.x - b.x, py - b.y, -(c.y - b.y) * (px - b.x));
        float w = fmaf(a.x - c.x, py - c.y, -(a.y - c.y) * (px - c.x));
        if (u >= 0 == v >= 0 && v >= 0 == w >= 0) {
            float z = fmaf(u, c.z, fmaf(v, a.z, w * b.z)) / (u + v + w);
            if (z < nearest) {
                nearest = z;
                seen = k + 1;
            }
        }
    }
    if (y < height)
        image[y * width + x] = seen;
}

extern "C" __global__ void bilateral(const float *in, float *out, unsigned width) {
    unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, stride = width + 4;
    float here = in[(y + 2) * stride + x + 2], sum = 0, weight = 0;
#pragma unroll
    for (int dy = 0; dy < 5; ++dy)
#pragma unroll
        for (int dx = 0; dx < 5; ++dx) {
            float v = in[(y + dy) * stride + x + dx], d = v - here;
            float w = __expf(fmaf(-8.0f * d, d, -0.1f * ((dx - 2) * (dx - 2) + (dy - 2) * (dy - 2))));
            sum = fmaf(w, v, sum);
            weight += w;
        }
    out[y * width + x] = sum / weight;
}
