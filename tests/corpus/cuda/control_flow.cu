// Control flow: dense and sparse switches (jump tables), an interpreter, nested loops with exits, goto.
// make: nvcc 75 80 90a 120
// make: nvcc 80 @debug -G
// make: nvrtc 60 70
// make: clang 75 90a
// make: clang 80 @O0 -O0

extern "C" __global__ void interpret(const unsigned char *code, int *stack_out, int n) {
    int stack[32], sp = 0, pc = 0, acc = 0;
    while (pc < n) {
        switch (code[pc++]) {
        case 0: stack[sp++ & 31] = acc; break;
        case 1: acc = stack[--sp & 31]; break;
        case 2: acc += stack[--sp & 31]; break;
        case 3: acc -= stack[--sp & 31]; break;
        case 4: acc *= stack[--sp & 31]; break;
        case 5: acc /= stack[--sp & 31] | 1; break;
        case 6: acc = code[pc++]; break;
        case 7: pc = acc ? code[pc] : pc + 1; break;
        case 8: acc = __popc(acc); break;
        case 9: acc = __clz(acc); break;
        case 10: acc ^= stack[sp & 31]; break;
        case 11: acc = atomicAdd(stack_out + 1, acc); break;
        case 12: acc = ~acc; break;
        case 13: acc = min(acc, 100); break;
        case 14: if (acc == 0) return; break;
        case 15: acc = -acc; // falls through
        default: acc += 1;
        }
    }
    stack_out[0] = acc;
}

__device__ __noinline__ int sparse(int v) {
    switch (v) {
    case -1000: return 1;
    case 3: return 2;
    case 17: return 3;
    case 1 << 20: return 4;
    case 12345678: return 5;
    default: return v & 1 ? 6 : 7;
    }
}

__device__ int dense64(unsigned long long v, int x) {
    switch (v) {
    case 100: x *= 3; break;
    case 101: x ^= 5; break;
    case 102: x -= 7; break;
    case 103: x = __brev(x); break;
    case 104: x <<= 2; break;
    case 105: x = ~x; break;
    case 106: x += x >> 3; break;
    case 107: x %= 19; break;
    }
    return x;
}

extern "C" __global__ void search(const int *m, int *out, int w, int h, int key) {
    int found = -1;
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            int v = m[y * w + x];
            if (v < 0)
                break;
            if (v == 0)
                continue;
            if (v == key) {
                found = y * w + x;
                goto done;
            }
            if (v > 1000) {
                int k = v;
                do {
                    k = k & 1 ? 3 * k + 1 : k / 2;
                    if (k == key)
                        goto done;
                } while (k > 1);
            }
        }
    }
done:
    out[threadIdx.x] = sparse(found) + dense64(m[0], found);
    if (threadIdx.x & 1)
        out[threadIdx.x + 64] = 1;
    else if (threadIdx.x < 7 && found > 0)
        out[threadIdx.x + 32] = found;
}

extern "C" __global__ void predicates(const int *a, const float *f, int *out, int n) {
    int i = threadIdx.x;
    bool p = a[i] > 3, q = f[i] < 2.f, r = a[i] == n;
    if ((p && !q) || (q ^ r))
        out[i] = p ? q ? 1 : 2 : 3;
    if (!(f[i] >= 0.f) || (p & r))
        out[i + 32] = (p | q) + (a[i] != 0 && f[i] != 0);
#pragma unroll 4
    for (int k = 0; k < n; ++k)
        if (a[k] & (1 << (k & 31)))
            out[k] += 1;
    while (atomicCAS(out + 99, 0, 1))
        ;
}
