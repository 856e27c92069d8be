// Locks of CUDA's own atomics and fences, with what they guard written through volatile.
// make: nvcc 90
// run: --kernel spin_lock --grid 16 --block 32 --arg u32[1]=0 --arg u64[2]=0 --arg u32=1
// run: --kernel lock_of_leaders --grid 132 --block 128 --arg u32[1]=0 --arg u64[2]=0 --arg u32=4
// run: --kernel many_locks --grid 132 --block 64 --arg u32[256]=0 --arg u64[512]=0 --arg u32=4
// run: --kernel ticket_lock --grid 32 --block 32 --arg u32[2]=0 --arg u64[2]=0 --arg u32=1
// run: --kernel lock_in_shared --grid 132 --block 128 --arg u64[264]=0 --arg u32=4
// run: --kernel sequence_lock --grid 64 --block 64 --arg u32[1]=0 --arg u64[2]=0 --arg u32[1]=0 --arg u32=16

__device__ unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ void account(volatile unsigned long long *pair, unsigned by) {
    pair[0] = pair[0] + by;
    pair[1] = pair[1] + 2 * by;
}

extern "C" __global__ void spin_lock(unsigned *lock, unsigned long long *pair, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        account(pair, rank() + r);
        __threadfence();
        atomicExch(lock, 0);
    }
}

// One thread of a block takes the lock for all.
extern "C" __global__ void lock_of_leaders(unsigned *lock, unsigned long long *pair, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        if (threadIdx.x == 0) {
            while (atomicCAS(lock, 0, 1) != 0)
                __nanosleep(50);
            __threadfence();
        }
        __syncthreads();
        if (threadIdx.x < 2)
            ((volatile unsigned long long *)pair)[threadIdx.x] = ((volatile unsigned long long *)pair)[threadIdx.x] + r + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(lock, 0);
        }
    }
}

extern "C" __global__ void many_locks(unsigned *locks, unsigned long long *pairs, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned which = (rank() * 2654435761u + r * 40503u) >> 24;
        bool done = false;
        while (!done) {
            if (atomicExch(&locks[which], 1) == 0) {
                __threadfence();
                account(&pairs[2 * which], rank() + r);
                __threadfence();
                atomicExch(&locks[which], 0);
                done = true;
            }
        }
    }
}

// lock[0] is the next ticket, lock[1] the one being served.
extern "C" __global__ void ticket_lock(unsigned *lock, unsigned long long *pair, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned mine = atomicAdd(&lock[0], 1);
        while (((volatile unsigned *)lock)[1] != mine)
            ;
        __threadfence();
        account(pair, rank() + r);
        __threadfence();
        atomicAdd(&lock[1], 1);
    }
}

extern "C" __global__ void lock_in_shared(unsigned long long *pairs, unsigned rounds) {
    __shared__ unsigned lock;
    __shared__ unsigned long long pair[2];
    if (threadIdx.x == 0)
        lock = 0, pair[0] = 0, pair[1] = 0;
    __syncthreads();
    for (unsigned r = 0; r < rounds; ++r) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
        account(pair, threadIdx.x + r);
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x < 2)
        pairs[2 * blockIdx.x + threadIdx.x] = pair[threadIdx.x];
}

// One writer, many readers that try again; torn pairs are counted, and there are none.
extern "C" __global__ void sequence_lock(unsigned *sequence, unsigned long long *pair, unsigned *torn, unsigned rounds) {
    volatile unsigned *number = sequence;
    volatile unsigned long long *words = pair;
    if (rank() == 0) {
        for (unsigned r = 0; r < rounds; ++r) {
            atomicAdd(sequence, 1);
            __threadfence();
            account(pair, r + 1);
            __threadfence();
            atomicAdd(sequence, 1);
        }
    } else if (threadIdx.x >= 32) {
        for (unsigned r = 0; r < rounds; ++r) {
            unsigned before, after;
            unsigned long long a, b;
            do {
                before = *number;
                __threadfence();
                a = words[0], b = words[1];
                __threadfence();
                after = *number;
            } while (before != after || before % 2);
            if (b != 2 * a)
                atomicAdd(torn, 1);
        }
    }
}
