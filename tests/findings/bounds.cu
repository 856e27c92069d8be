// Accesses outside of what they are meant for. Each `_bug` has one planted bug, and its `_ok` none.
// bug: W0712 past_end: the last thread reads one element past the end of a buffer
// run: --kernel past_end_bug --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// run: --kernel past_end_ok --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// bug: W0712 before_start: the first thread writes one element before the start of a buffer
// run: --kernel before_start_bug --grid 1 --block 64 --arg u32[64]=iota
// run: --kernel before_start_ok --grid 1 --block 64 --arg u32[64]=iota
// bug: W0712 null_pointer: a pointer that was not set
// run: --kernel null_pointer_bug --grid 1 --block 32 --arg null
// run: --kernel null_pointer_ok --grid 1 --block 32 --arg u32[32]=0
// bug: W0712 shared_end: an index past the end of shared memory
// run: --kernel shared_end_bug --grid 1 --block 64 --arg u32[64]=0
// run: --kernel shared_end_ok --grid 1 --block 64 --arg u32[64]=0
// bug: W0712 shared_neighbour: an overflow of one shared array into the next one
// run: --kernel shared_neighbour_bug --grid 1 --block 64 --arg u32[64]=0
// run: --kernel shared_neighbour_ok --grid 1 --block 64 --arg u32[64]=0
// bug: W0712 local_end: an index past the end of a local array
// run: --kernel local_end_bug --grid 1 --block 32 --arg u32[32]=0 --arg u32=8
// run: --kernel local_end_ok --grid 1 --block 32 --arg u32[32]=0 --arg u32=7
// bug: W0712 heap_neighbour: an overflow of one block of the heap into the next one
// run: --kernel heap_neighbour_bug --grid 1 --block 1 --arg u32[8]=0
// run: --kernel heap_neighbour_ok --grid 1 --block 1 --arg u32[8]=0
// bug: W0713 misaligned: a vector at an address that is not a multiple of its size
// run: --kernel misaligned_bug --grid 1 --block 32 --arg u32[160]=iota --arg u32[32]=0
// run: --kernel misaligned_ok --grid 1 --block 32 --arg u32[160]=iota --arg u32[32]=0
// bug: W0712 no_such_block: a block of the cluster that does not exist
// run: --kernel no_such_block_bug --grid 2 --block 32 --cluster 2 --arg u32[64]=0
// run: --kernel no_such_block_ok --grid 2 --block 32 --cluster 2 --arg u32[64]=0
__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
// A word of the shared memory of another block of the cluster.
__device__ unsigned of_block(const unsigned *p, unsigned rank) {
    unsigned value;
    asm volatile("{ .reg .b32 a; mapa.shared::cluster.u32 a, %1, %2; ld.shared::cluster.u32 %0, [a]; }"
                 : "=r"(value)
                 : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(rank)
                 : "memory");
    return value;
}

extern "C" __global__ void past_end_bug(const unsigned *in, unsigned *out) {
    out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 1];
}
extern "C" __global__ void past_end_ok(const unsigned *in, unsigned *out) {
    unsigned next = threadIdx.x + 1 < blockDim.x ? in[threadIdx.x + 1] : 0;
    out[threadIdx.x] = in[threadIdx.x] + next;
}

extern "C" __global__ void before_start_bug(unsigned *data) { data[(int)threadIdx.x - 1] = threadIdx.x; }
extern "C" __global__ void before_start_ok(unsigned *data) { data[threadIdx.x] = threadIdx.x; }

extern "C" __global__ void null_pointer_bug(unsigned *data) { data[threadIdx.x] = 1; }
extern "C" __global__ void null_pointer_ok(unsigned *data) {
    if (data) data[threadIdx.x] = 1;
}

extern "C" __global__ void shared_end_bug(unsigned *out) {
    __shared__ unsigned tile[64];
    tile[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x / 2];
}
extern "C" __global__ void shared_end_ok(unsigned *out) {
    __shared__ unsigned tile[65];
    tile[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x / 2];
}

template <unsigned SIZE> __device__ void two_arrays(unsigned *out) {
    __shared__ unsigned first[SIZE], second[64];
    unsigned t = threadIdx.x;
    second[t] = 1;
    __syncthreads();
    first[t + 1] = t;
    __syncthreads();
    out[t] = first[t + 1] + second[63 - t];
}
extern "C" __global__ void shared_neighbour_bug(unsigned *out) { two_arrays<64>(out); }
extern "C" __global__ void shared_neighbour_ok(unsigned *out) { two_arrays<65>(out); }

extern "C" __global__ void local_end_bug(unsigned *out, unsigned n) {
    unsigned own[8];
    for (unsigned i = 0; i <= n; ++i) own[i] = i * threadIdx.x;
    unsigned sum = 0;
    for (unsigned i = 0; i <= n; ++i) sum += own[(i * 5) & 7];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void local_end_ok(unsigned *out, unsigned n) { // It is launched with a smaller n.
    unsigned own[8];
    for (unsigned i = 0; i <= n; ++i) own[i] = i * threadIdx.x;
    unsigned sum = 0;
    for (unsigned i = 0; i <= n; ++i) sum += own[(i * 5) & 7];
    out[threadIdx.x] = sum;
}

__device__ void blocks(unsigned *out, unsigned count) {
    volatile unsigned *a = (unsigned *)malloc(8 * sizeof(unsigned)), *b = (unsigned *)malloc(8 * sizeof(unsigned));
    for (unsigned i = 0; i < 8; ++i) b[i] = 7;
    for (unsigned i = 0; i < count; ++i) a[i] = i;
    for (unsigned i = 0; i < 8; ++i) out[i] = a[i] + b[i];
    free((void *)a);
    free((void *)b);
}
extern "C" __global__ void heap_neighbour_bug(unsigned *out) { blocks(out, 9); }
extern "C" __global__ void heap_neighbour_ok(unsigned *out) { blocks(out, 8); }

extern "C" __global__ void misaligned_bug(const unsigned *in, unsigned *out) {
    uint4 four = *(const uint4 *)(in + threadIdx.x * 4 + 2);
    out[threadIdx.x] = four.x + four.w;
}
extern "C" __global__ void misaligned_ok(const unsigned *in, unsigned *out) {
    uint4 four = *(const uint4 *)(in + threadIdx.x * 4 + 4);
    out[threadIdx.x] = four.x + four.w;
}

__device__ void other_block(unsigned *out, unsigned rank) {
    __shared__ unsigned own[32];
    own[threadIdx.x] = blockIdx.x;
    cluster_sync();
    out[blockIdx.x * 32 + threadIdx.x] = of_block(own + threadIdx.x, rank);
    cluster_sync();
}
extern "C" __global__ void no_such_block_bug(unsigned *out) { other_block(out, blockIdx.x + 1); }
extern "C" __global__ void no_such_block_ok(unsigned *out) { other_block(out, blockIdx.x ^ 1); }
