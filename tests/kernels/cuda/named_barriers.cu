// Warps with different tasks: named barriers with a number of threads, arrive without waiting, votes of a part.
// make: nvcc 90
// run: --kernel warp_specialised --grid 1 --block 64 --arg u32[256]=iota --arg u32[256]=0 --arg u32=8 --print 1:8
// run: --kernel warp_specialised --grid 3 --block 128 --arg u32[1920]=random:1 --arg u32[1920]=0 --arg u32=10 --print 1:8
// run: --kernel warp_specialised --grid 2 --block 32,6 --arg u32[192]=random:2 --arg u32[192]=0 --arg u32=1 --print 1:8
// run: --kernel barriers_by_number --grid 1 --block 256 --arg u32[256]=random:3 --arg u32[256]=0 --print 1:8
// run: --kernel barriers_by_number --grid 2 --block 512 --arg u32[1024]=iota --arg u32[1024]=0 --print 1:8
// run: --kernel barriers_by_number --grid 1 --block 64,3 --arg u32[192]=random:4 --arg u32[192]=0 --print 1:8
// run: --kernel partial_votes --grid 1 --block 96 --arg u32[96]=random:5 --arg u32[12]=0 --print 1
// run: --kernel partial_votes --grid 2 --block 128 --arg u32[256]=iota --arg u32[24]=0 --print 1
// run: --kernel partial_votes --grid 1 --block 64 --arg u32[64]=0 --arg u32[12]=0 --print 1

// The first half of the warps produces into two buffers, the second consumes. Barriers 1 and 2: full, 3 and 4: empty.
extern "C" __global__ void warp_specialised(const unsigned *in, unsigned *out, unsigned rounds) {
    __shared__ unsigned buffer[2][128];
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y, half = size / 2;
    in += blockIdx.x * half * rounds, out += blockIdx.x * half * rounds;
    if (t < half) {
        for (unsigned r = 0; r < rounds; ++r) {
            if (r >= 2)
                asm volatile("bar.sync %0, %1;" ::"r"(3 + r % 2), "r"(size) : "memory");
            buffer[r % 2][t] = in[r * half + t] * 3;
            asm volatile("bar.arrive %0, %1;" ::"r"(1 + r % 2), "r"(size) : "memory");
        }
    } else {
        t -= half;
        for (unsigned r = 0; r < rounds; ++r) {
            asm volatile("bar.sync %0, %1;" ::"r"(1 + r % 2), "r"(size) : "memory");
            out[r * half + t] = buffer[r % 2][half - 1 - t] + t;
            if (r + 2 < rounds)
                asm volatile("bar.arrive %0, %1;" ::"r"(3 + r % 2), "r"(size) : "memory");
        }
    }
}

// Each pair of warps has a barrier of its own; all 16 may be in use.
extern "C" __global__ void barriers_by_number(const unsigned *in, unsigned *out) {
    __shared__ unsigned box[512];
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    unsigned pair = t / 64, i = blockIdx.x * size + t;
    box[t] = in[i];
    for (unsigned r = 0; r <= pair; ++r) {
        asm volatile("barrier.sync %0, 64;" ::"r"(pair + 1) : "memory");
        unsigned v = box[t ^ 33] * 7 + r;
        asm volatile("barrier.sync %0, 64;" ::"r"(pair + 1) : "memory");
        box[t] = v;
    }
    asm volatile("barrier.sync 0;" ::: "memory");
    out[i] = box[size - 1 - t];
}

// The first 64 threads count, and, or among themselves; the others only arrive elsewhere.
extern "C" __global__ void partial_votes(const unsigned *in, unsigned *out) {
    unsigned t = threadIdx.x, v = in[blockIdx.x * blockDim.x + t], count, all, any;
    out += blockIdx.x * 12;
    if (t < 64) {
        asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %3, 0; barrier.red.popc.u32 %0, 5, 64, p;"
                     " barrier.red.and.pred q, 6, 64, p; selp.u32 %1, 1, 0, q;"
                     " barrier.red.or.pred q, 7, 64, !p; selp.u32 %2, 1, 0, q; }"
                     : "=r"(count), "=r"(all), "=r"(any)
                     : "r"(v & 3)
                     : "memory");
        if (t % 32 == 7) {
            out[t / 32 * 3] = count;
            out[t / 32 * 3 + 1] = all;
            out[t / 32 * 3 + 2] = any;
        }
    }
    asm volatile("barrier.red.popc.u32 %0, 0, 1;" : "=r"(count)::"memory");
    if (t == 0)
        out[6] = count;
}
