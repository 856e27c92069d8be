// Functions that call themselves: a stack for each thread.
// make: nvcc 90
// run: --kernel fibonacci --grid 1 --block 16 --arg u32[16]=0 --arg u32=0 --print 0
// run: --kernel fibonacci --grid 2 --block 5 --arg u32[10]=0 --arg u32=8 --print 0
// run: --kernel fibonacci --grid 1 --block 3,3 --arg u32[9]=0 --arg u32=5 --print 0
// run: --kernel ackermann --grid 1 --block 12 --arg u32[12]=0 --print 0
// run: --kernel ackermann --grid 2 --block 6 --arg u32[12]=0 --print 0
// run: --kernel ackermann --grid 3 --block 2,2 --arg u32[12]=0 --print 0
// run: --kernel quicksort --grid 1 --block 4 --arg s32[200]=random:1 --arg u32=50 --print 0:16
// run: --kernel quicksort --grid 3 --block 33 --arg s32[1980]=random:2 --arg u32=20 --print 0:16
// run: --kernel quicksort --grid 1 --block 1 --arg s32[150]=random:3 --arg u32=150 --print 0:16
// run: --kernel hanoi --grid 1 --block 8 --arg u64[8]=0 --arg u32[8]=0 --print 0 --print 1
// run: --kernel hanoi --grid 2 --block 3 --arg u64[6]=0 --arg u32[6]=0 --print 0 --print 1
// run: --kernel hanoi --grid 1 --block 2,2,2 --arg u64[8]=0 --arg u32[8]=0 --print 0 --print 1
// run: --kernel even_odd --grid 1 --block 40 --arg u32[40]=random:4 --arg u32[40]=0 --print 1:16
// run: --kernel even_odd --grid 2 --block 16 --arg u32[32]=iota --arg u32[32]=0 --print 1:16
// run: --kernel even_odd --grid 1 --block 1 --arg u32[1]=47 --arg u32[1]=0 --print 1

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

extern "C" __global__ void fibonacci(unsigned *out, unsigned first) {
    unsigned i = thread_in_grid();
    out[i] = fib(first + i % 8);
}

__device__ __noinline__ unsigned ack(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}

extern "C" __global__ void ackermann(unsigned *out) {
    unsigned i = thread_in_grid();
    out[i] = ack(i / 4 % 3, i % 4);
}

__device__ __noinline__ void sort(int *first, int *last) {
    if (last - first < 2)
        return;
    int pivot = first[(last - first) / 2], *a = first, *b = last - 1;
    while (a <= b) {
        while (*a < pivot)
            ++a;
        while (*b > pivot)
            --b;
        if (a <= b) {
            int swap = *a;
            *a++ = *b;
            *b-- = swap;
        }
    }
    sort(first, b + 1);
    sort(a, last);
}

extern "C" __global__ void quicksort(int *data, unsigned each) {
    int *mine = data + thread_in_grid() * each;
    sort(mine, mine + each);
}

// The pegs are in the caller's frame, and everyone below changes them.
__device__ __noinline__ void move(unsigned n, int from, int to, unsigned *pegs, unsigned long long *trace) {
    if (n == 0)
        return;
    move(n - 1, from, 3 - from - to, pegs, trace);
    pegs[from] ^= 1u << n;
    pegs[to] ^= 1u << n;
    *trace = *trace * 31 + from * 3 + to;
    move(n - 1, 3 - from - to, to, pegs, trace);
}

extern "C" __global__ void hanoi(unsigned long long *traces, unsigned *last_peg) {
    unsigned i = thread_in_grid(), n = i % 6 + 1, pegs[3] = {(2u << n) - 2, 0, 0};
    unsigned long long trace = 0;
    move(n, 0, 2, pegs, &trace);
    traces[i] = trace;
    last_peg[i] = pegs[2];
}

__device__ bool is_odd(unsigned n, unsigned depth);
__device__ __noinline__ bool is_even(unsigned n, unsigned depth) { return n == 0 ? depth % 2 == 0 : is_odd(n - 1, depth + 1); }
__device__ __noinline__ bool is_odd(unsigned n, unsigned depth) { return n == 0 ? depth % 2 == 1 : is_even(n - 1, depth + 1); }

extern "C" __global__ void even_odd(const unsigned *in, unsigned *out) {
    unsigned i = thread_in_grid(), n = in[i] % 24;
    out[i] = is_even(n, 0) | is_odd(n, n) << 1 | n << 8;
}
