// Queues and stacks between threads. Who gets what depends on the order, so only sums are written out.
// make: nvcc 90
// run: --kernel ring --grid 128 --block 64 --arg u64[2]=0 --arg u32=8
// run: --kernel wrapping_tickets --grid 132 --block 256 --arg u32[1024]=0 --arg u32=16
// run: --kernel work_queue --grid 132 --block 128 --arg u64[1]=0 --arg u32=65536
// run: --kernel stack --grid 8 --block 32 --arg u64[2]=0 --arg u32=4

#define SLOTS 4096
// A slot may be written in turn `at` when turns[at] is 2 * lap, and read when it is 2 * lap + 1.
__device__ unsigned turns[SLOTS], values[SLOTS], tail, head;

// Half of the blocks push and half of them pop, each thread as many times.
extern "C" __global__ void ring(unsigned long long *sums, unsigned rounds) {
    unsigned long long sum = 0;
    bool pushes = blockIdx.x % 2 == 0;
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned ticket = atomicAdd(pushes ? &tail : &head, 1), at = ticket % SLOTS;
        unsigned turn = ticket / SLOTS * 2 + !pushes;
        while (*(volatile unsigned *)&turns[at] != turn)
            ;
        __threadfence();
        if (pushes)
            values[at] = blockIdx.x * blockDim.x + threadIdx.x + r;
        else
            sum += *(volatile unsigned *)&values[at];
        __threadfence();
        atomicExch(&turns[at], turn + 1);
    }
    if (!pushes)
        atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], 1);
}

__device__ unsigned next_ticket;

// Tickets that go round by themselves: every slot is drawn equally often.
extern "C" __global__ void wrapping_tickets(unsigned *drawn, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r)
        atomicAdd(&drawn[atomicInc(&next_ticket, 1023)], 1);
}

__device__ unsigned next_item, blocks_done;

// Blocks fetch work until there is none; the last to finish sets the queue back.
extern "C" __global__ void work_queue(unsigned long long *sum, unsigned items) {
    __shared__ unsigned base;
    unsigned long long mine = 0;
    for (;;) {
        if (threadIdx.x == 0)
            base = atomicAdd(&next_item, blockDim.x);
        __syncthreads();
        unsigned item = base + threadIdx.x;
        if (base >= items)
            break;
        unsigned x = item;
        for (unsigned i = item % 61; i; --i)
            x = x * 1664525 + 1013904223;
        mine += item < items ? x >> 8 : 0;
        __syncthreads();
    }
    atomicAdd(sum, mine);
    __syncthreads();
    if (threadIdx.x == 0 && atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1)
        atomicExch(&next_item, 0);
}

#define NODES 65536
// The first node in the low half, and how often it changed in the high half.
__device__ unsigned long long top = 0xffffffff;
__device__ unsigned below[NODES];

__device__ void push(unsigned node) {
    unsigned long long seen = *(volatile unsigned long long *)&top, assumed;
    do {
        assumed = seen;
        *(volatile unsigned *)&below[node] = (unsigned)assumed;
        __threadfence();
        seen = atomicCAS(&top, assumed, ((assumed >> 32) + 1) << 32 | node);
    } while (seen != assumed);
}

__device__ unsigned pop() {
    unsigned long long seen = *(volatile unsigned long long *)&top, assumed;
    do {
        assumed = seen;
        if ((unsigned)assumed == 0xffffffff)
            return 0xffffffff;
        __threadfence();
        unsigned next = *(volatile unsigned *)&below[(unsigned)assumed];
        seen = atomicCAS(&top, assumed, ((assumed >> 32) + 1) << 32 | next);
    } while (seen != assumed);
    return (unsigned)seen;
}

// Every thread pushes its nodes and pops as many: it finds one each time, though not its own.
extern "C" __global__ void stack(unsigned long long *sums, unsigned rounds) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long sum = 0;
    unsigned number = 0;
    for (unsigned r = 0; r < rounds; ++r)
        push(thread * rounds + r);
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned node = pop();
        number += node != 0xffffffff;
        sum += node;
    }
    atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], (unsigned long long)number);
}
