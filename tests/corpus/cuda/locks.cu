// Locks: test-and-set, ticket, MCS queue, reader-writer, and a seqlock.
// make: nvcc 75 80 90a 120
// make: nvrtc 60 70
// make: clang 75 86

struct SpinLock {
    int held;
    __device__ void lock() {
        while (atomicCAS(&held, 0, 1) != 0)
#if __CUDA_ARCH__ >= 700
            __nanosleep(64);
#else
            ;
#endif
        __threadfence();
    }
    __device__ void unlock() {
        __threadfence();
        atomicExch(&held, 0);
    }
};

struct TicketLock {
    unsigned next;
    volatile unsigned serving;
    __device__ void lock() {
        unsigned mine = atomicAdd(&next, 1u);
        while (serving != mine)
            ;
        __threadfence();
    }
    __device__ void unlock() {
        __threadfence();
        serving = serving + 1;
    }
};

struct Node { Node *next; int waiting; };
__device__ Node *tail;

__device__ void mcs_lock(Node *me) {
    me->next = nullptr;
    me->waiting = 1;
    Node *before = (Node *)atomicExch((unsigned long long *)&tail, (unsigned long long)me);
    if (before) {
        *(Node *volatile *)&before->next = me;
        while (*(volatile int *)&me->waiting)
            ;
    }
    __threadfence();
}

__device__ void mcs_unlock(Node *me) {
    __threadfence();
    if (!*(Node *volatile *)&me->next) {
        if (atomicCAS((unsigned long long *)&tail, (unsigned long long)me, 0ull) == (unsigned long long)me)
            return;
        while (!*(Node *volatile *)&me->next)
            ;
    }
    *(volatile int *)&me->next->waiting = 0;
}

__device__ SpinLock spin;
__device__ TicketLock ticket;
__device__ int readers;

extern "C" __global__ void locks(int *counter, Node *nodes) {
    int lane = threadIdx.x & 31;
    for (int i = 0; i < 32; ++i)
        if (lane == i) {
            spin.lock();
            *(volatile int *)counter = *counter + 1;
            spin.unlock();
        }
    if (lane == 0) {
        ticket.lock();
        counter[1]++;
        ticket.unlock();
        Node *me = &nodes[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32];
        mcs_lock(me);
        counter[2]++;
        mcs_unlock(me);
    }
}

extern "C" __global__ void reader_writer(const int *data, int *out, int writer) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == writer) {
            while (atomicCAS(&readers, 0, -1) != 0)
                ;
            __threadfence();
            ((volatile int *)data)[0] += 1;
            __threadfence();
            atomicExch(&readers, 0);
        } else {
            int n;
            do
                n = *(volatile int *)&readers;
            while (n < 0 || atomicCAS(&readers, n, n + 1) != n);
            out[blockIdx.x] = ((volatile const int *)data)[0];
            __threadfence();
            atomicSub(&readers, 1);
        }
    }
}

extern "C" __global__ void seqlock(volatile unsigned *seq, volatile int2 *value, int2 *out) {
    unsigned before, after;
    int2 v;
    do {
        before = *seq;
        __threadfence();
        v.x = value->x;
        v.y = value->y;
        __threadfence();
        after = *seq;
    } while ((before & 1) || before != after);
    out[threadIdx.x] = v;
}
