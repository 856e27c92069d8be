// Recursion, local arrays with dynamic indices, deep call chains that are not inlined.
// make: nvcc 75 80 120
// make: nvcc 86 @debug -G
// make: nvrtc 60 70
// make: clang 75 90a

__device__ __noinline__ unsigned long long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ void quicksort(float *a, int lo, int hi) {
    while (lo < hi) {
        float p = a[(lo + hi) / 2];
        int i = lo, j = hi;
        while (i <= j) {
            while (a[i] < p)
                ++i;
            while (p < a[j])
                --j;
            if (i <= j) {
                float t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (j - lo < hi - i) {
            quicksort(a, lo, j);
            lo = i;
        } else {
            quicksort(a, i, hi);
            hi = j;
        }
    }
}

struct Tree { Tree *left, *right; int key; };

__device__ __noinline__ bool is_even(unsigned n);
__device__ __noinline__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }

__device__ __noinline__ int depth(const Tree *t) {
    if (!t)
        return 0;
    int l = depth(t->left), r = depth(t->right);
    return 1 + (l > r ? l : r);
}

__device__ __noinline__ bool queens(int n, int row, unsigned columns, unsigned down, unsigned up, int &count) {
    if (row == n) {
        ++count;
        return true;
    }
    bool any = false;
    for (int c = 0; c < n; ++c) {
        unsigned bit = 1u << c, d = 1u << (row + c), u = 1u << (row - c + n);
        if (!(columns & bit) && !(down & d) && !(up & u))
            any |= queens(n, row + 1, columns | bit, down | d, up | u, count);
    }
    return any;
}

extern "C" __global__ void recurse(unsigned long long *out, float *data, const Tree *tree, int n) {
    int i = threadIdx.x, count = 0;
    float local[16];
    for (int k = 0; k < 16; ++k)
        local[(k * n) & 15] = data[i * 16 + k];
    quicksort(local, 0, 15);
    for (int k = 0; k < 16; ++k)
        data[i * 16 + k] = local[k];
    bool found = queens(6, 0, 0, 0, 0, count);
    out[i] = fibonacci(n) + ackermann(2, n) + is_even(n) + depth(tree) + count + found;
}
