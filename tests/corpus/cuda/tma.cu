// Tensor memory accelerator: tensor copies in each rank and mode, reductions, descriptors, prefetches.
// make: nvcc 90a 100a 103a 120
// make: clang 90a
struct alignas(64) Map { unsigned long long v[16]; };

extern "C" __global__ void tensors(const __grid_constant__ Map map, const Map *global_map, int x, int y, int z, unsigned long long policy) {
    extern __shared__ __align__(128) char s[];
    __shared__ alignas(8) unsigned long long bar;
    unsigned to = (unsigned)__cvta_generic_to_shared(s), b = (unsigned)__cvta_generic_to_shared(&bar);
    const void *m = &map;
    unsigned short mask = 3, o = 1;
#define LOAD "cp.async.bulk.tensor."
#define TO ".shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    asm volatile("prefetch.tensormap [%0];" ::"l"(m) : "memory");
    asm volatile(LOAD "1d" TO " [%0], [%1, {%2}], [%3];" ::"r"(to), "l"(m), "r"(x), "r"(b) : "memory");
    asm volatile(LOAD "2d" TO " [%0], [%1, {%2,%3}], [%4];" ::"r"(to), "l"(m), "r"(x), "r"(y), "r"(b) : "memory");
    asm volatile(LOAD "3d" TO ".L2::cache_hint [%0], [%1, {%2,%3,%4}], [%5], %6;" ::"r"(to), "l"(m), "r"(x), "r"(y), "r"(z), "r"(b), "l"(policy) : "memory");
    asm volatile(LOAD "4d" TO ".multicast::cluster [%0], [%1, {%2,%3,%4,%2}], [%5], %6;" ::"r"(to), "l"(m), "r"(x), "r"(y), "r"(z), "r"(b), "h"(mask) : "memory");
    asm volatile(LOAD "5d" TO " [%0], [%1, {%2,%3,%4,%2,%3}], [%5];" ::"r"(to), "l"(m), "r"(x), "r"(y), "r"(z), "r"(b) : "memory");
    asm volatile(LOAD "3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2,%3,%4}], [%5], {%6};" ::"r"(to), "l"(m), "r"(x), "r"(y), "r"(z), "r"(b), "h"(o) : "memory");
    asm volatile(LOAD "4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2,%3,%4,%2}], [%5], {%6,%6};" ::"r"(to), "l"(m), "r"(x), "r"(y), "r"(z), "r"(b), "h"(o) : "memory");
    asm volatile(LOAD "2d.global.shared::cta.tile.bulk_group [%0, {%1,%2}], [%3];" ::"l"(m), "r"(x), "r"(y), "r"(to) : "memory");
    asm volatile(LOAD "3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%1,%2,%3}], [%4];" ::"l"(m), "r"(x), "r"(y), "r"(z), "r"(to) : "memory");
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1,%2}], [%3];" ::"l"(m), "r"(x), "r"(y), "r"(to) : "memory");
    asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.xor.tile.bulk_group.L2::cache_hint [%0, {%1}], [%2], %3;" ::"l"(m), "r"(x), "r"(to), "l"(policy) : "memory");
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1,%2}];" ::"l"(m), "r"(x), "r"(y) : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;" ::: "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;\n\tfence.proxy.tensormap::generic.release.gpu;" ::"l"(global_map) : "memory");
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_SPECIFIC__)
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(to), "l"(m) : "memory");
    asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], 2;" ::"r"(to) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(to), "r"(x) : "memory");
    asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 6;" ::"r"(to) : "memory");
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(global_map), "r"(to) : "memory");
#endif
#if __CUDA_ARCH_SPECIFIC__ == 1000 || __CUDA_ARCH_SPECIFIC__ == 1030
    asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%0], [%1, {%2,%3,%4,%2,%3}], [%5];" ::"r"(to), "l"(m), "r"(x), "r"(y), "r"(z), "r"(b) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%0, {%1,%2,%3,%1,%2}], [%4];" ::"l"(m), "r"(x), "r"(y), "r"(z), "r"(to) : "memory");
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" ::"r"(to), "r"(b) : "memory");
#endif
}
