// Searching: a pattern in text, the largest k values of a warp, binary search, alignment of strings, placing queens.
// make: nvcc 90
// run: --kernel find_pattern --grid 2 --block 64 --arg u8[500]=random:1 --arg u8[2]=1,2 --arg u32[2]=0,0xffffffff --arg u32=500 --arg u32=2 --print 2
// run: --kernel find_pattern --grid 1 --block 33 --arg u8[600]=iota --arg u8[3]=7,8,9 --arg u32[2]=0,0xffffffff --arg u32=600 --arg u32=3 --print 2
// run: --kernel find_pattern --grid 4 --block 50 --arg u8[300]=0 --arg u8[1]=0 --arg u32[2]=0,0xffffffff --arg u32=300 --arg u32=1 --print 2
// run: --kernel largest --grid 1 --block 32 --arg u32[320]=random:2 --arg u32[8]=0 --arg u32=320 --print 1
// run: --kernel largest --grid 3 --block 64 --arg u32[3000]=random:3 --arg u32[48]=0 --arg u32=500 --print 1
// run: --kernel largest --grid 2 --block 32,2 --arg u32[80]=iota --arg u32[32]=0 --arg u32=20 --print 1
// run: --kernel lower_bound --grid 1 --block 64 --arg u32[100]=iota:0:7 --arg u32[64]=random:4 --arg u32[64]=0 --arg u32=100 --print 2:16
// run: --kernel lower_bound --grid 2 --block 40 --arg u32[33]=iota:5:1 --arg u32[80]=iota --arg u32[80]=0 --arg u32=33 --print 2:16
// run: --kernel lower_bound --grid 1 --block 3 --arg u32[1]=5 --arg u32[3]=4,5,6 --arg u32[3]=0 --arg u32=1 --print 2
// run: --kernel align --grid 1 --block 32 --arg u8[32]=random:5 --arg u8[40]=random:6 --arg s32[1]=0 --arg u32=40 --print 2
// run: --kernel align --grid 2 --block 50 --arg u8[100]=random:7 --arg u8[60]=random:8 --arg s32[2]=0 --arg u32=30 --print 2
// run: --kernel align --grid 3 --block 7 --arg u8[21]=random:9 --arg u8[60]=random:10 --arg s32[3]=0 --arg u32=20 --print 2
// run: --kernel queens --grid 1 --block 6 --arg u32[1]=0 --arg u32=6 --print 0
// run: --kernel queens --grid 2 --block 32 --arg u32[1]=0 --arg u32=8 --print 0
// run: --kernel queens --grid 7 --block 7 --arg u32[1]=0 --arg u32=7 --print 0

// out[0]: how often, out[1]: where first.
extern "C" __global__ void find_pattern(const unsigned char *text, const unsigned char *pattern, unsigned *out, unsigned length,
                                        unsigned size) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i + size <= length; i += gridDim.x * blockDim.x) {
        unsigned k = 0;
        while (k < size && text[i + k] % 16 == pattern[k] % 16)
            ++k;
        if (k == size) {
            atomicAdd(&out[0], 1);
            atomicMin(&out[1], i);
        }
    }
}

// The eight largest of the `count` values of each warp, in order: one round of shuffles for each.
extern "C" __global__ void largest(const unsigned *in, unsigned *out, unsigned count) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, lane = t % 32;
    unsigned warp = blockIdx.x * (blockDim.x * blockDim.y / 32) + t / 32;
    in += warp * count;
    unsigned bound = ~0u, place_bound = 0;
    for (int k = 0; k < 8; ++k) {
        // The largest pair of value and place below the last one; equal values by their place.
        unsigned best = 0, place = ~0u;
        for (unsigned i = lane; i < count; i += 32) {
            unsigned v = in[i];
            bool below = v < bound || (v == bound && i >= place_bound);
            if (below && (place == ~0u || v > best || (v == best && i < place))) {
                best = v;
                place = i;
            }
        }
        for (int step = 16; step > 0; step /= 2) {
            unsigned other = __shfl_xor_sync(~0u, best, step), other_place = __shfl_xor_sync(~0u, place, step);
            if (other_place != ~0u && (place == ~0u || other > best || (other == best && other_place < place))) {
                best = other;
                place = other_place;
            }
        }
        if (lane == 0)
            out[warp * 8 + k] = best;
        bound = best;
        place_bound = place + 1;
    }
}

extern "C" __global__ void lower_bound(const unsigned *sorted, const unsigned *wanted, unsigned *out, unsigned count) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = count, key = wanted[i] % 1000;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// Best score of a local alignment, diagonal by diagonal; a thread for each letter of the first string.
extern "C" __global__ void align(const unsigned char *first, const unsigned char *second, int *best, unsigned length) {
    __shared__ int score[3][65];
    __shared__ int top;
    unsigned t = threadIdx.x, n = blockDim.x;
    first += blockIdx.x * n, second += blockIdx.x * length;
    if (t == 0)
        top = 0;
    for (unsigned k = t; k < 3 * 65; k += n)
        score[k / 65][k % 65] = 0;
    __syncthreads();
    for (unsigned d = 0; d < n + length - 1; ++d) {
        unsigned j = d - t;
        if (d >= t && j < length) {
            int *now = score[d % 3], *one = score[(d + 2) % 3], *two = score[(d + 1) % 3];
            int same = first[t] % 4 == second[j] % 4 ? 3 : -2;
            int from_left = j > 0 ? one[t + 1] : 0, from_corner = j > 0 ? two[t] : 0;
            int v = max(max(0, from_corner + same), max(one[t] - 1, from_left - 1));
            now[t + 1] = v;
            atomicMax(&top, v);
        }
        __syncthreads();
    }
    if (t == 0)
        best[blockIdx.x] = top;
}

// Each thread takes one choice of the first two rows and searches with a stack in local memory.
extern "C" __global__ void queens(unsigned *solutions, unsigned n) {
    unsigned all = (1u << n) - 1, found = 0;
    for (unsigned start = blockIdx.x * blockDim.x + threadIdx.x; start < n * n; start += gridDim.x * blockDim.x) {
        unsigned a = 1u << start / n, b = 1u << start % n;
        if (b & (a | a << 1 | a >> 1))
            continue;
        unsigned columns[16], left[16], right[16], free[16];
        int depth = 2;
        columns[2] = a | b, left[2] = (a << 1 | b) << 1, right[2] = (a >> 1 | b) >> 1;
        free[2] = all & ~(columns[2] | left[2] | right[2]);
        while (depth >= 2) {
            if (free[depth] == 0) {
                --depth;
                continue;
            }
            unsigned bit = free[depth] & -free[depth];
            free[depth] ^= bit;
            if (depth == (int)n - 1) {
                ++found;
                continue;
            }
            columns[depth + 1] = columns[depth] | bit;
            left[depth + 1] = (left[depth] | bit) << 1;
            right[depth + 1] = (right[depth] | bit) >> 1;
            ++depth;
            free[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
        }
    }
    atomicAdd(solutions, found);
}
