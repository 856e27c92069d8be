#include "check.h"
#include <cuda/atomic>
#include <cuda/barrier>
// A lock, a counter and a barrier of the C++ library.
__global__ void count(unsigned *lock, unsigned long long *plain, double *sum, unsigned *order) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> taken(*lock);
    cuda::atomic_ref<double, cuda::thread_scope_device> total(*sum);
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ __align__(alignof(Barrier)) char storage[sizeof(Barrier)];
    Barrier &meet = *reinterpret_cast<Barrier *>(storage);
    __shared__ unsigned arrived;
    if (threadIdx.x == 0) {
        init(&meet, blockDim.x);
        arrived = 0;
    }
    __syncthreads();
    total.fetch_add(0.5);
    for (bool done = false; !done;) {
        unsigned free = 0;
        if (taken.compare_exchange_weak(free, 1u, cuda::memory_order_acquire)) {
            *plain += threadIdx.x;
            taken.store(0u, cuda::memory_order_release);
            done = true;
        }
    }
    atomicInc(&arrived, 0xffffffff);
    meet.arrive_and_wait();
    if (threadIdx.x == 0) order[blockIdx.x] = arrived;
}
int main() {
    unsigned blocks = 8, threads = 96;
    Buffer<unsigned> lock(1), order(blocks);
    Buffer<unsigned long long> plain(1);
    Buffer<double> sum(1);
    count<<<blocks, threads>>>(lock.data, plain.data, sum.data, order.data);
    finish();
    expect("under the lock", plain[0], (unsigned long long)blocks * threads * (threads - 1) / 2);
    expect("added", sum[0], 0.5 * blocks * threads);
    for (unsigned i = 0; i < blocks; i++) expect("arrived", order[i], threads);
    std::puts("ok");
}
