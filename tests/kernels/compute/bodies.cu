// Forces between particles: gravity in single precision with tiles in shared memory, Lennard-Jones forces in double precision.
// make: nvcc 90 -fmad=false
// run: --kernel gravity --grid 2 --block 32 --arg f32[256]=random:1 --arg f32[256]=0 --arg u32=64 --print 1:4
// bench: --kernel gravity --grid 264 --block 256 --arg f32[270336]=random:1 --arg f32[270336]=0 --arg u32=67584
// run: --kernel lennard_jones --grid 2 --block 16 --arg f64[96]=random:2 --arg f64[32]=0 --arg u32=32 --print 1:4
// bench: --kernel lennard_jones --grid 528 --block 128 --arg f64[202752]=random:2 --arg f64[67584]=0 --arg u32=2048

extern "C" __global__ void gravity(const float4 *bodies, float4 *forces, unsigned count) {
    __shared__ float4 tile[256];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[i];
    float x = 0, y = 0, z = 0;
    for (unsigned start = 0; start < count; start += blockDim.x) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (unsigned k = 0; k < blockDim.x; ++k) {
            float4 other = tile[k];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float square = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 1e-4f)));
            float inverse = rsqrtf(square);
            float weight = other.w * (inverse * inverse) * inverse;
            x = fmaf(dx, weight, x);
            y = fmaf(dy, weight, y);
            z = fmaf(dz, weight, z);
        }
        __syncthreads();
    }
    forces[i] = make_float4(x, y, z, 0);
}

extern "C" __global__ void lennard_jones(const double *places, double *energy, unsigned count) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    double x = places[i], y = places[all + i], z = places[2 * all + i], sum = 0;
    for (unsigned k = 0; k < count; ++k) {
        double dx = places[k] - x, dy = places[all + k] - y, dz = places[2 * all + k] - z;
        double square = fma(dx, dx, fma(dy, dy, fma(dz, dz, 0.01)));
        if (k == i || square > 0.75)
            continue;
        double inverse = 0.04 / square, six = inverse * inverse * inverse;
        sum = fma(six, six - 1.0, sum);
    }
    energy[i] = 4 * sum;
}
