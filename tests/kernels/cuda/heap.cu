// Memory from the device's heap: lists, trees, buffers that grow, shared between threads.
// make: nvcc 90
// run: --kernel linked_list --grid 1 --block 8 --arg u32[8]=iota --arg u32[8]=0 --print 1
// run: --kernel linked_list --grid 2 --block 33 --arg u32[66]=random:1 --arg u32[66]=0 --print 1:16
// run: --kernel linked_list --grid 1 --block 4,4 --arg u32[16]=random:2 --arg u32[16]=0 --print 1
// run: --kernel search_tree --grid 1 --block 4 --arg u32[80]=random:3 --arg u32[80]=0 --arg u32=20 --print 1:20
// run: --kernel search_tree --grid 2 --block 16 --arg u32[320]=random:4 --arg u32[320]=0 --arg u32=10 --print 1:20
// run: --kernel search_tree --grid 1 --block 1 --arg u32[64]=random:5 --arg u32[64]=0 --arg u32=64 --print 1:20
// run: --kernel shared_buffer --grid 1 --block 64 --arg u32[64]=iota --arg u32[64]=0 --print 1:16
// run: --kernel shared_buffer --grid 4 --block 40 --arg u32[160]=random:6 --arg u32[160]=0 --print 1:16
// run: --kernel shared_buffer --grid 2 --block 8,4,2 --arg u32[128]=random:7 --arg u32[128]=0 --print 1:16

__device__ unsigned thread_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

struct Node {
    unsigned value;
    Node *next;
};

extern "C" __global__ void linked_list(const unsigned *in, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x * blockDim.y + thread_in_block(), length = in[i] % 7 + 1;
    Node *head = nullptr;
    for (unsigned k = 0; k < length; ++k)
        head = new Node{in[i] + k, head};
    unsigned sum = 0;
    while (head) {
        Node *next = head->next;
        sum = sum * 10 + head->value;
        delete head;
        head = next;
    }
    out[i] = sum;
}

struct Branch {
    unsigned key;
    Branch *child[2];
};

// Each thread sorts `each` keys by a tree, and frees it bottom up with a stack of its own.
extern "C" __global__ void search_tree(const unsigned *in, unsigned *out, unsigned each) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, placed = 0, top = 0;
    in += i * each, out += i * each;
    Branch *root = nullptr;
    for (unsigned k = 0; k < each; ++k) {
        Branch **at = &root;
        while (*at)
            at = &(*at)->child[in[k] >= (*at)->key];
        *at = (Branch *)malloc(sizeof(Branch));
        **at = Branch{in[k], {nullptr, nullptr}};
    }
    Branch **stack = (Branch **)malloc(each * sizeof(Branch *));
    for (Branch *at = root; at || top > 0;) {
        for (; at; at = at->child[0])
            stack[top++] = at;
        at = stack[--top];
        out[placed++] = at->key;
        Branch *right = at->child[1];
        free(at);
        at = right;
    }
    free(stack);
}

// One thread takes memory for the block, all use it, another gives it back.
extern "C" __global__ void shared_buffer(const unsigned *in, unsigned *out) {
    __shared__ unsigned *buffer;
    unsigned t = thread_in_block(), size = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * size + t;
    if (t == 0)
        buffer = (unsigned *)malloc(size * sizeof(unsigned));
    __syncthreads();
    buffer[t] = in[i] * 3;
    __syncthreads();
    out[i] = buffer[(t * 7 + 1) % size];
    __syncthreads();
    if (t == size - 1)
        free(buffer);
}
