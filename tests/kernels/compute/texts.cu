// Texts: edit distances by rows and by bits, local alignment, a search by shifts, CRC-32, base 64, decoding of prefix codes.
// make: nvcc 90 -fmad=false
// run: --kernel edits --grid 2 --block 16 --arg u8[512]=random:1:97:101 --arg u8[16]=random:2:97:101 --arg u32[32]=0 --arg u32=16 --print 2:8
// bench: --kernel edits --grid 528 --block 128 --arg u8[2162688]=random:1:97:101 --arg u8[16]=random:2:97:101 --arg u32[67584]=0 --arg u32=32
// run: --kernel bit_edits --grid 2 --block 16 --arg u8[1024]=random:3:97:101 --arg u8[32]=random:4:97:101 --arg u32[32]=0 --arg u32=32 --print 2:8
// bench: --kernel bit_edits --grid 528 --block 128 --arg u8[4325376]=random:3:97:101 --arg u8[32]=random:4:97:101 --arg u32[67584]=0 --arg u32=64
// run: --kernel alignment --grid 2 --block 32 --arg u8[128]=random:5:97:101 --arg u8[32]=random:6:97:101 --arg s32[2]=0 --arg u32=64 --print 2
// bench: --kernel alignment --grid 8448 --block 32 --arg u8[1081344]=random:5:97:101 --arg u8[32]=random:6:97:101 --arg s32[8448]=0 --arg u32=128
// run: --kernel shift_or --grid 2 --block 32 --arg u8[4096]=random:7:97:100 --arg u32[64]=0 --arg u32=64 --print 1:8
// bench: --kernel shift_or --grid 528 --block 128 --arg u8[4325376]=random:7:97:100 --arg u32[67584]=0 --arg u32=64
// run: --kernel crc32 --grid 2 --block 32 --arg u32[64]=random:8 --arg u32[64]=0 --arg u32=3 --print 1:4
// bench: --kernel crc32 --grid 1056 --block 256 --arg u32[270336]=random:8 --arg u32[270336]=0 --arg u32=200
// run: --kernel base64 --grid 2 --block 32 --arg u32[192]=random:9 --arg u32[256]=0 --print 1:4
// bench: --kernel base64 --grid 2048 --block 256 --arg u32[1572864]=random:9 --arg u32[2097152]=0
// run: --kernel prefix_codes --grid 2 --block 32 --arg u32[512]=random:10 --arg u32[64]=0 --arg u32=20 --print 1:4
// bench: --kernel prefix_codes --grid 528 --block 256 --arg u32[1081344]=random:10 --arg u32[135168]=0 --arg u32=60

typedef unsigned int u32;
typedef unsigned char u8;

// The pattern has 16 characters: a row is in registers.
extern "C" __global__ void edits(const u8 *texts, const u8 *pattern, u32 *out, u32 length) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, row[17];
    u8 p[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        p[k] = pattern[k];
        row[k] = k;
    }
    row[16] = 16;
    for (u32 n = 0; n < length; ++n) {
        u8 c = texts[n * all + i];
        u32 corner = row[0];
        row[0] = n + 1;
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            u32 replaced = corner + (p[k] != c);
            corner = row[k + 1];
            row[k + 1] = min(min(row[k], corner) + 1, replaced);
        }
    }
    out[i] = row[16];
}

// Myers' way: 32 rows as bits.
extern "C" __global__ void bit_edits(const u8 *texts, const u8 *pattern, u32 *out, u32 length) {
    __shared__ u32 where[256];
    for (u32 c = threadIdx.x; c < 256; c += blockDim.x) {
        u32 bits = 0;
        for (int k = 0; k < 32; ++k)
            bits |= (u32)(pattern[k] == c) << k;
        where[c] = bits;
    }
    __syncthreads();
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, up = ~0u, down = 0, score = 32;
    for (u32 n = 0; n < length; ++n) {
        u32 eq = where[texts[n * all + i]], v = eq | down;
        u32 h = ((eq & up) + up ^ up) | eq, plus = down | ~(h | up), minus = up & h;
        score += (plus >> 31) - (minus >> 31);
        plus = plus << 1 | 1;
        minus <<= 1;
        up = minus | ~(v | plus);
        down = plus & v;
    }
    out[i] = score;
}

// A warp aligns a text with 32 characters along the diagonals: a lane has a column.
extern "C" __global__ void alignment(const u8 *texts, const u8 *pattern, int *out, u32 length) {
    u32 lane = threadIdx.x;
    const u8 *text = texts + blockIdx.x * length;
    u8 mine = pattern[lane];
    int here = 0, corner = 0, gap = 0, best = 0;
    for (u32 n = 0; n < length + 31; ++n) {
        int left = __shfl_up_sync(~0u, here, 1);
        if (lane == 0)
            left = 0;
        int at = (int)n - (int)lane, next = 0;
        if (at >= 0 && at < (int)length) {
            gap = max(gap - 1, here - 3);
            next = max(max(corner + (text[at] == mine ? 2 : -1), left - 3), max(gap, 0));
        }
        corner = left;
        here = next;
        best = max(best, next);
    }
    for (int step = 16; step > 0; step /= 2)
        best = max(best, __shfl_xor_sync(~0u, best, step));
    if (lane == 0)
        out[blockIdx.x] = best;
}

// Places where one of three patterns of up to ten characters ends.
extern "C" __global__ void shift_or(const u8 *text, u32 *out, u32 length) {
    __shared__ u32 masks[256];
    const char patterns[31] = "abcaabbcacabcabcacbacbabcaabca";
    for (u32 c = threadIdx.x; c < 256; c += blockDim.x) {
        u32 bits = 0;
        for (int k = 0; k < 30; ++k)
            bits |= (u32)(patterns[k] == (char)c) << k;
        masks[c] = bits;
    }
    __syncthreads();
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, state = 0, found = 0;
    for (u32 n = 0; n < length; ++n) {
        state = (state << 1 | 0x00100401) & masks[text[n * all + i]];
        found += __popc(state & 0x20080120);
    }
    out[i] = found;
}

extern "C" __global__ void crc32(const u32 *in, u32 *out, u32 words) {
    __shared__ u32 table[4][256];
    for (u32 k = threadIdx.x; k < 256; k += blockDim.x) {
        u32 v = k;
        for (int slice = 0; slice < 4; ++slice) {
            for (int bit = 0; bit < 8; ++bit)
                v = v & 1 ? v >> 1 ^ 0xedb88320 : v >> 1;
            table[slice][k] = v;
        }
    }
    __syncthreads();
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, crc = ~0u, word = in[i];
    for (u32 k = 0; k < words; ++k) {
        crc ^= word;
        crc = table[3][crc & 255] ^ table[2][crc >> 8 & 255] ^ table[1][crc >> 16 & 255] ^ table[0][crc >> 24];
        word = word * 69069 + 1;
    }
    out[i] = ~crc;
}

__device__ u32 letter(u32 v) {
    return v < 26 ? v + 'A' : v < 52 ? v + 71 : v < 62 ? v - 4 : v == 62 ? '+' : '/';
}

// Three words to four.
extern "C" __global__ void base64(const u32 *in, u32 *out) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, v[4];
    for (int k = 0; k < 3; ++k)
        v[k] = __byte_perm(in[3 * i + k], 0, 0x0123);
    v[3] = v[2];
    v[2] = v[1] << 16 | v[2] >> 16;
    v[1] = v[0] << 24 | v[1] >> 8;
    u32 group[4] = {v[0] >> 8, v[1] & 0xffffff, v[2] >> 8 & 0xffffff, v[3] & 0xffffff};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        u32 g = group[k];
        out[4 * i + k] = letter(g >> 18 & 63) | letter(g >> 12 & 63) << 8 | letter(g >> 6 & 63) << 16 | letter(g & 63) << 24;
    }
}

// Codes of two to six bits; a table has length and symbol of the next six.
extern "C" __global__ void prefix_codes(const u32 *bits, u32 *out, u32 symbols) {
    __shared__ u32 table[64];
    for (u32 k = threadIdx.x; k < 64; k += blockDim.x) {
        u32 ones = __clz(~(k << 26)), length = min(ones + 2, 6u);
        table[k] = length << 8 | k >> (6 - length);
    }
    __syncthreads();
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, at = 0, hash = 0;
    for (u32 n = 0; n < symbols && at < 8 * 32 - 64; ++n) {
        u32 word = at / 32, shift = at & 31;
        u32 window = __funnelshift_l(bits[(word + 1) * all + i], bits[word * all + i], shift) >> 26;
        u32 entry = table[window];
        hash = hash * 31 + (entry & 255);
        at += entry >> 8;
    }
    out[i] = hash ^ at;
}
