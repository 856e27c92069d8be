// Sorts: bitonic in shared memory, odd and even in registers of a warp, by digits within a block, insertion in local memory.
// make: nvcc 90 -fmad=false
// run: --kernel bitonic --grid 2 --block 64 --arg u32[256]=random:1 --print 0:4
// bench: --kernel bitonic --grid 2112 --block 512 --arg u32[2162688]=random:1
// run: --kernel odd_even --grid 2 --block 32 --arg u32[256]=random:2 --print 0:4
// bench: --kernel odd_even --grid 1056 --block 256 --arg u32[1081344]=random:2
// run: --kernel digits --grid 2 --block 64 --arg u32[128]=random:3 --print 0:4
// bench: --kernel digits --grid 4224 --block 256 --arg u32[1081344]=random:3
// run: --kernel insertion --grid 2 --block 16 --arg u32[512]=random:4 --print 0:4
// bench: --kernel insertion --grid 1056 --block 128 --arg u32[2162688]=random:4

extern "C" __global__ void bitonic(unsigned *data) {
    __shared__ unsigned v[1024];
    unsigned t = threadIdx.x, count = 2 * blockDim.x, *mine = data + blockIdx.x * count;
    v[t] = mine[t];
    v[t + blockDim.x] = mine[t + blockDim.x];
    for (unsigned size = 2; size <= count; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            unsigned i = 2 * t - (t & (step - 1)), a = v[i], b = v[i + step];
            if (a > b == ((i & size) == 0)) {
                v[i] = b;
                v[i + step] = a;
            }
        }
    __syncthreads();
    mine[t] = v[t];
    mine[t + blockDim.x] = v[t + blockDim.x];
}

// A warp sorts 128 numbers, four in each lane.
extern "C" __global__ void odd_even(unsigned *data) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    uint4 v = ((uint4 *)data)[i];
#define ORDER(a, b)                                                                                                    \
    {                                                                                                                  \
        unsigned low = min(a, b);                                                                                      \
        b = max(a, b);                                                                                                 \
        a = low;                                                                                                       \
    }
    for (int n = 0; n < 64; ++n) {
        ORDER(v.x, v.y)
        ORDER(v.z, v.w)
        ORDER(v.y, v.z)
        unsigned before = __shfl_up_sync(~0u, v.w, 1), after = __shfl_down_sync(~0u, v.x, 1);
        if (lane > 0)
            v.x = max(v.x, before);
        if (lane < 31)
            v.w = min(v.w, after);
    }
    for (int n = 0; n < 4; ++n) {
        ORDER(v.x, v.y)
        ORDER(v.z, v.w)
        ORDER(v.y, v.z)
    }
    ((uint4 *)data)[i] = v;
}

// One bit after the other, by ballots within warps and sums over them.
extern "C" __global__ void digits(unsigned *data) {
    __shared__ unsigned v[1024], zeros[32];
    unsigned t = threadIdx.x, warp = t / 32, lane = t % 32, warps = blockDim.x / 32;
    unsigned mine = data[blockIdx.x * blockDim.x + t];
    for (int bit = 0; bit < 32; ++bit) {
        bool one = mine >> bit & 1;
        unsigned clear = __ballot_sync(~0u, !one);
        if (lane == 0)
            zeros[warp] = __popc(clear);
        __syncthreads();
        unsigned before = 0, all = 0;
        for (unsigned k = 0; k < warps; ++k) {
            before += k < warp ? zeros[k] : 0;
            all += zeros[k];
        }
        before += __popc(clear & ((1u << lane) - 1));
        v[one ? all + t - before : before] = mine;
        __syncthreads();
        mine = v[t];
    }
    data[blockIdx.x * blockDim.x + t] = mine;
}

extern "C" __global__ void insertion(unsigned *data) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, v[16];
    for (int k = 0; k < 16; ++k) {
        unsigned next = data[k * all + i];
        int at = k;
        while (at > 0 && v[at - 1] > next) {
            v[at] = v[at - 1];
            --at;
        }
        v[at] = next;
    }
    for (int k = 0; k < 16; ++k)
        data[k * all + i] = v[k];
}
