// Machines: an interpreter of bytecode with a switch, a stack machine, and a table-driven automaton over text.
// make: nvcc 90 -fmad=false
// run: --kernel registers_machine --grid 2 --block 32 --arg u32[16]=random:1 --arg u32[64]=0 --arg u32=60 --print 1:4
// bench: --kernel registers_machine --grid 1056 --block 256 --arg u32[16]=random:1 --arg u32[270336]=0 --arg u32=3000
// run: --kernel stack_machine --grid 2 --block 32 --arg u32[64]=0 --arg u32=5 --print 0:4
// bench: --kernel stack_machine --grid 1056 --block 128 --arg u32[135168]=0 --arg u32=300
// run: --kernel automaton --grid 2 --block 32 --arg u8[1024]=random:2 --arg u32[256]=0 --arg u32=64 --print 1:4
// bench: --kernel automaton --grid 1056 --block 256 --arg u8[1024]=random:2 --arg u32[1081344]=0 --arg u32=2048

extern "C" __global__ void registers_machine(const unsigned *program, unsigned *out, unsigned steps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = i, b = 1, c = 2, d = 3, pc = 0;
    for (unsigned n = 0; n < steps; ++n) {
        unsigned word = program[pc & 15];
        ++pc;
        switch (word >> 4 & 15) {
        case 0: a += b; break;
        case 1: b ^= c; break;
        case 2: c = c * 5 + 1; break;
        case 3: d = d >> 3 | d << 29; break;
        case 4: a -= word; break;
        case 5: b = b > d ? b - d : d - b; break;
        case 6: c |= a & 0xff; break;
        case 7: d += __popc(a); break;
        case 8: a = min(a, d) + 1; break;
        case 9: b = __brev(b); break;
        case 10: c ^= c << 7; break;
        case 11: d = d * d + c; break;
        case 12: if (a & 1) ++pc; break;
        case 13: a ^= d; b += a; break;
        case 14: c = a * b; break;
        default: if (word & 1) pc += word >> 8 & 3; break;
        }
    }
    out[i] = a ^ b ^ c ^ d;
}

// The program is fixed: a loop that computes a polynomial, in codes for push, add, multiply, swap, jump.
__constant__ unsigned char polynomial[16] = {0, 3, 2, 5, 1, 0, 7, 2, 1, 3, 0, 11, 2, 4, 1, 6};

extern "C" __global__ void stack_machine(unsigned *out, unsigned turns) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, stack[8], counter = turns;
    int top = 0, pc = 0;
    for (int k = 0; k < 8; ++k)
        stack[k] = i + k;
    while (counter) {
        switch (polynomial[pc]) {
        case 0:
            stack[++top & 7] = polynomial[pc + 1];
            pc += 2;
            break;
        case 1:
            stack[(top - 1) & 7] += stack[top & 7];
            --top;
            ++pc;
            break;
        case 2:
            stack[(top - 1) & 7] *= stack[top & 7];
            --top;
            ++pc;
            break;
        case 3: {
            unsigned t = stack[top & 7];
            stack[top & 7] = stack[(top - 1) & 7];
            stack[(top - 1) & 7] = t;
            ++pc;
            break;
        }
        case 4:
            stack[top & 7] ^= stack[top & 7] >> 5;
            ++pc;
            break;
        case 5:
            ++top;
            stack[top & 7] = stack[(top - 1) & 7];
            ++pc;
            break;
        default:
            pc = 0;
            --counter;
            break;
        }
    }
    out[i] = stack[top & 7] + stack[0];
}

// Counts words, numbers and other characters.
extern "C" __global__ void automaton(const unsigned char *text, unsigned *out, unsigned length) {
    __shared__ unsigned char next[4][256];
    for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) {
        unsigned c = k & 255, state = k >> 8;
        unsigned kind = c >= 'a' && c <= 'z' ? 1 : c >= '0' && c <= '9' ? (state == 1 ? 1 : 2) : c < 128 ? 0 : 3;
        next[state][c] = kind;
    }
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = 0, count[4] = {};
    for (unsigned k = 0; k < length; ++k) {
        unsigned after = next[state][text[(k + i) & 1023]];
        for (int s = 0; s < 4; ++s)
            count[s] += after != state && after == s;
        state = after;
    }
    for (int s = 0; s < 4; ++s)
        out[i * 4 + s] = count[s];
}
