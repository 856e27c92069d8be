// Idioms of CUDA, right with W=0 and in wrong variants with W=1, W=2 ...: see crates/sim/tests/all/idioms.rs.
//
// nvcc -ptx -w -arch=sm_90 -std=c++17 -DW=$W -I TOOLKIT/include/cccl -o NAME$W.ptx NAME.cu
// idiom: blk_reduce W0731 W0740 W0740 W0740
// run: --kernel blk_reduce --grid 2 --block 256 --arg s32[512]=1 --arg s32[2]=0 --expect 1:=256
// idiom: shfl_reduce W0719 W0732 W0712
// run: --kernel shfl_reduce --grid 2 --block 256 --arg s32[512]=1 --arg s32[2]=0 --expect 1:=256
// idiom: last_block W0740 W0740 W0740 W0740
// run: --kernel last_block --grid 4 --block 64 --arg s32[256]=1 --arg s32[4]=0 --arg s32[1]=0 --expect 2:=256
// idiom: spin W0740 W0740 W0740
// run: --kernel spin --grid 4 --block 32 --arg s32[1]=0 --expect 0:=12
// idiom: old_spin W0740 W0740 W0740
// run: --kernel old_spin --grid 4 --block 32 --arg s32[1]=0 --expect 0:=4
// idiom: ticket W0740 W0740 W0740
// run: --kernel ticket --grid 4 --block 32 --arg s32[1]=0 --expect 0:=8
// idiom: lookback W0731 W0740 - W0740
// run: --kernel lookback --grid 4 --block 64 --arg s32[256]=1 --arg s32[256]=0 --arg s32[4]=0 --arg s32[4]=0 --arg u32[4]=0 --arg u32[1]=0 --expect 1:s32[256]=iota:1
// idiom: gsync W0740 W0740
// run: --kernel gsync --grid 2 --block 64 --cooperative --arg s32[128]=0 --arg s32[128]=0 --expect 1:s32[128]=iota:127:-1
// idiom: dsmem W0734 W0734
// run: --kernel dsmem --grid 2 --block 64 --cluster 2 --arg s32[128]=0
// idiom: cl_hist W0731 W0734 W0741
// run: --kernel cl_hist --grid 4 --block 64 --cluster 2 --arg s32[256]=iota --arg s32[32]=0 --expect 1:=8
// idiom: vflag W0740 W0740
// run: --kernel vflag --grid 2 --block 32 --arg s32[1]=0 --arg s32[1]=0 --arg s32[2]=0
// idiom: dmalloc W0731 W0734 W0712
// run: --kernel dmalloc --grid 2 --block 32 --arg s32[64]=0 --expect 0:=120
// idiom: ring W0731 W0740 W0740
// run: --kernel ring --grid 1 --block 64 --arg s32[16]=0 --expect 0:s32[16]=iota:0:3
// idiom: transpose W0731 W0731 W0712
// run: --kernel transpose --grid 1 --block 16,16 --arg f32[256]=iota --arg f32[256]=0
// idiom: cbar W0724 W0731 W0722
// run: --kernel cbar --grid 1 --block 64 --arg s32[64]=0 --expect 0:s32[64]=iota:63:-1
// idiom: wspec W0722 W0731
// run: --kernel wspec --grid 1 --block 64 --arg s32[192]=0
// idiom: pipe W0737 W0742 W0742
// run: --kernel pipe --grid 1 --block 32 --arg s32[512]=iota --arg s32[32]=0
// idiom: wagg W0719
// run: --kernel wagg --grid 1 --block 64 --arg s32[1]=0 --arg s32[64]=-1
// idiom: warpsync W0740 W0740 W0740
// run: --kernel warpsync --grid 1 --block 32 --arg s32[32]=0
// idiom: persistent W0740 W0712
// run: --kernel persistent --grid 2 --block 32 --arg u32[1]=0 --arg s32[160]=iota --arg s32[160]=0 --arg s32=5 --expect 2:s32[160]=iota:0:2
// idiom: tiles W0740 W0719
// run: --kernel tiles --grid 1 --block 64 --arg s32[64]=1 --arg s32[64]=0 --expect 1:=16
// idiom: msg_scope W0740 W0740
// run: --kernel msg_scope --grid 2 --block 32 --arg s32[1]=0 --arg s32[1]=0 --arg s32[1]=0 --expect 2:=5
// idiom: condbar W0720 W0720
// run: --kernel condbar --grid 1 --block 64 --arg s32[64]=0 --arg s32=32
// idiom: named W0731 W0731
// run: --kernel named --grid 1 --block 64 --arg s32[32]=0
// idiom: accum W0731 W0741 W0741
// run: --kernel accum --grid 1 --block 64 --arg s32[64]=1 --arg s32[1]=0 --expect 1:=64
// idiom: stencil W0712 W0731 W0712
// run: --kernel stencil --grid 2 --block 64 --arg s32[128]=1 --arg s32[128]=0 --arg s32=128
// idiom: once W0740 W0740
// run: --kernel once --grid 3 --block 32 --arg s32[3]=0 --expect 0:=7
// idiom: gridbar W0740 W0740 W0740 W0740
// run: --kernel gridbar --grid 2 --block 64 --arg s32[128]=0 --arg s32[128]=0 --expect 1:s32[128]=iota:127:-1
// idiom: treiber W0740 W0740
// run: --kernel treiber --grid 2 --block 4 --arg s32[16]=0 --arg s32[8]=0
// idiom: arrive_tok - W0731
// run: --kernel arrive_tok --grid 1 --block 64 --arg s32[64]=0 --expect 0:s32[64]=iota:63:-1
// idiom: casmax W0740
// run: --kernel casmax --grid 2 --block 32 --arg f32[64]=iota --arg s32[1]=0
// idiom: dyn W0712 W0712
// run: --kernel dyn --grid 1 --block 64 --shared 256 --arg s32[64]=0
#include <cuda/atomic>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
#ifndef W
#define W 0
#endif
extern "C" {
// block reduction w/ tail of syncwarp
__global__ void blk_reduce(const int *in, int *out) {
  __shared__ int s[256]; int t = threadIdx.x; s[t] = in[blockIdx.x*256+t];
#if W != 1
  __syncthreads();
#endif
  for (int o = 128; o >= 32; o >>= 1) { if (t < o) s[t] += s[t+o];
#if W != 2
  __syncthreads();
#endif
  }
  if (t < 32) { for (int o = 16; o; o >>= 1) { int v = s[t + o];
#if W != 3
   __syncwarp();
#endif
   s[t] += v;
#if W != 4
   __syncwarp();
#endif
   } }
  if (t == 0) out[blockIdx.x] = s[0];
}
// shuffle reduction
__global__ void shfl_reduce(const int *in, int *out) {
  __shared__ int s[8]; int t = threadIdx.x; int v = in[blockIdx.x*256+t];
#if W == 1
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0x0000ffffu, v, o);
#else
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
#endif
  if (t % 32 == 0) s[t/32] = v;
#if W != 2
  __syncthreads();
#endif
#if W == 3
  if (t < 9) {
    v = s[t];
    for (int o = 4; o; o >>= 1) v += __shfl_down_sync(0x1ff, v, o);
#else
  if (t < 8) {
    v = s[t];
    for (int o = 4; o; o >>= 1) v += __shfl_down_sync(0xff, v, o);
#endif
    if (t == 0) out[blockIdx.x] = v;
  }
}
// last block
__device__ unsigned counter;
__global__ void last_block(const int *in, int *partial, int *out) {
  __shared__ int s[64]; __shared__ bool last; int t = threadIdx.x;
  s[t] = in[blockIdx.x*64+t]; __syncthreads();
  for (int o = 32; o; o >>= 1) { if (t < o) s[t] += s[t+o]; __syncthreads(); }
  if (t == 0) { partial[blockIdx.x] = s[0];
#if W != 1
    __threadfence();
#elif 0
#endif
#if W == 2
    last = atomicInc_block(&counter, gridDim.x) == gridDim.x - 1;
#else
    last = atomicInc(&counter, gridDim.x) == gridDim.x - 1;
#endif
#if W != 3
    __threadfence();
#endif
  }
#if W != 4
  __syncthreads();
#endif
  if (last) { if (t == 0) { int sum = 0; for (int i = 0; i < gridDim.x; ++i) sum += partial[i]; *out = sum; counter = 0; } }
}
// spin lock
__device__ int lck;
__global__ void spin(int *data) {
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> l(lck);
    for (int i = 0; i < 3; ++i) {
#if W == 1
    while (l.exchange(1, cuda::memory_order_relaxed)) {}
#elif W == 2
    cuda::atomic_ref<int, cuda::thread_scope_block> lb(lck);
    while (lb.exchange(1, cuda::memory_order_acquire)) {}
#else
    while (l.exchange(1, cuda::memory_order_acquire)) {}
#endif
    *data += 1;
#if W == 3
    l.store(0, cuda::memory_order_relaxed);
#else
    l.store(0, cuda::memory_order_release);
#endif
    }
  }
}
// old style spin lock
__device__ int mtx;
__global__ void old_spin(int *data) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&mtx, 0, 1) != 0) {}
#if W != 1
    __threadfence();
#endif
    *data += 1;
#if W == 2
    __threadfence_block();
#elif W != 3
    __threadfence();
#endif
    atomicExch(&mtx, 0);
  }
}
// ticket lock
__device__ unsigned next_t, now_t;
__global__ void ticket(int *data) {
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> n(next_t), w(now_t);
    unsigned my = n.fetch_add(1, cuda::memory_order_relaxed);
#if W == 1
    while (w.load(cuda::memory_order_relaxed) != my) {}
#else
    while (w.load(cuda::memory_order_acquire) != my) {}
#endif
    *data += 2;
#if W == 2
    w.store(my + 1, cuda::memory_order_relaxed);
#elif W == 3
    now_t = my + 1;
#else
    w.store(my + 1, cuda::memory_order_release);
#endif
  }
}
// decoupled look-back
__global__ void lookback(const int *in, int *out, int *agg, int *pre, unsigned *flag, unsigned *order) {
  __shared__ int s[64]; __shared__ int base; __shared__ unsigned tile;
  int t = threadIdx.x;
  if (t == 0) tile = atomicAdd(order, 1);
#if W != 1
  __syncthreads();
#endif
  unsigned b = tile;
  s[t] = in[b*64+t]; __syncthreads();
  for (int o = 1; o < 64; o <<= 1) { int v = t >= o ? s[t-o] : 0;
#if W != 2
   __syncthreads();
#endif
   s[t] += v; __syncthreads(); }
  if (t == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> f(flag[b]);
    int total = s[63];
    agg[b] = total;
    if (b == 0) { pre[0] = total; f.store(2, cuda::memory_order_release); base = 0; }
    else {
#if W == 3
      f.store(1, cuda::memory_order_relaxed);
#else
      f.store(1, cuda::memory_order_release);
#endif
      int sum = 0;
      for (int p = b - 1; p >= 0;) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> g(flag[p]);
        unsigned st;
#if W == 4
        while (!(st = g.load(cuda::memory_order_relaxed))) {}
#else
        while (!(st = g.load(cuda::memory_order_acquire))) {}
#endif
        if (st == 2) { sum += pre[p]; break; }
        sum += agg[p]; --p;
      }
      pre[b] = sum + total; f.store(2, cuda::memory_order_release); base = sum;
    }
  }
  __syncthreads();
  out[b*64+t] = base + s[t];
}
// grid sync
__global__ void gsync(int *a, int *b) {
  auto g = cg::this_grid(); int i = g.thread_rank(); int n = g.size();
  a[i] = i;
#if W == 1
  __syncthreads();
#elif W == 2
  __threadfence(); cg::this_thread_block().sync();
#else
  g.sync();
#endif
  b[i] = a[n - 1 - i];
}
#ifndef __clang__
// cluster DSMEM
__global__ void __cluster_dims__(2,1,1) dsmem(int *out) {
  __shared__ int s[64]; auto c = cg::this_cluster(); int t = threadIdx.x;
  s[t] = t + 100 * c.block_rank();
#if W != 1
  c.sync();
#endif
  int *r = c.map_shared_rank(s, c.block_rank() ^ 1);
  int v = r[63 - t];
#if W != 2
  c.sync();
#endif
  out[blockIdx.x*64+t] = v;
}
// cluster histogram, atomics remote
__global__ void __cluster_dims__(2,1,1) cl_hist(const int *in, int *out) {
  __shared__ int h[16]; auto c = cg::this_cluster(); int t = threadIdx.x;
#if W != 1
  if (t < 16) h[t] = 0;
#endif
#if W != 2
  c.sync();
#endif
  int v = in[blockIdx.x*64+t] & 31;
  atomicAdd(c.map_shared_rank(h, v / 16) + v % 16, 1);
#if W == 3
  __syncthreads();
#else
  c.sync();
#endif
  if (t < 16) atomicAdd(out + c.block_rank()*16 + t, h[t]);
}
#endif
// volatile flag + fence
__global__ void vflag(int *data, volatile int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) { *data = 42;
#if W != 1
    __threadfence();
#endif
    *flag = 1; }
  else { while (*flag == 0) {}
#if W != 2
    __threadfence();
#endif
    out[blockIdx.x] = *data; }
}
// device malloc
__global__ void dmalloc(int *out) {
  int *p = (int*)malloc(16 * sizeof(int)); if (!p) return;
#if W == 1
  for (int i = 0; i < 15; ++i) p[i] = i;
#else
  for (int i = 0; i < 16; ++i) p[i] = i;
#endif
#if W == 2
  free(p);
#endif
  int s = 0; for (int i = 0; i < 16; ++i) s += p[i];
#if W == 3
  p[16] = 1;
#endif
  out[blockIdx.x*blockDim.x+threadIdx.x] = s;
#if W == 0 || W == 1 || W == 3
  free(p);
#endif
}
// block-scoped cuda::atomic in shared
__global__ void ring(int *out) {
  __shared__ int buf[4]; __shared__ unsigned head, tail;
  if (threadIdx.x == 0) { head = tail = 0; }
#if W != 1
  __syncthreads();
#endif
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> h(head), t(tail);
  if (threadIdx.x == 0) { for (unsigned i = 0; i < 16; ++i) {
#if W == 2
      while (i - t.load(cuda::memory_order_relaxed) == 4) {}
#elif W == 4
      while (i - t.load(cuda::memory_order_acquire) == 5) {}
#else
      while (i - t.load(cuda::memory_order_acquire) == 4) {}
#endif
      buf[i % 4] = i * 3;
      h.store(i + 1, cuda::memory_order_release); } }
  else if (threadIdx.x == 32) { for (unsigned i = 0; i < 16; ++i) {
      while (h.load(cuda::memory_order_acquire) == i) {}
      out[i] = buf[i % 4];
#if W == 3
      t.store(i + 1, cuda::memory_order_relaxed); } }
#else
      t.store(i + 1, cuda::memory_order_release); } }
#endif
}
// transposition with tile
__global__ void transpose(const float *in, float *out) {
  __shared__ float t[16][17]; int x = threadIdx.x, y = threadIdx.y;
#if W == 3
  t[y + 1][x] = in[y*16+x];
#else
  t[y][x] = in[y*16+x];
#endif
#if W != 1
  __syncthreads();
#endif
#if W == 2
  out[y*16+x] = t[x][y + 1];
#else
  out[y*16+x] = t[x][y];
#endif
}
// cuda::barrier
__global__ void cbar(int *out) {
  using B = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(B) char mem[sizeof(B)]; B &b = *reinterpret_cast<B*>(mem);
  __shared__ int s[64]; int t = threadIdx.x;
#if W == 3
  if (t == 0) init(&b, 65);
#else
  if (t == 0) init(&b, 64);
#endif
#if W != 1
  __syncthreads();
#endif
  s[t] = t;
#if W == 2
  (void)b.arrive();
#else
  b.wait(b.arrive());
#endif
  out[t] = s[63 - t];
}
// producer/consumer warp specialisation with 2 cuda::barriers
__global__ void wspec(int *out) {
  using B = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(B) char mem[4 * sizeof(B)]; B *full = reinterpret_cast<B*>(mem); B *empty = full + 2;
  __shared__ int s[2][32]; int t = threadIdx.x;
  if (t == 0) for (int i = 0; i < 2; ++i) { init(full + i, 64); init(empty + i, 64); }
  __syncthreads();
  int l = t & 31;
  if (t < 32) { for (int i = 0; i < 6; ++i) {
#if W == 1
      (void)empty[i&1].arrive();
#else
      empty[i&1].arrive_and_wait();
#endif
      s[i&1][l] = i * 32 + l; (void)full[i&1].arrive(); } }
  else { (void)empty[0].arrive(); (void)empty[1].arrive();
    for (int i = 0; i < 6; ++i) {
#if W == 2
      (void)full[i&1].arrive();
#else
      full[i&1].arrive_and_wait();
#endif
      out[i*32+l] = s[i&1][31 - l];
      (void)empty[i&1].arrive(); } }
}
// cp.async double buffering with pipeline
__global__ void pipe(const int *in, int *out) {
  __shared__ alignas(16) int s[2][128]; int t = threadIdx.x;
  auto cp = [&](int st, int i) { __pipeline_memcpy_async(&s[st][t*4], in + i*128 + t*4, 16); __pipeline_commit(); };
  int sum = 0; cp(0, 0);
  for (int i = 0; i < 4; ++i) {
    if (i + 1 < 4) { cp((i+1)&1, i+1);
#if W == 1
    __pipeline_wait_prior(2);
#else
    __pipeline_wait_prior(1);
#endif
    } else __pipeline_wait_prior(0);
#if W != 2
    __syncthreads();
#endif
    sum += s[i&1][(t*4+13) & 127];
#if W != 3
    __syncthreads();
#endif
  }
  out[t] = sum;
}
// warp aggregated
__global__ void wagg(int *ctr, int *out) {
  int t = threadIdx.x;
  if (t % 3 == 0) {
#if W == 1
    unsigned m = 0x09249249;
#else
    unsigned m = __activemask();
#endif
    int leader = __ffs(m) - 1; int base = 0;
    if ((t & 31) == leader) base = atomicAdd(ctr, __popc(m));
    base = __shfl_sync(m, base, leader);
    out[base + __popc(m & ((1u << (t & 31)) - 1))] = t;
  }
}
// warp-synchronous volatile
__global__ void warpsync(int *out) {
  __shared__ int s[32]; int t = threadIdx.x; s[t] = t;
#if W != 1
  __syncwarp();
#endif
  int v = s[t ^ 1];
#if W != 2
  __syncwarp();
#endif
  s[t] = v + s[t];
#if W != 3
  __syncwarp();
#endif
  out[t] = s[31 - t];
}
// persistent kernel with work queue
__global__ void persistent(unsigned *ctr, const int *in, int *out, int n) {
  __shared__ unsigned w;
  for (;;) {
    if (threadIdx.x == 0) w = atomicAdd(ctr, 1);
    __syncthreads();
    unsigned my = w;
#if W != 1
    __syncthreads();
#endif
#if W == 2
    if (my > n) return;
#else
    if (my >= n) return;
#endif
    out[my*32+threadIdx.x] = in[my*32+threadIdx.x] * 2;
  }
}
// coalesced tile partition reduce
__global__ void tiles(const int *in, int *out) {
  auto b = cg::this_thread_block(); auto t = cg::tiled_partition<16>(b);
  __shared__ int s[64]; s[b.thread_rank()] = in[b.thread_rank()];
#if W != 1
  t.sync();
#endif
  int v = 0; if (t.thread_rank() == 0) for (int i = 0; i < 16; ++i) v += s[t.meta_group_rank() * 16 + i];
#if W == 2
  v = t.shfl(v, 16);
  __syncwarp(0xffff);
#else
  v = t.shfl(v, 0);
#endif
  out[b.thread_rank()] = v;
}
// system/dev scope message with atomic_ref at each
__global__ void msg_scope(int *data, int *flag, int *out) {
  if (threadIdx.x) return;
#if W == 1
  cuda::atomic_ref<int, cuda::thread_scope_block> f(*flag);
#else
  cuda::atomic_ref<int, cuda::thread_scope_system> f(*flag);
#endif
  if (blockIdx.x == 0) { *data = 5;
#if W == 2
  f.store(1, cuda::memory_order_relaxed);
#else
  f.store(1, cuda::memory_order_seq_cst);
#endif
  }
  else { while (!f.load(cuda::memory_order_seq_cst)) {} *out = *data; }
}
// conditional barrier
__global__ void condbar(int *out, int n) {
  __shared__ int s[64]; int t = threadIdx.x; s[t] = t;
#if W == 1
  if (t < 40) __syncthreads();
#elif W == 2
  if (t >= 40) return;
  __syncthreads();
#else
  __syncthreads();
#endif
  if (t < n) out[t] = s[t ^ 32 ] ;
}
// named barriers via asm
__global__ void named(int *out) {
  __shared__ int s[64]; int t = threadIdx.x;
  if (t < 32) { s[t] = t;
#if W == 1
    asm volatile("bar.arrive 1, 32;" ::: "memory"); }
#else
    asm volatile("bar.arrive 1, 64;" ::: "memory"); }
#endif
#if W == 2
  else { asm volatile("bar.sync 2, 32;" ::: "memory"); out[t - 32] = s[63 - t]; }
#elif W == 1
  else { asm volatile("bar.sync 1, 32;" ::: "memory"); out[t - 32] = s[63 - t]; }
#else
  else { asm volatile("bar.sync 1, 64;" ::: "memory"); out[t - 32] = s[63 - t]; }
#endif
}
// uninit accumulators
__global__ void accum(const int *in, int *out) {
  __shared__ int sum;
#if W != 1
  if (threadIdx.x == 0) sum = 0;
#endif
#if W != 2
  __syncthreads();
#endif
  atomicAdd(&sum, in[threadIdx.x]);
#if W != 3
  __syncthreads();
#endif
  if (threadIdx.x == 0) *out = sum;
}
// bfs frontier: benign same value
__global__ void stencil(const int *in, int *out, int n) {
  __shared__ int s[66]; int t = threadIdx.x, i = blockIdx.x*64+t; s[t+1] = in[i];
#if W == 1
  if (t == 0) s[0] = i ? in[i-1] : 0;
  if (t == 63) s[65] = in[i+1];
#else
  if (t == 0) s[0] = i ? in[i-1] : 0;
  if (t == 63) s[65] = i + 1 < n ? in[i+1] : 0;
#endif
#if W != 2
  __syncthreads();
#endif
#if W == 3
  out[i] = s[t] + s[t+1] + s[t+3];
#else
  out[i] = s[t] + s[t+1] + s[t+2];
#endif
}
// double-checked init
__device__ int ready, value;
__global__ void once(int *out) {
  if (threadIdx.x) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> r(ready);
#if W == 1
  int st = r.load(cuda::memory_order_relaxed);
#else
  int st = r.load(cuda::memory_order_acquire);
#endif
  if (st != 2) {
    int e = 0;
    if (r.compare_exchange_strong(e, 1, cuda::memory_order_acquire)) { value = 7;
#if W == 2
      r.store(2, cuda::memory_order_relaxed); }
#else
      r.store(2, cuda::memory_order_release); }
#endif
#if W == 1
    else while (r.load(cuda::memory_order_relaxed) != 2) {}
#else
    else while (r.load(cuda::memory_order_acquire) != 2) {}
#endif
  }
  out[blockIdx.x] = value;
}
// hand-made grid barrier
__device__ unsigned gb;
__global__ void gridbar(int *a, int *b) {
  int t = threadIdx.x, i = blockIdx.x*blockDim.x+t, n = gridDim.x*blockDim.x; a[i] = i;
#if W != 1
  __syncthreads();
#endif
  if (t == 0) {
#if W != 2
    __threadfence();
#endif
    atomicAdd(&gb, 1); while (atomicAdd(&gb, 0) < gridDim.x) {}
#if W != 3
    __threadfence();
#endif
  }
#if W != 4
  __syncthreads();
#endif
  b[i] = a[n-1-i];
}
// treiber stack
struct Node { int v; int next; };
__device__ int top = -1;
__global__ void treiber(Node *nodes, int *sum) {
  int i = blockIdx.x*blockDim.x+threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> t(top);
  nodes[i].v = i; int o = t.load(cuda::memory_order_relaxed);
  do nodes[i].next = o;
#if W == 1
  while (!t.compare_exchange_weak(o, i, cuda::memory_order_relaxed));
#else
  while (!t.compare_exchange_weak(o, i, cuda::memory_order_release, cuda::memory_order_relaxed));
#endif
#if W == 2
  o = t.load(cuda::memory_order_relaxed);
#else
  o = t.load(cuda::memory_order_acquire);
#endif
  int s = 0; for (int n = 0; o >= 0 && n < 100; ++n) { s += nodes[o].v; o = nodes[o].next; }
  sum[i] = s > 0;
}
// seqlock with atomics
__global__ void arrive_tok(int *out) {
  auto b = cg::this_thread_block(); __shared__ int s[64]; int t = threadIdx.x; s[t] = t;
  auto tok = b.barrier_arrive();
#if W == 1
  s[t] = t + 1;
  b.barrier_wait(std::move(tok));
#elif W == 2
  int v = s[63 - t];
  b.barrier_wait(std::move(tok));
  out[t] = v; return;
#else
  b.barrier_wait(std::move(tok));
#endif
  out[t] = s[63 - t];
}
// float atomics max via CAS
__global__ void casmax(const float *in, int *m) {
  int old = *(volatile int*)m; float v = in[blockIdx.x*blockDim.x+threadIdx.x];
#if W == 1
  if (v > __int_as_float(*m)) *m = __float_as_int(v);
#else
  while (v > __int_as_float(old)) { int a = old; old = atomicCAS(m, a, __float_as_int(v)); if (a == old) break; }
#endif
}
// dynamic shared
__global__ void dyn(int *out) {
  extern __shared__ int d[]; int t = threadIdx.x;
#if W == 1
  d[t + 1] = t;
#else
  d[t] = t;
#endif
  __syncthreads();
#if W == 2
  out[t] = d[t ^ 64];
#else
  out[t] = d[t ^ 1];
#endif
}
}
