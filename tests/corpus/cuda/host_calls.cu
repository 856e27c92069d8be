// Calls into the device's run-time: printf, malloc, free, assert, trap, clocks, brkpt.
// make: nvcc 75 86 100a
// make: nvrtc 60 70
// make: clang 80
#ifdef __CUDACC_RTC__
#define assert(x) do { if (!(x)) __assertfail(#x, __FILE__, __LINE__, __func__, 1); } while (0)
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
#else
#include <assert.h>
#include <stdio.h>
#endif

struct Cell { Cell *next; int value; };

extern "C" __global__ void print(const char *name, double x, long long n, unsigned char c) {
    printf("thread %d of %s: %f %lld %c\n", threadIdx.x, name, x, n, c);
    if (n < 0)
        printf("no arguments\n");
    printf("%p %u %hd %e %s\n", (void *)name, blockIdx.x, (short)n, (double)(float)x, "text with \"quotes\" and \t tab");
}

extern "C" __global__ void lists(Cell **heads, int n) {
    Cell *head = nullptr;
    for (int i = 0; i < n; ++i) {
        Cell *c = (Cell *)malloc(sizeof(Cell));
        assert(c != nullptr);
        c->next = head;
        c->value = i;
        head = c;
    }
    heads[threadIdx.x] = head;
    while (n > 4 && head) {
        Cell *next = head->next;
        free(head);
        head = next;
    }
    int *a = new int[n];
    a[n - 1] = 3;
    delete[] a;
}

extern "C" __global__ void checks(int *d, long long *t) {
    long long start = clock64();
    int v = d[threadIdx.x];
    assert(v >= 0 && "negative");
    if (v == 12345)
        __trap();
    if (v == 54321)
        asm volatile("brkpt;");
    if (v == 99)
        asm volatile("exit;");
    if (v == 98)
        __builtin_unreachable();
    t[threadIdx.x] = clock64() - start + clock();
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    t[threadIdx.x + 1] = ns;
    asm volatile("pmevent 3;");
    asm volatile("pmevent.mask 5;");
}
