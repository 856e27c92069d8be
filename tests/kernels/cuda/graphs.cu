// Graphs: breadth-first search with a queue, components by union and find, shortest paths, triangles.
// make: nvcc 90
// run: --kernel breadth_first --grid 1 --block 32 --arg u32[192]=random:1 --arg u32[64]=0xffffffff --arg u32=64 --print 1:16
// run: --kernel breadth_first --grid 1 --block 100 --arg u32[600]=random:2 --arg u32[200]=0xffffffff --arg u32=200 --print 1:16
// run: --kernel breadth_first --grid 1 --block 33 --arg u32[90]=iota --arg u32[30]=0xffffffff --arg u32=30 --print 1:16
// run: --kernel components --grid 4 --block 32 --arg u32[200]=random:3 --arg u32[150]=iota --arg u32=100 --arg u32=150 --print 1:16
// run: --kernel components --grid 1 --block 50 --arg u32[60]=random:4 --arg u32[64]=iota --arg u32=30 --arg u32=64 --print 1:16
// run: --kernel components --grid 8 --block 8,4 --arg u32[400]=random:5 --arg u32[300]=iota --arg u32=200 --arg u32=300 --print 1:16
// run: --kernel shortest_paths --grid 1 --block 8,8 --arg u8[64]=random:6 --arg u32[64]=0 --arg u32=8 --print 1:16
// run: --kernel shortest_paths --grid 1 --block 16,16 --arg u8[1024]=random:7 --arg u32[1024]=0 --arg u32=32 --print 1:16
// run: --kernel shortest_paths --grid 1 --block 7,3 --arg u8[121]=random:8 --arg u32[121]=0 --arg u32=11 --print 1:16
// run: --kernel triangles --grid 2 --block 64 --arg u64[64]=random:9 --arg u32[1]=0 --arg u32=64 --print 1
// run: --kernel triangles --grid 5 --block 10 --arg u64[50]=random:10 --arg u32[1]=0 --arg u32=50 --print 1
// run: --kernel triangles --grid 1 --block 33 --arg u64[33]=0xffffffffffffffff --arg u32[1]=0 --arg u32=33 --print 1

__device__ unsigned queue[2][1024], queued[2];

// One block. Each node has three edges to nodes given modulo their number; the order in the queue does not matter.
extern "C" __global__ void breadth_first(const unsigned *edges, unsigned *level, unsigned nodes) {
    if (threadIdx.x == 0) {
        level[0] = 0;
        queue[0][0] = 0;
        queued[0] = 1;
        queued[1] = 0;
    }
    __syncthreads();
    for (unsigned depth = 1, now = 0; queued[now] > 0; ++depth, now ^= 1) {
        for (unsigned i = threadIdx.x; i < queued[now]; i += blockDim.x)
            for (int e = 0; e < 3; ++e) {
                unsigned to = edges[3 * queue[now][i] + e] % nodes;
                if (atomicCAS(&level[to], ~0u, depth) == ~0u)
                    queue[now ^ 1][atomicAdd(&queued[now ^ 1], 1)] = to;
            }
        __syncthreads();
        if (threadIdx.x == 0)
            queued[now] = 0;
        __syncthreads();
    }
}

__device__ unsigned find(volatile unsigned *parent, unsigned node) {
    while (parent[node] != node)
        node = parent[node];
    return node;
}

__device__ unsigned finished;

// Hooks the larger root below the smaller one; the last block then points every node at its root, the least of all.
extern "C" __global__ void components(const unsigned *edges, unsigned *parent, unsigned count, unsigned nodes) {
    __shared__ bool last;
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    for (unsigned e = blockIdx.x * size + t; e < count; e += gridDim.x * size) {
        unsigned a = edges[2 * e] % nodes, b = edges[2 * e + 1] % nodes;
        for (;;) {
            a = find(parent, a);
            b = find(parent, b);
            if (a == b)
                break;
            unsigned high = max(a, b), low = min(a, b);
            if (atomicCAS(&parent[high], high, low) == high)
                break;
        }
    }
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    for (unsigned node = t; node < nodes; node += size)
        atomicExch(&parent[node], find(parent, node));
}

// Floyd and Warshall in one block; weight 0 means no edge.
extern "C" __global__ void shortest_paths(const unsigned char *weights, unsigned *distance, unsigned n) {
    for (unsigned y = threadIdx.y; y < n; y += blockDim.y)
        for (unsigned x = threadIdx.x; x < n; x += blockDim.x) {
            unsigned w = weights[y * n + x] % 100;
            distance[y * n + x] = x == y ? 0 : w < 60 ? 1u << 30 : w;
        }
    for (unsigned k = 0; k < n; ++k) {
        __syncthreads();
        for (unsigned y = threadIdx.y; y < n; y += blockDim.y)
            for (unsigned x = threadIdx.x; x < n; x += blockDim.x) {
                unsigned through = distance[y * n + k] + distance[k * n + x];
                if (x != k && y != k && through < distance[y * n + x])
                    distance[y * n + x] = through;
            }
    }
}

// Rows of an adjacency matrix as bits; made symmetric by looking at both.
extern "C" __global__ void triangles(const unsigned long long *rows, unsigned *number, unsigned nodes) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
    if (i >= nodes)
        return;
    auto joined = [&](unsigned a, unsigned b) { return (rows[a] >> b | rows[b] >> a) & 1; };
    for (unsigned j = i + 1; j < nodes; ++j)
        if (joined(i, j))
            for (unsigned k = j + 1; k < nodes; ++k)
                found += joined(i, k) && joined(j, k);
    atomicAdd(number, found);
}
