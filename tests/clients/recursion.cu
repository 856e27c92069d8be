#include "check.h"
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
struct Node {
    int key, left, right;
};
__device__ __noinline__ int depth(const Node *all, int at) {
    if (at < 0) return 0;
    int left = depth(all, all[at].left), right = depth(all, all[at].right);
    return 1 + (left > right ? left : right);
}
__global__ void run(const Node *all, int *out) {
    out[threadIdx.x] = fibonacci(threadIdx.x % 12) + 1000 * depth(all, 0);
}
int main() {
    Buffer<Node> all(31);
    for (int i = 0; i < 31; i++) all[i] = Node{i, 2 * i + 1 < 31 ? 2 * i + 1 : -1, 2 * i + 2 < 31 ? 2 * i + 2 : -1};
    Buffer<int> out(64);
    run<<<1, 64>>>(all.data, out.data);
    finish();
    int wanted[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (int i = 0; i < 64; i++) expect("value", out[i], 5000 + wanted[i % 12]);
    std::puts("ok");
}
