// Ciphers in counter mode: AES-128 by tables in shared memory, ChaCha20, XTEA and Speck.
// make: nvcc 90 -fmad=false
// run: --kernel aes128 --grid 2 --block 32 --arg u32[256]=0 --arg u32[4]=random:1 --arg u32=2 --print 0:4
// bench: --kernel aes128 --grid 1056 --block 256 --arg u32[1081344]=0 --arg u32[4]=random:1 --arg u32=12
// run: --kernel chacha20 --grid 2 --block 20 --arg u32[640]=0 --arg u32[8]=random:2 --arg u32=2 --print 0:8
// bench: --kernel chacha20 --grid 1056 --block 128 --arg u32[2162688]=0 --arg u32[8]=random:2 --arg u32=24
// run: --kernel xtea --grid 2 --block 33 --arg u32[132]=0 --arg u32[4]=random:3 --arg u32=3 --print 0:4
// bench: --kernel xtea --grid 1056 --block 256 --arg u32[540672]=0 --arg u32[4]=random:3 --arg u32=60
// run: --kernel speck --grid 2 --block 33 --arg u64[66]=0 --arg u64=81985529216486895 --arg u32=3 --print 0:4
// bench: --kernel speck --grid 1056 --block 256 --arg u64[270336]=0 --arg u64=81985529216486895 --arg u32=100

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u32 place() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ u32 doubled(u32 v) {
    return (v << 1 ^ (v & 0x80 ? 0x1b : 0)) & 0xff;
}

__device__ u32 times(u32 a, u32 b) {
    u32 r = 0;
    for (int k = 0; k < 8; ++k) {
        r ^= b >> k & 1 ? a : 0;
        a = doubled(a);
    }
    return r;
}

// The S-box from its definition: the inverse (v to the power of 254), and an affine map.
__device__ u32 substituted(u32 v) {
    u32 power = v, inverse = 1;
    for (int k = 1; k < 8; ++k) {
        power = times(power, power);
        inverse = times(inverse, power);
    }
    u32 r = inverse;
    for (int k = 1; k < 5; ++k)
        r ^= inverse << k | inverse >> (8 - k);
    return (r ^ 0x63) & 0xff;
}

extern "C" __global__ void aes128(u32 *out, const u32 *key, u32 blocks) {
    __shared__ u32 table[256], round_keys[44];
    __shared__ unsigned char box[256];
    for (u32 k = threadIdx.x; k < 256; k += blockDim.x) {
        u32 s = substituted(k), d = doubled(s);
        box[k] = s;
        table[k] = d | s << 8 | s << 16 | (d ^ s) << 24;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 factor = 1;
        for (int k = 0; k < 44; ++k) {
            u32 w = k < 4 ? key[k] : round_keys[k - 1];
            if (k >= 4) {
                if (k % 4 == 0) {
                    u32 turned = w >> 8 | w << 24, s = 0;
                    for (int b = 0; b < 32; b += 8)
                        s |= (u32)box[turned >> b & 255] << b;
                    w = s ^ factor;
                    factor = doubled(factor);
                }
                w ^= round_keys[k - 4];
            }
            round_keys[k] = w;
        }
    }
    __syncthreads();
    u32 sum[4] = {0, 0, 0, 0};
    for (u32 n = 0; n < blocks; ++n) {
        u32 s[4] = {place(), n, 0, 0}, t[4];
        for (int k = 0; k < 4; ++k)
            s[k] ^= round_keys[k];
#pragma unroll
        for (int r = 1; r < 10; ++r) {
            for (int k = 0; k < 4; ++k) {
                u32 a = table[s[k] & 255], b = table[s[(k + 1) & 3] >> 8 & 255];
                u32 c = table[s[(k + 2) & 3] >> 16 & 255], d = table[s[(k + 3) & 3] >> 24];
                t[k] = a ^ __funnelshift_l(b, b, 8) ^ __funnelshift_l(c, c, 16) ^ __funnelshift_l(d, d, 24) ^
                       round_keys[4 * r + k];
            }
            for (int k = 0; k < 4; ++k)
                s[k] = t[k];
        }
        for (int k = 0; k < 4; ++k)
            sum[k] ^= (box[s[k] & 255] | box[s[(k + 1) & 3] >> 8 & 255] << 8 | box[s[(k + 2) & 3] >> 16 & 255] << 16 |
                       (u32)box[s[(k + 3) & 3] >> 24] << 24) ^
                      round_keys[40 + k];
    }
    for (int k = 0; k < 4; ++k)
        out[place() * 4 + k] = sum[k];
}

__device__ void quarter(u32 &a, u32 &b, u32 &c, u32 &d) {
    a += b;
    d = __funnelshift_l(d ^ a, d ^ a, 16);
    c += d;
    b = __funnelshift_l(b ^ c, b ^ c, 12);
    a += b;
    d = __funnelshift_l(d ^ a, d ^ a, 8);
    c += d;
    b = __funnelshift_l(b ^ c, b ^ c, 7);
}

extern "C" __global__ void chacha20(u32 *out, const u32 *key, u32 blocks) {
    u32 start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, sum[16] = {};
    for (int k = 0; k < 8; ++k)
        start[4 + k] = key[k];
    start[13] = place();
    start[14] = start[15] = 7;
    for (u32 n = 0; n < blocks; ++n) {
        u32 s[16];
        start[12] = n;
        for (int k = 0; k < 16; ++k)
            s[k] = start[k];
        for (int r = 0; r < 10; ++r) {
            quarter(s[0], s[4], s[8], s[12]);
            quarter(s[1], s[5], s[9], s[13]);
            quarter(s[2], s[6], s[10], s[14]);
            quarter(s[3], s[7], s[11], s[15]);
            quarter(s[0], s[5], s[10], s[15]);
            quarter(s[1], s[6], s[11], s[12]);
            quarter(s[2], s[7], s[8], s[13]);
            quarter(s[3], s[4], s[9], s[14]);
        }
        for (int k = 0; k < 16; ++k)
            sum[k] ^= s[k] + start[k];
    }
    for (int k = 0; k < 16; ++k)
        out[place() * 16 + k] = sum[k];
}

extern "C" __global__ void xtea(u32 *out, const u32 *key, u32 blocks) {
    u32 a = place(), b = 0;
    for (u32 n = 0; n < blocks; ++n) {
        u32 sum = 0;
        for (int r = 0; r < 32; ++r) {
            a += (b << 4 ^ b >> 5) + b ^ sum + key[sum & 3];
            sum += 0x9e3779b9;
            b += (a << 4 ^ a >> 5) + a ^ sum + key[sum >> 11 & 3];
        }
    }
    out[place() * 2] = a;
    out[place() * 2 + 1] = b;
}

extern "C" __global__ void speck(u64 *out, u64 key, u32 blocks) {
    u64 x = place(), y = key;
    for (u32 n = 0; n < blocks; ++n) {
        u64 a = key, b = ~key;
#pragma unroll 8
        for (int r = 0; r < 32; ++r) {
            x = (x >> 8 | x << 56) + y ^ a;
            y = (y << 3 | y >> 61) ^ x;
            b = (b >> 8 | b << 56) + a ^ r;
            a = (a << 3 | a >> 61) ^ b;
        }
    }
    out[place()] = x ^ y;
}
