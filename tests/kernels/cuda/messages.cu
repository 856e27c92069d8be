// Threads that hand values to each other with acquire and release, in other blocks and in their own.
// make: nvcc 90
// run: --kernel ring_buffer --grid 2 --block 32 --arg u64[8]=0 --arg u32[2]=0 --arg u32[64]=0 --arg u32=64 --print 2:16
// run: --kernel ring_buffer --grid 2 --block 1 --arg u64[8]=0 --arg u32[2]=0 --arg u32[20]=0 --arg u32=20 --print 2:16
// run: --kernel ring_buffer --grid 3 --block 48 --arg u64[8]=0 --arg u32[2]=0 --arg u32[33]=0 --arg u32=33 --print 2:16
// run: --kernel baton --grid 4 --block 32 --arg u32[1]=0 --arg u32[128]=0 --arg u32[2]=1,0 --arg u32=2 --print 1:16 --print 2
// run: --kernel baton --grid 1 --block 65 --arg u32[1]=0 --arg u32[65]=0 --arg u32[2]=1,0 --arg u32=3 --print 1:16 --print 2
// run: --kernel baton --grid 3 --block 3,5 --arg u32[1]=0 --arg u32[45]=0 --arg u32[2]=1,0 --arg u32=1 --print 1:16 --print 2
// run: --kernel sequence_lock --grid 3 --block 32 --arg u32[1]=0 --arg u32[4]=0 --arg u32[1]=0 --arg u32[1]=0 --arg u32=10 --print 0 --print 1 --print 2 --print 3
// run: --kernel sequence_lock --grid 2 --block 5 --arg u32[1]=0 --arg u32[4]=0 --arg u32[1]=0 --arg u32[1]=0 --arg u32=30 --print 0 --print 1 --print 2 --print 3
// run: --kernel sequence_lock --grid 4 --block 33 --arg u32[1]=0 --arg u32[4]=0 --arg u32[1]=0 --arg u32[1]=0 --arg u32=4 --print 0 --print 1 --print 2 --print 3
// run: --kernel last_block --grid 4 --block 64 --arg u32[512]=random:1 --arg u32[4]=0 --arg u32[1]=0 --arg u32[1]=0 --arg u32=512 --print 1 --print 2
// run: --kernel last_block --grid 9 --block 32 --arg u32[1000]=iota --arg u32[9]=0 --arg u32[1]=0 --arg u32[1]=0 --arg u32=1000 --print 1 --print 2
// run: --kernel last_block --grid 1 --block 100 --arg u32[100]=random:2 --arg u32[1]=0 --arg u32[1]=0 --arg u32[1]=0 --arg u32=100 --print 1 --print 2
// run: --kernel fence_messages --grid 2 --block 1 --arg u32[4]=0 --arg u32[4]=0 --print 1
// run: --kernel fence_messages --grid 4 --block 2 --arg u32[16]=0 --arg u32[16]=0 --print 1
// run: --kernel fence_messages --grid 6 --block 33 --arg u32[396]=0 --arg u32[396]=0 --print 1:16
#include <cuda/atomic>

// The first thread of block 0 sends, the first of block 1 receives. places[0]: sent, places[1]: received.
extern "C" __global__ void ring_buffer(unsigned long long *slots, unsigned *places, unsigned *out, unsigned count) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> sent(places[0]), received(places[1]);
    if (threadIdx.x != 0 || blockIdx.x > 1)
        return;
    for (unsigned i = 0; i < count; ++i)
        if (blockIdx.x == 0) {
            while (i - received.load(cuda::memory_order_acquire) >= 8)
                ;
            slots[i % 8] = (unsigned long long)i * i << 32 | i;
            sent.store(i + 1, cuda::memory_order_release);
        } else {
            while (sent.load(cuda::memory_order_acquire) == i)
                ;
            unsigned long long value = slots[i % 8];
            out[i] = (unsigned)(value >> 32) + (unsigned)value;
            received.store(i + 1, cuda::memory_order_release);
        }
}

// A plain word goes around all threads of the grid in order; each changes it in a way of its own.
extern "C" __global__ void baton(unsigned *turn, unsigned *seen, unsigned *word, unsigned rounds) {
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
    unsigned rank = blockIdx.x * size + t, all = gridDim.x * size;
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned now;
        do
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(turn) : "memory");
        while (now != r * all + rank);
        word[0] = word[0] * 1664525 + rank;
        word[1] ^= word[0];
        seen[rank] = word[0];
        asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(turn), "r"(now + 1) : "memory");
    }
}

// One writer, many readers that never write: a reader tries again when the number changed or was odd.
extern "C" __global__ void sequence_lock(unsigned *number, unsigned *data, unsigned *torn, unsigned *finished,
                                         unsigned versions) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> sequence(*number);
    auto word = [&](int i) { return cuda::atomic_ref<unsigned, cuda::thread_scope_device>(data[i]); };
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            for (unsigned v = 1; v <= versions; ++v) {
                sequence.store(2 * v - 1, cuda::memory_order_relaxed);
                cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
                for (int i = 0; i < 4; ++i)
                    word(i).store(v * (i + 1), cuda::memory_order_relaxed);
                sequence.store(2 * v, cuda::memory_order_release);
            }
        return;
    }
    unsigned first;
    do {
        unsigned values[4];
        first = sequence.load(cuda::memory_order_acquire);
        for (int i = 0; i < 4; ++i)
            values[i] = word(i).load(cuda::memory_order_relaxed);
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        if (first % 2 || sequence.load(cuda::memory_order_relaxed) != first) {
            first = 0;
            continue;
        }
        for (int i = 0; i < 4; ++i)
            if (values[i] != first / 2 * (i + 1))
                atomicAdd(torn, 1);
    } while (first != 2 * versions);
    atomicAdd(finished, 1);
}

// The block that finishes last adds up what all have written.
extern "C" __global__ void last_block(const unsigned *in, unsigned *parts, unsigned *total, unsigned *done,
                                      unsigned count) {
    __shared__ unsigned sum;
    __shared__ bool last;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(total, ((volatile unsigned *)parts)[i]);
    }
}

// Pairs of blocks; a thread of one sends a plain word to the same thread of the other, with a fence and a relaxed flag.
extern "C" __global__ void fence_messages(unsigned *mail, unsigned *out) {
    unsigned i = (blockIdx.x / 2 * blockDim.x + threadIdx.x) * 2;
    if (blockIdx.x % 2 == 0) {
        mail[i] = i * 7 + 1;
        asm volatile("fence.acq_rel.gpu; st.relaxed.gpu.u32 [%0], 1;" ::"l"(&mail[i + 1]) : "memory");
    } else {
        unsigned flag;
        do
            asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(flag) : "l"(&mail[i + 1]) : "memory");
        while (flag == 0);
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        out[i] = mail[i];
        out[i + 1] = flag;
    }
}
