// Graphs whose edges follow from a hash: components by union and find, distances by frontiers.
// make: nvcc 90
// run: --kernel components --grid 132 --block 256 --arg u32[65536]=0 --arg u32=65536 --arg u32=49152
// run: --kernel components_in_shared --grid 264 --block 256 --arg u32[270336]=0 --arg u32=768
// run: --kernel distances --grid 132 --block 256 --arg u32[65536]=0xffffffff --arg u32=65536

__device__ unsigned hash(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

__device__ unsigned arrived;

// All blocks are on the GPU at once. The counter is whole rounds of the grid when nobody waits.
__device__ void grid_barrier() {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        unsigned round = atomicAdd(&arrived, 1) / gridDim.x;
        while (*(volatile unsigned *)&arrived / gridDim.x == round)
            ;
        __threadfence();
    }
    __syncthreads();
}

__device__ unsigned root_of(volatile unsigned *parent, unsigned node) {
    while (parent[node] != node)
        node = parent[node];
    return node;
}

// The larger root hangs below the smaller one, so that the root is the least of its component.
__device__ void unite(unsigned *parent, unsigned a, unsigned b) {
    for (;;) {
        a = root_of(parent, a), b = root_of(parent, b);
        if (a == b)
            return;
        unsigned large = max(a, b), small = min(a, b);
        if (atomicCAS(&parent[large], large, small) == large)
            return;
    }
}

extern "C" __global__ void components(unsigned *parent, unsigned nodes, unsigned edges) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (unsigned n = thread; n < nodes; n += threads)
        parent[n] = n;
    grid_barrier();
    for (unsigned e = thread; e < edges; e += threads)
        unite(parent, hash(2 * e) % nodes, hash(2 * e + 1) % nodes);
    grid_barrier();
    for (unsigned n = thread; n < nodes; n += threads)
        atomicMin(&parent[n], root_of(parent, n));
}

// A graph of 1,024 nodes for each block; roots by atomicMin.
extern "C" __global__ void components_in_shared(unsigned *out, unsigned edges) {
    __shared__ unsigned parent[1024];
    for (unsigned n = threadIdx.x; n < 1024; n += blockDim.x)
        parent[n] = n;
    __syncthreads();
    for (unsigned e = threadIdx.x; e < edges; e += blockDim.x) {
        unsigned seed = blockIdx.x * 4096 + e * 2, a = hash(seed) % 1024, b = hash(seed + 1) % 1024;
        while (a != b) {
            a = root_of(parent, a), b = root_of(parent, b);
            unsigned large = max(a, b), small = min(a, b);
            unsigned before = atomicMin(&parent[large], small);
            a = before == large ? small : before, b = small;
        }
    }
    __syncthreads();
    for (unsigned n = threadIdx.x; n < 1024; n += blockDim.x)
        out[blockIdx.x * 1024 + n] = root_of(parent, n);
}

__device__ unsigned frontiers[2][65536], sizes[3];

// Breadth first from node 0, with four edges from each node.
extern "C" __global__ void distances(unsigned *distance, unsigned nodes) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    if (thread == 0) {
        distance[0] = 0;
        frontiers[0][0] = 0;
        sizes[0] = 1, sizes[1] = 0, sizes[2] = 0;
    }
    grid_barrier();
    for (unsigned level = 0;; ++level) {
        unsigned size = *(volatile unsigned *)&sizes[level % 3];
        if (size == 0)
            break;
        if (thread == 0)
            sizes[(level + 2) % 3] = 0;
        for (unsigned i = thread; i < 4 * size; i += threads) {
            unsigned node = *(volatile unsigned *)&frontiers[level % 2][i / 4];
            unsigned next = hash(node * 4 + i % 4) % nodes;
            if (atomicCAS(&distance[next], ~0u, level + 1) == ~0u)
                frontiers[(level + 1) % 2][atomicAdd(&sizes[(level + 1) % 3], 1)] = next;
        }
        grid_barrier();
    }
}
