// Values that nobody wrote, and lifetimes. Each `_bug` has one planted bug, and its `_ok` none.
// bug: W0731 uninit_shared: shared memory that nobody wrote reaches a buffer
// run: --kernel uninit_shared_bug --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// run: --kernel uninit_shared_ok --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// bug: W0731 uninit_branch: a counter in shared memory that was not set to zero decides a branch
// run: --kernel uninit_branch_bug --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// run: --kernel uninit_branch_ok --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0
// bug: W0731 uninit_local: an element of a local array that was not written
// run: --kernel uninit_local_bug --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// run: --kernel uninit_local_ok --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// bug: W0731 uninit_heap: memory of malloc that was not written is used as an index
// run: --kernel uninit_heap_bug --grid 1 --block 32 --arg u32[64]=iota --arg u32[32]=0
// run: --kernel uninit_heap_ok --grid 1 --block 32 --arg u32[64]=iota --arg u32[32]=0
// bug: W0735 leak: blocks of the heap that are not freed on one path
// run: --kernel leak_bug --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// run: --kernel leak_ok --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0
// bug: W0734 use_after_free: a block of the heap is read after free
// run: --kernel use_after_free_bug --grid 1 --block 1 --arg u32[4]=0
// run: --kernel use_after_free_ok --grid 1 --block 1 --arg u32[4]=0
// bug: W0716 double_free: a block of the heap is freed twice
// run: --kernel double_free_bug --grid 1 --block 2 --arg u64[1]=0 --arg u32[2]=0
// run: --kernel double_free_ok --grid 1 --block 2 --arg u64[1]=0 --arg u32[2]=0
// bug: W0734 exited_block: shared memory of a block of the cluster that has exited
// run: --kernel exited_block_bug --grid 2 --block 32 --cluster 2 --arg u32[32]=0
// run: --kernel exited_block_ok --grid 2 --block 32 --cluster 2 --arg u32[32]=0
// bug: W0736 not_constant: a buffer is read through the read-only path and written in the same kernel
// run: --kernel not_constant_bug --grid 1 --block 64 --arg u32[65]=iota --arg &0
// run: --kernel not_constant_ok --grid 1 --block 64 --arg u32[65]=iota --arg u32[65]=0
// bug: W0718 recursion: a recursion that does not end
// run: --kernel recursion_bug --grid 1 --block 1 --arg u32[1]=5
// run: --kernel recursion_ok --grid 1 --block 1 --arg u32[1]=5
// bug: W0715 assertion: an assertion that fails
// run: --kernel assertion_bug --grid 1 --block 32 --arg u32[32]=iota
// run: --kernel assertion_ok --grid 1 --block 32 --arg u32[32]=iota
#include <cassert>
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

extern "C" __global__ void uninit_shared_bug(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x;
    if (t != 0) tile[t] = in[t];
    __syncthreads();
    out[t] = tile[63 - t];
}
extern "C" __global__ void uninit_shared_ok(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[63 - t];
}

__device__ void compact(const unsigned *in, unsigned *out, bool clear) {
    __shared__ unsigned count;
    if (clear && threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] & 1) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x < count) out[threadIdx.x] = 1;
}
extern "C" __global__ void uninit_branch_bug(const unsigned *in, unsigned *out) { compact(in, out, false); }
extern "C" __global__ void uninit_branch_ok(const unsigned *in, unsigned *out) { compact(in, out, true); }

// The structure has padding, which is copied; that is not a bug.
struct Entry {
    char kind;
    unsigned value;
    unsigned long long more;
};
__device__ __noinline__ unsigned pick(const Entry *entries, unsigned i) {
    Entry copy = entries[i & 7];
    return copy.value + (unsigned)copy.more + copy.kind;
}
__device__ void locals(const unsigned *in, unsigned *out, unsigned from) {
    Entry entries[8];
    for (unsigned i = from; i < 8; ++i) {
        entries[i].kind = (char)i;
        entries[i].value = in[threadIdx.x] + i;
        entries[i].more = i;
    }
    out[threadIdx.x] = pick(entries, in[threadIdx.x]);
}
extern "C" __global__ void uninit_local_bug(const unsigned *in, unsigned *out) { locals(in, out, 1); }
extern "C" __global__ void uninit_local_ok(const unsigned *in, unsigned *out) { locals(in, out, 0); }

__device__ void table(const unsigned *in, unsigned *out, unsigned filled) {
    volatile unsigned *index = (unsigned *)malloc(4 * sizeof(unsigned));
    for (unsigned i = 0; i < filled; ++i) index[i] = i;
    out[threadIdx.x] = in[index[threadIdx.x & 3]];
    free((void *)index);
}
extern "C" __global__ void uninit_heap_bug(const unsigned *in, unsigned *out) { table(in, out, 3); }
extern "C" __global__ void uninit_heap_ok(const unsigned *in, unsigned *out) { table(in, out, 4); }

__device__ void buffer(const unsigned *in, unsigned *out, bool careful) {
    volatile unsigned *own = (unsigned *)malloc(16);
    own[0] = in[threadIdx.x];
    out[threadIdx.x] = own[0];
    if (careful || own[0] < 30) free((void *)own);
}
extern "C" __global__ void leak_bug(const unsigned *in, unsigned *out) { buffer(in, out, false); }
extern "C" __global__ void leak_ok(const unsigned *in, unsigned *out) { buffer(in, out, true); }

extern "C" __global__ void use_after_free_bug(unsigned *out) {
    volatile unsigned *own = (unsigned *)malloc(16);
    own[1] = 5;
    free((void *)own);
    out[0] = own[1];
}
extern "C" __global__ void use_after_free_ok(unsigned *out) {
    volatile unsigned *own = (unsigned *)malloc(16);
    own[1] = 5;
    out[0] = own[1];
    free((void *)own);
}

extern "C" __global__ void double_free_bug(void *volatile *place, unsigned *out) {
    if (threadIdx.x == 0) *place = malloc(16);
    __syncthreads();
    out[threadIdx.x] = 1;
    free(*place);
}
extern "C" __global__ void double_free_ok(void *volatile *place, unsigned *out) {
    if (threadIdx.x == 0) *place = malloc(16);
    __syncthreads();
    out[threadIdx.x] = 1;
    if (threadIdx.x == 1) free(*place);
}

__device__ void from_neighbour(unsigned *out, bool stay) {
    __shared__ unsigned own[32];
    own[threadIdx.x] = blockIdx.x * 32 + threadIdx.x;
    cluster_sync();
    if (blockIdx.x == 0) {
        __nanosleep(1000);
        unsigned sum = 0;
        for (unsigned i = 0; i < 32; ++i) sum += of_block(own + i, 1);
        out[threadIdx.x] = sum;
    }
    if (stay) cluster_sync();
}
extern "C" __global__ void exited_block_bug(unsigned *out) { from_neighbour(out, false); }
extern "C" __global__ void exited_block_ok(unsigned *out) { from_neighbour(out, true); }

extern "C" __global__ void not_constant_bug(const unsigned *__restrict__ in, unsigned *__restrict__ out) {
    out[threadIdx.x] = __ldg(in + threadIdx.x + 1) * 2;
}
extern "C" __global__ void not_constant_ok(const unsigned *__restrict__ in, unsigned *__restrict__ out) {
    out[threadIdx.x] = __ldg(in + threadIdx.x + 1) * 2;
}

__device__ __noinline__ unsigned deep(volatile unsigned *data, unsigned n, bool ends) {
    volatile unsigned own[16];
    own[n & 15] = n;
    if (ends && n == 0) return data[0];
    return deep(data, n - 1, ends) + own[n & 15];
}
extern "C" __global__ void recursion_bug(unsigned *data) { data[0] = deep(data, 9, data[0] == 0); }
extern "C" __global__ void recursion_ok(unsigned *data) { data[0] = deep(data, 9, data[0] != 0); }

extern "C" __global__ void assertion_bug(unsigned *data) {
    assert(data[threadIdx.x] < 31);
    data[threadIdx.x] = 1;
}
extern "C" __global__ void assertion_ok(unsigned *data) {
    assert(data[threadIdx.x] < 32);
    data[threadIdx.x] = 1;
}
