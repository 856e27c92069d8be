// Stencils in one, two and three dimensions; halos in shared memory; Conway's Game of Life.
// make: nvcc 90 -fmad=false
// run: --kernel stencil_1d --grid 4 --block 64 --arg f32[256]=random:1 --arg f32[256]=0 --arg u32=256 --print 1:8
// run: --kernel stencil_1d --grid 3 --block 37 --arg f32[100]=iota --arg f32[100]=0 --arg u32=100 --print 1:8
// run: --kernel stencil_1d --grid 1 --block 256 --arg f32[200]=random:2 --arg f32[200]=0 --arg u32=200 --print 1:8
// run: --kernel stencil_2d --grid 2,2 --block 16,16 --arg f32[1024]=random:3 --arg f32[1024]=0 --arg u32=32 --arg u32=32 --print 1:8
// run: --kernel stencil_2d --grid 3,2 --block 8,8 --arg f32[300]=iota --arg f32[300]=0 --arg u32=20 --arg u32=15 --print 1:8
// run: --kernel stencil_2d --grid 1,5 --block 16,3 --arg f32[195]=random:4 --arg f32[195]=0 --arg u32=13 --arg u32=15 --print 1:8
// run: --kernel stencil_3d --grid 2,2,2 --block 8,4,4 --arg f32[1024]=random:5 --arg f32[1024]=0 --arg u32=16 --arg u32=8 --arg u32=8 --print 1:8
// run: --kernel stencil_3d --grid 1,2,3 --block 7,5,2 --arg f32[420]=iota --arg f32[420]=0 --arg u32=7 --arg u32=10 --arg u32=6 --print 1:8
// run: --kernel stencil_3d --grid 3,1,1 --block 2,9,4 --arg f32[180]=random:6 --arg f32[180]=0 --arg u32=5 --arg u32=9 --arg u32=4 --print 1:8
// run: --kernel life --grid 1 --block 16,16 --arg u8[256]=random:7 --arg u32=10 --print 0:16
// run: --kernel life --grid 1 --block 32,8 --arg u8[256]=random:8 --arg u32=7 --print 0:16
// run: --kernel life --grid 3 --block 9,11 --arg u8[297]=random:9 --arg u32=4 --print 0:16

extern "C" __global__ void stencil_1d(const float *in, float *out, unsigned n) {
    __shared__ float part[256 + 4];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 2, last = n - 1;
    part[t] = in[min(i, last)];
    if (threadIdx.x < 2) {
        part[threadIdx.x] = in[min(max(i - 2, 0), last)];
        part[t + blockDim.x] = in[min(i + (int)blockDim.x, last)];
    }
    __syncthreads();
    if (i < n)
        out[i] = 0.0625f * (part[t - 2] + part[t + 2]) + 0.25f * (part[t - 1] + part[t + 1]) + 0.375f * part[t];
}

extern "C" __global__ void stencil_2d(const float *in, float *out, unsigned width, unsigned height) {
    __shared__ float tile[18][18];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int ty = threadIdx.y; ty < blockDim.y + 2; ty += blockDim.y)
        for (int tx = threadIdx.x; tx < blockDim.x + 2; tx += blockDim.x) {
            int sx = (int)(blockIdx.x * blockDim.x) + tx - 1, sy = (int)(blockIdx.y * blockDim.y) + ty - 1;
            bool inside = sx >= 0 && sy >= 0 && sx < width && sy < height;
            tile[ty][tx] = inside ? in[sy * width + sx] : 0.0f;
        }
    __syncthreads();
    if (x < width && y < height) {
        int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
        float around = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
        out[y * width + x] = tile[ty][tx] + 0.2f * (around - 4.0f * tile[ty][tx]);
    }
}

extern "C" __global__ void stencil_3d(const float *in, float *out, unsigned nx, unsigned ny, unsigned nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    auto at = [&](int x, int y, int z) {
        bool inside = x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
        return inside ? in[(z * ny + y) * nx + x] : 1.0f;
    };
    float sum = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1);
    out[(z * ny + y) * nx + x] = fmaf(sum, 0.125f, 0.25f * at(x, y, z));
}

// A torus of cells for each block, a cell a thread.
extern "C" __global__ void life(unsigned char *cells, unsigned steps) {
    __shared__ unsigned char now[32][32];
    unsigned x = threadIdx.x, y = threadIdx.y, w = blockDim.x, h = blockDim.y;
    unsigned i = (blockIdx.x * h + y) * w + x;
    now[y][x] = cells[i] & 1;
    __syncthreads();
    for (unsigned s = 0; s < steps; ++s) {
        int around = -now[y][x];
        for (unsigned dy = h - 1; dy <= h + 1; ++dy)
            for (unsigned dx = w - 1; dx <= w + 1; ++dx)
                around += now[(y + dy) % h][(x + dx) % w];
        bool lives = around == 3 || (around == 2 && now[y][x]);
        __syncthreads();
        now[y][x] = lives;
        __syncthreads();
    }
    cells[i] = now[y][x];
}
