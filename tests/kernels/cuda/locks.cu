// Critical sections: a spin lock, a ticket lock, a queue lock, a lock for readers and writers.
// make: nvcc 90
// run: --kernel spin_lock --grid 2 --block 32 --arg u32[1]=0 --arg u64[2]=0 --arg u32=3 --print 1
// run: --kernel spin_lock --grid 4 --block 7 --arg u32[1]=0 --arg u64[2]=0 --arg u32=5 --print 1
// run: --kernel spin_lock --grid 1 --block 100 --arg u32[1]=0 --arg u64[2]=0 --arg u32=1 --print 1
// run: --kernel ticket_lock --grid 4 --block 1 --arg u32[2]=0 --arg u64[2]=0 --arg u32=10 --print 0 --print 1
// run: --kernel ticket_lock --grid 2 --block 20 --arg u32[2]=0 --arg u64[2]=0 --arg u32=3 --print 0 --print 1
// run: --kernel ticket_lock --grid 1 --block 4,4,3 --arg u32[2]=0 --arg u64[2]=0 --arg u32=2 --print 0 --print 1
// run: --kernel queue_lock --grid 4 --block 4 --arg u64[2]=0 --arg u32=4 --print 0
// run: --kernel queue_lock --grid 1 --block 40 --arg u64[2]=0 --arg u32=2 --print 0
// run: --kernel queue_lock --grid 8 --block 1 --arg u64[2]=0 --arg u32=12 --print 0
// run: --kernel readers_writers --grid 4 --block 8 --arg s32[1]=0 --arg u64[2]=0 --arg u32[1]=0 --arg u32=4 --print 1 --print 2
// run: --kernel readers_writers --grid 2 --block 33 --arg s32[1]=0 --arg u64[2]=0 --arg u32[1]=0 --arg u32=2 --print 1 --print 2
// run: --kernel readers_writers --grid 1 --block 64 --arg s32[1]=0 --arg u64[2]=0 --arg u32[1]=0 --arg u32=3 --print 1 --print 2
#include <cuda/atomic>

__device__ unsigned rank_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

// What the lock protects: two plain words that must change together.
__device__ void account(volatile unsigned long long *pair, unsigned by) {
    pair[0] = pair[0] + by;
    pair[1] = pair[1] + 2 * by;
}

extern "C" __global__ void spin_lock(unsigned *lock, unsigned long long *pair, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        account(pair, rank_in_grid() + r);
        __threadfence();
        atomicExch(lock, 0);
    }
}

// lock[0] is the next ticket, lock[1] the one being served.
extern "C" __global__ void ticket_lock(unsigned *lock, unsigned long long *pair, unsigned rounds) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(lock[0]), serving(lock[1]);
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned mine = next.fetch_add(1, cuda::memory_order_relaxed);
        while (serving.load(cuda::memory_order_acquire) != mine)
            __nanosleep(20);
        account(pair, rank_in_grid() + r);
        serving.store(mine + 1, cuda::memory_order_release);
    }
}

struct Waiter {
    Waiter *next;
    unsigned waits;
};
__device__ Waiter waiters[1024];
__device__ Waiter *last_waiter;

// Each thread spins on a word of its own, which the one before it clears.
extern "C" __global__ void queue_lock(unsigned long long *pair, unsigned rounds) {
    using Link = cuda::atomic_ref<Waiter *, cuda::thread_scope_device>;
    using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
    Waiter *own = &waiters[rank_in_grid()];
    for (unsigned r = 0; r < rounds; ++r) {
        Link(own->next).store(nullptr, cuda::memory_order_relaxed);
        Flag(own->waits).store(1, cuda::memory_order_relaxed);
        Waiter *before = Link(last_waiter).exchange(own, cuda::memory_order_acq_rel);
        if (before) {
            Link(before->next).store(own, cuda::memory_order_release);
            while (Flag(own->waits).load(cuda::memory_order_acquire))
                ;
        }
        account(pair, rank_in_grid() * 3 + r);
        Waiter *expected = own;
        if (!Link(last_waiter).compare_exchange_strong(expected, nullptr, cuda::memory_order_acq_rel)) {
            Waiter *after;
            while (!(after = Link(own->next).load(cuda::memory_order_acquire)))
                ;
            Flag(after->waits).store(0, cuda::memory_order_release);
        }
    }
}

// state: -1 while someone writes, else the number of readers. Every fourth thread writes.
extern "C" __global__ void readers_writers(int *state, unsigned long long *pair, unsigned *torn, unsigned rounds) {
    cuda::atomic_ref<int, cuda::thread_scope_device> lock(*state);
    bool writes = rank_in_grid() % 4 == 0;
    volatile unsigned long long *words = pair;
    for (unsigned r = 0; r < rounds; ++r) {
        for (;;) {
            int seen = writes ? 0 : lock.load(cuda::memory_order_relaxed);
            if (seen >= 0 && lock.compare_exchange_weak(seen, writes ? -1 : seen + 1, cuda::memory_order_acquire))
                break;
        }
        if (writes) {
            account(pair, r + 1);
            lock.store(0, cuda::memory_order_release);
        } else {
            if (words[1] != 2 * words[0])
                atomicAdd(torn, 1);
            lock.fetch_sub(1, cuda::memory_order_release);
        }
    }
}
