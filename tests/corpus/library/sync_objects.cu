// libcu++ synchronisation objects: barrier, latch, semaphores, pipeline, wait and notify.
// make: nvcc 75 80 90a 100a 120
// make: nvrtc 70
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

template <cuda::thread_scope S> __device__ void use(cuda::barrier<S> *b, cuda::latch<S> *l, cuda::counting_semaphore<S> *s, int *d) {
    auto token = b->arrive();
    d[threadIdx.x] = 1;
    b->wait(cuda::std::move(token));
    b->arrive_and_wait();
    b->arrive_and_drop();
    l->count_down();
    l->wait();
    s->acquire();
    d[0]++;
    s->release(2);
    if (s->try_acquire())
        d[1]++;
}
extern "C" __global__ void on_device(cuda::barrier<cuda::thread_scope_device> *b, cuda::latch<cuda::thread_scope_device> *l, cuda::counting_semaphore<cuda::thread_scope_device> *s, int *d) { use(b, l, s, d); }
extern "C" __global__ void on_system(cuda::barrier<cuda::thread_scope_system> *b, cuda::latch<cuda::thread_scope_system> *l, cuda::counting_semaphore<cuda::thread_scope_system> *s, int *d) { use(b, l, s, d); }
extern "C" __global__ void in_block(int *d) {
    __shared__ char b[sizeof(cuda::barrier<cuda::thread_scope_block>)] __attribute__((aligned(8)));
    auto *bar = (cuda::barrier<cuda::thread_scope_block> *)b;
    if (threadIdx.x == 0)
        init(bar, blockDim.x);
    __syncthreads();
    bar->arrive_and_wait();
    d[threadIdx.x] = bar->try_wait_for(bar->arrive(), cuda::std::chrono::nanoseconds(100));
}
extern "C" __global__ void waiting(cuda::atomic<int, cuda::thread_scope_device> *a, int *d) {
    a->wait(0, cuda::std::memory_order_acquire);
    d[0] = a->load(cuda::std::memory_order_relaxed);
    a->store(0);
    a->notify_all();
    while (!a->is_lock_free())
        ;
}
