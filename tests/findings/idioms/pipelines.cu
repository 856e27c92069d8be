// Idioms of CUDA, right with W=0 and in wrong variants with W=1, W=2 ...: see crates/sim/tests/all/idioms.rs.
//
// nvcc -ptx -w -arch=sm_90 -std=c++17 -DW=$W -I TOOLKIT/include/cccl -o NAME$W.ptx NAME.cu
// idiom: tma W0722 W0737 W0737 W0737 W0742
// run: --kernel tma --grid 1 --block 64 --arg s32[320]=iota --arg s32[320]=0 --arg s32=5
// idiom: tma_out W0738 W0737 W0737 W0737 W0737
// run: --kernel tma_out --grid 1 --block 64 --arg s32[256]=0 --expect 0:s32[256]=iota
// idiom: cpipe W0731 W0740
// run: --kernel cpipe --grid 1 --block 64 --arg s32[320]=iota --arg s32[320]=0 --arg s32=5
// idiom: cgm W0731 W0737
// run: --kernel cgm --grid 1 --block 64 --arg s32[64]=iota --arg s32[64]=0
// idiom: dekker 
// run: --kernel dekker --grid 2 --block 32 --arg s32[2]=0 --arg s32[1]=0
// idiom: latch W0726 W0731 W0731
// run: --kernel latch --grid 1 --block 64 --arg s32[64]=0
// idiom: semk W0740
// run: --kernel semk --grid 4 --block 32 --arg s32[1]=0 --expect 0:=8
// idiom: rwlock W0740 W0740 W0740
// run: --kernel rwlock --grid 6 --block 32 --arg s32[2]=0 --arg s32[6]=0 --expect 1:=0
// idiom: exitk W0734
// run: --kernel exitk --grid 2 --block 32 --arg s32[32]=0
// idiom: clsplit W0740 W0734
// run: --kernel clsplit --grid 2 --block 32 --arg s32[64]=0
// idiom: coal W0740 W0732
// run: --kernel coal --grid 1 --block 32 --arg s32[32]=iota --arg s32[32]=0
// idiom: bscan W0740 W0712 W0740
// run: --kernel bscan --grid 1 --block 128 --arg s32[128]=1 --arg s32[128]=0 --expect 1:s32[128]=iota:1
// idiom: hash 
// run: --kernel hash --grid 2 --block 16 --arg u32[32]=iota:1 --arg u32[64]=0 --arg s32[64]=0
// idiom: bitonic W0740 W0740 W0712
// run: --kernel bitonic --grid 1 --block 64 --arg s32[64]=iota:64:-1 --expect 0:s32[64]=iota:1
// idiom: mm W0731 W0740 W0712
// run: --kernel mm --grid 1 --block 8,8 --arg f32[256]=1 --arg f32[256]=1 --arg f32[256]=0 --arg s32=16
// idiom: heap2 W0740 W0716 W0740
// run: --kernel heap2 --grid 1 --block 32 --arg s32[32]=0
// idiom: bscope W0741 W0740 W0741
// run: --kernel bscope --grid 2 --block 32 --arg s32[1]=0
// idiom: heat W0740
// run: --kernel heat --grid 2 --block 32 --cooperative --arg s32[64]=1 --arg s32[64]=0 --arg s32=64
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups; namespace ptx = cuda::ptx;
#ifndef W
#define W 0
#endif
extern "C" {
// TMA bulk in, compute, bulk out, double buffered w/ phases
__global__ void tma(const int *in, int *out, int n) {
  using B = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) int s[2][64]; __shared__ alignas(8) uint64_t bar[2];
  int t = threadIdx.x;
  if (t == 0) { ptx::mbarrier_init(&bar[0], 1); ptx::mbarrier_init(&bar[1], 1);
#if W != 7
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
#endif
  }
  __syncthreads();
  auto load = [&](int i) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s[i & 1], in + i * 64, 256, &bar[i & 1]);
#if W == 1
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar[i & 1], 128);
#elif W == 2
    ptx::mbarrier_arrive(&bar[i & 1]);
#else
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar[i & 1], 256);
#endif
  };
  if (t == 0) load(0);
  for (int i = 0; i < n; ++i) {
#if W == 6
    if (t == 0 && i + 1 < n) load(i + 1);
#else
    if (t == 0 && i + 1 < n) {
#if W != 8
      ptx::fence_proxy_async(ptx::space_shared);
#endif
      load(i + 1); }
#endif
#if W == 3
    while (!ptx::mbarrier_try_wait_parity(&bar[i & 1], i & 1)) {}
#elif W == 4
    if (t < 32) while (!ptx::mbarrier_try_wait_parity(&bar[i & 1], (i >> 1) & 1)) {}
#else
    while (!ptx::mbarrier_try_wait_parity(&bar[i & 1], (i >> 1) & 1)) {}
#endif
    out[i * 64 + t] = s[i & 1][63 - t];
#if W != 5
    __syncthreads();
#endif
  }
}
// bulk store
__global__ void tma_out(int *out) {
  __shared__ alignas(128) int s[2][64]; int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) {
    s[i & 1][t] = i * 64 + t;
#if W != 1
    ptx::fence_proxy_async(ptx::space_shared);
#endif
#if W != 2
    __syncthreads();
#endif
    if (t == 0) { ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * 64, s[i & 1], 256); ptx::cp_async_bulk_commit_group();
#if W == 3
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<2>());
#else
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
#endif
    }
#if W != 4
    __syncthreads();
#endif
  }
#if W != 5
  if (t == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
#endif
}
// cuda::pipeline
__global__ void cpipe(const int *in, int *out, int n) {
  __shared__ int s[2][64]; auto b = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st; auto p = cuda::make_pipeline(b, &st); int t = threadIdx.x;
  p.producer_acquire(); cuda::memcpy_async(b, s[0], in, sizeof(int) * 64, p); p.producer_commit();
  for (int i = 0; i < n; ++i) {
    if (i + 1 < n) { p.producer_acquire(); cuda::memcpy_async(b, s[(i + 1) & 1], in + (i + 1) * 64, sizeof(int) * 64, p); p.producer_commit(); }
#if W != 1
    p.consumer_wait();
#endif
    out[i * 64 + t] = s[i & 1][63 - t];
    p.consumer_release();
#if W == 2
    s[i & 1][t] = 0;
#endif
  }
}
// cg::memcpy_async
__global__ void cgm(const int *in, int *out) {
  __shared__ int s[64]; auto b = cg::this_thread_block(); int t = threadIdx.x;
  cg::memcpy_async(b, s, in, sizeof(int) * 64);
#if W == 1
#elif W == 2
  __syncthreads();
#else
  cg::wait(b);
#endif
  out[t] = s[63 - t];
}
// dekker with seq_cst fence, two threads each set flag and look at other
__global__ void dekker(int *flags, int *data) {
  if (threadIdx.x) return; int me = blockIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> a(flags[me]), b(flags[1 - me]);
#if W == 1
  a.store(1, cuda::memory_order_release); if (b.load(cuda::memory_order_acquire) == 0) { data[0] += 1; }
#elif W == 2
  a.store(1, cuda::memory_order_relaxed); cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device); if (b.load(cuda::memory_order_relaxed) == 0) { data[0] += 1; }
#else
  a.store(1, cuda::memory_order_relaxed); cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device); if (b.load(cuda::memory_order_relaxed) == 0) { data[0] += 1; }
#endif
}
// latch
__global__ void latch(int *out) {
  using L = cuda::latch<cuda::thread_scope_block>; __shared__ alignas(L) char m[sizeof(L)]; L &l = *reinterpret_cast<L*>(m); __shared__ int s[64]; int t = threadIdx.x;
#if W == 1
  if (t == 0) new (&l) L(63);
#else
  if (t == 0) new (&l) L(64);
#endif
#if W != 2
  __syncthreads();
#endif
  s[t] = t;
#if W == 3
  l.count_down();
#else
  l.arrive_and_wait();
#endif
  out[t] = s[63 - t];
}
// semaphore as a mutex
__device__ cuda::binary_semaphore<cuda::thread_scope_device> sem{1};
__global__ void semk(int *data) {
  if (threadIdx.x) return; sem.acquire();
  *data += 1;
#if W == 1
  sem.release(); *data += 1;
#else
  *data += 1; sem.release();
#endif
}
// rw lock
__device__ int rw;
__global__ void rwlock(int *data, int *out) {
  if (threadIdx.x) return; cuda::atomic_ref<int, cuda::thread_scope_device> l(rw);
  if (blockIdx.x & 1) { int e = 0; while (!l.compare_exchange_weak(e, -1, cuda::memory_order_acquire)) e = 0; data[0]++; data[1]++;
#if W == 1
    l.store(0, cuda::memory_order_relaxed);
#else
    l.store(0, cuda::memory_order_release);
#endif
  } else { int e = l.load(cuda::memory_order_relaxed); do { while (e < 0) e = l.load(cuda::memory_order_relaxed); } while (!l.compare_exchange_weak(e, e + 1,
#if W == 2
    cuda::memory_order_relaxed));
#else
    cuda::memory_order_acquire, cuda::memory_order_relaxed));
#endif
    out[blockIdx.x] = data[0] - data[1];
#if W == 3
    l.fetch_sub(1, cuda::memory_order_relaxed);
#else
    l.fetch_sub(1, cuda::memory_order_release);
#endif
  }
}
// use after exit
__global__ void __cluster_dims__(2,1,1) exitk(int *out) {
  __shared__ int s[32]; auto c = cg::this_cluster(); int t = threadIdx.x; s[t] = t; c.sync();
  if (c.block_rank() == 1) {
#if W != 1
    c.sync();
#endif
    return; }
  out[t] = c.map_shared_rank(s, 1)[t];
#if W != 1
  c.sync();
#endif
}
// cluster arrive/wait split with wrong use
__global__ void __cluster_dims__(2,1,1) clsplit(int *out) {
  __shared__ int s[32]; auto c = cg::this_cluster(); int t = threadIdx.x; s[t] = t + 32 * c.block_rank();
#if W == 1
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
#else
  auto tok = c.barrier_arrive();
#endif
#if W == 2
  int v = *c.map_shared_rank(s + t, c.block_rank() ^ 1);
  c.barrier_wait(std::move(tok));
#elif W == 1
  asm volatile("barrier.cluster.wait;" ::: "memory");
  int v = *c.map_shared_rank(s + t, c.block_rank() ^ 1);
#else
  c.barrier_wait(std::move(tok));
  int v = *c.map_shared_rank(s + t, c.block_rank() ^ 1);
#endif
  c.sync(); out[blockIdx.x * 32 + t] = v;
}
// coalesced group
__global__ void coal(const int *in, int *out) {
  int t = threadIdx.x; __shared__ int s[32];
  if (in[t] & 1) { auto g = cg::coalesced_threads(); s[g.thread_rank()] = t;
#if W != 1
    g.sync();
#endif
    out[t] = s[g.size() - 1 - g.thread_rank()];
#if W == 2
    out[t] = __shfl_sync(0xffffffffu, t, 0);
#endif
  }
}
// block exclusive scan by warp shuffles
__global__ void bscan(const int *in, int *out) {
  __shared__ int ws[4]; int t = threadIdx.x, l = t & 31, w = t >> 5; int v = in[t];
  for (int o = 1; o < 32; o <<= 1) { int u = __shfl_up_sync(~0u, v, o); if (l >= o) v += u; }
  if (l == 31) ws[w] = v;
#if W != 1
  __syncthreads();
#endif
  if (w == 0) {
#if W == 2
    int x = l < 4 ? ws[l] : ws[l];
#else
    int x = l < 4 ? ws[l] : 0;
#endif
    for (int o = 1; o < 4; o <<= 1) { int u = __shfl_up_sync(~0u, x, o); if (l >= o) x += u; } if (l < 4) ws[l] = x; }
#if W != 3
  __syncthreads();
#endif
  out[t] = v + (w ? ws[w - 1] : 0);
}
// hash table insert
__global__ void hash(const unsigned *keys, unsigned *table, int *vals) {
  unsigned k = keys[blockIdx.x * blockDim.x + threadIdx.x], h = k * 2654435761u % 64;
#if W == 1
  while (table[h] && table[h] != k) h = (h + 1) % 64; table[h] = k;
#else
  for (;;) { unsigned o = atomicCAS(&table[h], 0, k); if (o == 0 || o == k) break; h = (h + 1) % 64; }
#endif
#if W == 2
  vals[h] += 1;
#else
  atomicAdd(&vals[h], 1);
#endif
}
// bitonic sort in shared
__global__ void bitonic(int *d) {
  __shared__ int s[64]; int t = threadIdx.x; s[t] = d[t]; __syncthreads();
  for (int k = 2; k <= 64; k <<= 1) for (int j = k >> 1; j; j >>= 1) { int p = t ^ j; if (p > t) { bool up = !(t & k); if ((s[t] > s[p]) == up) { int x = s[t]; s[t] = s[p]; s[p] = x; } }
#if W == 1
    if (j > 16) __syncthreads();
#elif W == 2
    if (j >= 2) __syncthreads(); else __syncwarp();
#else
    __syncthreads();
#endif
  }
#if W == 3
  d[t] = s[t + 1];
#else
  d[t] = s[t];
#endif
}
// matrix mult tile
__global__ void mm(const float *a, const float *b, float *c, int n) {
  __shared__ float x[8][8], y[8][8]; int tx = threadIdx.x, ty = threadIdx.y; float s = 0;
  for (int k = 0; k < n; k += 8) { x[ty][tx] = a[ty * n + k + tx]; y[ty][tx] = b[(k + ty) * n + tx];
#if W != 1
    __syncthreads();
#endif
    for (int i = 0; i < 8; ++i) s += x[ty][i] * y[i][tx];
#if W != 2
    __syncthreads();
#endif
  }
#if W == 3
  c[ty * n + tx + 8 * n * 2] = s;
#else
  c[ty * n + tx] = s;
#endif
}
// linked list free: double free by two threads
__global__ void heap2(int *out) {
  __shared__ int *p; int t = threadIdx.x;
  if (t == 0) { p = (int*)malloc(128); }
  __syncthreads();
  p[t] = t;
#if W != 1
  __syncthreads();
#endif
  out[t] = p[31 - t];
#if W == 2
  if (t < 2) free(p);
#elif W == 3
  if (t == 0) free(p);
#else
  __syncthreads(); if (t == 0) free(p);
#endif
}
// block-scope atomic across blocks
__global__ void bscope(int *c) {
#if W == 1
  atomicAdd_block(c, 1);
#elif W == 2
  if (threadIdx.x == 0) *c += 1;
#elif W == 3
  cuda::atomic_ref<int, cuda::thread_scope_block>(*c).fetch_add(1);
#else
  atomicAdd(c, 1);
#endif
}
// double-buffered stencil across grid with grid.sync
__global__ void heat(int *a, int *b, int n) {
  auto g = cg::this_grid(); int i = g.thread_rank();
  for (int s = 0; s < 3; ++s) { int l = i ? a[i - 1] : 0, r = i + 1 < n ? a[i + 1] : 0; b[i] = l + r + a[i];
#if W == 1
    if (s != 1) g.sync();
#elif W == 2
    if (blockIdx.x == 0) g.sync(); else g.sync();
    if (s == 2) b[n - 1 - i] = 0;
#else
    g.sync();
#endif
    int *x = a; a = b; b = x; }
}
}
