// Algorithms of one pass over the data whose blocks find each other through atomics and fences.
// make: nvcc 90
// run: --kernel last_block_sum --grid 264 --block 256 --arg u32[2097152]=random:1 --arg f32[1]=0 --arg u32=2097152
// run: --kernel filter --grid 264 --block 256 --arg u32[1048576]=random:2 --arg u64[2]=0 --arg u32=1048576
// run: --kernel filter_by_block --grid 264 --block 256 --arg u32[1048576]=random:3 --arg u64[2]=0 --arg u32=1048576
// run: --kernel scan --grid 1024 --block 256 --arg u32[262144]=random:4 --arg u32[262144]=0
// run: --kernel pipeline --grid 64 --block 64 --arg u32[4096]=iota --arg u32[4096]=0 --arg u32=4096

__device__ float partial[1024];
__device__ unsigned finished;

// The block that finishes last adds what all blocks left, always in the same order.
extern "C" __global__ void last_block_sum(const unsigned *in, float *sum, unsigned count) {
    __shared__ float lanes[256];
    __shared__ bool last;
    float mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        mine += (float)(in[i] >> 24);
    lanes[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = 128; half; half /= 2) {
        if (threadIdx.x < half)
            lanes[threadIdx.x] += lanes[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = lanes[0];
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        mine = 0;
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            mine += *(volatile float *)&partial[b];
        lanes[threadIdx.x] = mine;
        __syncthreads();
        for (unsigned half = 128; half; half /= 2) {
            if (threadIdx.x < half)
                lanes[threadIdx.x] += lanes[threadIdx.x + half];
            __syncthreads();
        }
        if (threadIdx.x == 0)
            *sum = lanes[0];
    }
}

__device__ unsigned kept[1048576];
__device__ unsigned kept_number, filters_done;

// Writes how many were kept and the sum over a sample; the last block sets the number back.
__device__ void finish(unsigned long long *out, unsigned long long sum) {
    __shared__ unsigned long long all;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    atomicAdd(&all, sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&out[0], all);
        __threadfence();
        if (atomicInc(&filters_done, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            out[1] = atomicExch(&kept_number, 0);
        }
    }
}

// The lanes of a warp that keep something fetch their places with one addition.
extern "C" __global__ void filter(const unsigned *in, unsigned long long *out, unsigned count) {
    unsigned long long sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        unsigned value = in[i];
        if (value % 3 != 0)
            continue;
        unsigned active = __activemask(), leader = __ffs(active) - 1, base = 0;
        unsigned before = active & ((1u << threadIdx.x % 32) - 1);
        if (threadIdx.x % 32 == leader)
            base = atomicAdd(&kept_number, __popc(active));
        unsigned at = __shfl_sync(active, base, leader) + __popc(before);
        kept[at] = value;
        sum += value;
    }
    finish(out, sum);
}

// A shared counter for the block first.
extern "C" __global__ void filter_by_block(const unsigned *in, unsigned long long *out, unsigned count) {
    __shared__ unsigned number, base;
    unsigned long long sum = 0;
    unsigned size = gridDim.x * blockDim.x;
    for (unsigned start = blockIdx.x * blockDim.x; start < count; start += size) {
        if (threadIdx.x == 0)
            number = 0;
        __syncthreads();
        unsigned value = start + threadIdx.x < count ? in[start + threadIdx.x] : 1, rank = 0;
        if (value % 3 == 0)
            rank = atomicAdd(&number, 1);
        __syncthreads();
        if (threadIdx.x == 0)
            base = atomicAdd(&kept_number, number);
        __syncthreads();
        if (value % 3 == 0) {
            kept[base + rank] = value;
            sum += value;
        }
        __syncthreads();
    }
    finish(out, sum);
}

// A block's number in the order of starting, and its state: 1 with its own sum, 2 with that of all up to it.
__device__ unsigned next_part, parts_done;
__device__ unsigned long long states[1024];

// Prefix sums in one pass: a block looks back over the blocks before it.
extern "C" __global__ void scan(const unsigned *in, unsigned *out) {
    __shared__ unsigned part, before, sums[256];
    if (threadIdx.x == 0)
        part = atomicAdd(&next_part, 1);
    __syncthreads();
    unsigned at = part * 256 + threadIdx.x, mine = in[at];
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned d = 1; d < 256; d *= 2) {
        unsigned other = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
        __syncthreads();
        mine += other;
        sums[threadIdx.x] = mine;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        unsigned sum = sums[255], prefix = 0;
        atomicExch(&states[part], (part == 0 ? 2ull : 1ull) << 32 | sum);
        for (int p = (int)part - 1; p >= 0;) {
            unsigned long long state = *(volatile unsigned long long *)&states[p];
            if (state == 0)
                continue;
            prefix += (unsigned)state;
            if (state >> 32 == 2)
                break;
            --p;
        }
        if (part != 0)
            atomicExch(&states[part], 2ull << 32 | (prefix + sum));
        before = prefix;
    }
    __syncthreads();
    out[at] = before + mine;
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&parts_done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        for (unsigned p = threadIdx.x; p < gridDim.x; p += blockDim.x)
            states[p] = 0;
        if (threadIdx.x == 0)
            next_part = 0, parts_done = 0;
    }
}

__device__ unsigned stages[64];

// A block works on what the block before it has finished, a block of data at a time.
extern "C" __global__ void pipeline(const unsigned *in, unsigned *data, unsigned count) {
    for (unsigned start = 0; start < count; start += blockDim.x) {
        unsigned i = start + threadIdx.x;
        if (threadIdx.x == 0 && blockIdx.x != 0) {
            while (*(volatile unsigned *)&stages[blockIdx.x - 1] <= start)
                ;
            __threadfence();
        }
        __syncthreads();
        unsigned value = blockIdx.x == 0 ? in[i] : *(volatile unsigned *)&data[i];
        *(volatile unsigned *)&data[i] = value * 1664525 + blockIdx.x;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(&stages[blockIdx.x], start + blockDim.x);
    }
    // Nobody looks at the stage of the last block; the others are set back by the one behind them.
    if (threadIdx.x == 0) {
        if (blockIdx.x != 0)
            stages[blockIdx.x - 1] = 0;
        if (blockIdx.x == gridDim.x - 1)
            stages[blockIdx.x] = 0;
    }
}
