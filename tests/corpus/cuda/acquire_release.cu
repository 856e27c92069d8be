// libcu++ atomics: message passing, a bounded queue, Dekker's flags, at every scope and order.
// make: nvcc 75 80 90a 100a 120
// make: nvrtc 60 70
#include <cuda/atomic>

template <cuda::thread_scope S> __device__ void message_passing(int *data, int *flag, int *out) {
    cuda::atomic_ref<int, S> f(*flag);
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0)
            f.store(1, cuda::std::memory_order_release);
    } else {
        if (threadIdx.x == 0)
            while (f.load(cuda::std::memory_order_acquire) == 0)
                ;
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x];
    }
}

extern "C" __global__ void message_block(int *d, int *f, int *o) { message_passing<cuda::thread_scope_block>(d, f, o); }
extern "C" __global__ void message_device(int *d, int *f, int *o) { message_passing<cuda::thread_scope_device>(d, f, o); }
extern "C" __global__ void message_system(int *d, int *f, int *o) { message_passing<cuda::thread_scope_system>(d, f, o); }

struct Queue {
    cuda::atomic<unsigned, cuda::thread_scope_device> head, tail;
    int slots[256];
};

extern "C" __global__ void queue(Queue *q, int *out, int n) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        for (int i = 0; i < n; ++i) {
            unsigned t = q->tail.load(cuda::std::memory_order_relaxed);
            while (t - q->head.load(cuda::std::memory_order_acquire) == 256)
                ;
            q->slots[t % 256] = i;
            q->tail.store(t + 1, cuda::std::memory_order_release);
        }
    } else {
        for (int i = 0; i < n; ++i) {
            unsigned h = q->head.load(cuda::std::memory_order_relaxed);
            while (q->tail.load(cuda::std::memory_order_acquire) == h)
                ;
            out[i] = q->slots[h % 256];
            q->head.store(h + 1, cuda::std::memory_order_release);
        }
    }
}

extern "C" __global__ void dekker(int *flags, int *critical) {
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[blockIdx.x]), other(flags[1 - blockIdx.x]);
    mine.store(1, cuda::std::memory_order_seq_cst);
    if (other.load(cuda::std::memory_order_seq_cst) == 0)
        critical[blockIdx.x] = 1;
    cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_device);
    cuda::atomic_thread_fence(cuda::std::memory_order_acq_rel, cuda::thread_scope_system);
    cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_block);
}

extern "C" __global__ void operations(unsigned *u, unsigned long long *l, float *f, signed char *c, short *s) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> a(*u);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> b(*l);
    cuda::atomic_ref<float, cuda::thread_scope_block> g(*f);
    cuda::atomic_ref<signed char, cuda::thread_scope_device> d(*c);
    cuda::atomic_ref<short, cuda::thread_scope_device> e(*s);
    unsigned x = a.fetch_add(3, cuda::std::memory_order_acq_rel);
    x ^= a.fetch_and(7, cuda::std::memory_order_acquire) ^ a.fetch_or(8, cuda::std::memory_order_release);
    x ^= a.fetch_xor(x, cuda::std::memory_order_seq_cst) ^ a.exchange(x, cuda::std::memory_order_relaxed);
    a.fetch_max(x, cuda::std::memory_order_relaxed);
    a.fetch_min(x, cuda::std::memory_order_acq_rel);
    unsigned long long y = b.fetch_sub(x);
    b.compare_exchange_strong(y, y + 1, cuda::std::memory_order_acq_rel, cuda::std::memory_order_acquire);
    g.fetch_add(1.5f, cuda::std::memory_order_relaxed);
    d.fetch_add(1, cuda::std::memory_order_acquire);
    short z = 0;
    e.compare_exchange_weak(z, (short)y, cuda::std::memory_order_release, cuda::std::memory_order_relaxed);
}
