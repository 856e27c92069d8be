// Warp specialisation: named barriers, register reallocation, elected threads, dependent launches.
// make: nvcc 90a 100a 103a
// make: nvcc 80 86
// make: clang 80 90a

extern "C" __global__ void __launch_bounds__(384, 1) specialised(const float *in, float *out, int n) {
    __shared__ float buffer[2][128];
    const int group = threadIdx.x / 128, t = threadIdx.x % 128;
    if (group == 0) {
#if __CUDA_ARCH__ >= 900 && (defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_SPECIFIC__))
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
#endif
        for (int i = 0; i < n; ++i) {
            int b = i & 1;
            asm volatile("barrier.cta.sync %0, 256;" ::"r"(1 + b) : "memory");
            buffer[b][t] = in[i * 128 + t];
            asm volatile("bar.arrive %0, 256;" ::"r"(3 + b) : "memory");
        }
    } else if (group == 1) {
#if __CUDA_ARCH__ >= 900 && (defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_SPECIFIC__))
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
#endif
        float sum = 0;
        asm volatile("barrier.cta.arrive 1, 256;\n\tbarrier.cta.arrive 2, 256;" ::: "memory");
        for (int i = 0; i < n; ++i) {
            int b = i & 1;
            asm volatile("bar.sync %0, 256;" ::"r"(3 + b) : "memory");
            sum += buffer[b][t ^ 1];
            asm volatile("barrier.cta.arrive.aligned %0, 256;" ::"r"(1 + b) : "memory");
        }
        out[blockIdx.x * 128 + t] = sum;
    } else {
        int votes, all, any;
        asm volatile("{\n\t.reg .pred p, q, r;\n\tsetp.gt.s32 p, %3, 5;\n\tbarrier.cta.red.popc.aligned.u32 %0, 5, 128, p;\n\t"
                     "barrier.cta.red.and.aligned.pred q, 5, 128, p;\n\tbarrier.cta.red.or.aligned.pred r, 5, 128, !p;\n\t"
                     "selp.s32 %1, 1, 0, q;\n\tselp.s32 %2, 1, 0, r;\n\t}" : "=r"(votes), "=r"(all), "=r"(any) : "r"(t));
        out[t] = votes + all + any;
    }
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void elected(int *out) {
    int leader, chosen;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync %0|p, 0xffffffff;\n\tselp.b32 %1, 1, 0, p;\n\t}" : "=r"(leader), "=r"(chosen));
    if (chosen)
        out[blockIdx.x] = leader;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
}
#endif

extern "C" __global__ void block_votes(int *d) {
    int v = d[threadIdx.x];
    d[threadIdx.x] = __syncthreads_count(v > 3) + __syncthreads_and(v) + __syncthreads_or(v & 1);
    __syncwarp(0xffff);
}
