// Digests, computed again and again from their own result: SHA-256, BLAKE2s, Keccak, SipHash and xxHash64.
// make: nvcc 90 -fmad=false
// run: --kernel sha256_chain --grid 2 --block 32 --arg u32[512]=0 --arg u32=2 --print 0:8
// bench: --kernel sha256_chain --grid 1056 --block 256 --arg u32[2162688]=0 --arg u32=16
// run: --kernel blake2s_chain --grid 2 --block 40 --arg u32[640]=0 --arg u32=2 --print 0:8
// bench: --kernel blake2s_chain --grid 1056 --block 256 --arg u32[2162688]=0 --arg u32=20
// run: --kernel keccak --grid 2 --block 20 --arg u64[160]=0 --arg u32=2 --print 0:4
// bench: --kernel keccak --grid 1056 --block 128 --arg u64[540672]=0 --arg u32=10
// run: --kernel siphash --grid 2 --block 33 --arg u64[66]=0 --arg u32=8 --print 0:4
// bench: --kernel siphash --grid 1056 --block 256 --arg u64[270336]=0 --arg u32=400
// run: --kernel xxhash64 --grid 2 --block 33 --arg u64[66]=0 --arg u32=5 --print 0:4
// bench: --kernel xxhash64 --grid 1056 --block 256 --arg u64[270336]=0 --arg u32=150

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u32 place() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ u32 right(u32 v, int n) {
    return __funnelshift_r(v, v, n);
}

__constant__ u32 sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

extern "C" __global__ void sha256_chain(u32 *out, u32 times) {
    const u32 first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    u32 digest[8];
    for (int k = 0; k < 8; ++k)
        digest[k] = place() * 8 + k;
    for (u32 n = 0; n < times; ++n) {
        u32 w[16], s[8];
        for (int k = 0; k < 8; ++k) {
            w[k] = digest[k];
            s[k] = first[k];
        }
        for (int k = 8; k < 16; ++k)
            w[k] = k == 8 ? 0x80000000u : k == 15 ? 256 : 0;
#pragma unroll
        for (int k = 0; k < 64; ++k) {
            if (k >= 16) {
                u32 a = w[(k + 1) & 15], b = w[(k + 14) & 15];
                w[k & 15] += (right(a, 7) ^ right(a, 18) ^ a >> 3) + w[(k + 9) & 15] +
                             (right(b, 17) ^ right(b, 19) ^ b >> 10);
            }
            u32 e = s[4], a = s[0];
            u32 t1 = s[7] + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + (e & s[5] ^ ~e & s[6]) +
                     sha_constants[k] + w[k & 15];
            u32 t2 = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + (a & s[1] ^ a & s[2] ^ s[1] & s[2]);
            for (int i = 7; i > 0; --i)
                s[i] = s[i - 1];
            s[4] += t1;
            s[0] = t1 + t2;
        }
        for (int k = 0; k < 8; ++k)
            digest[k] = first[k] + s[k];
    }
    for (int k = 0; k < 8; ++k)
        out[place() * 8 + k] = digest[k];
}

__device__ void blake_step(u32 &a, u32 &b, u32 &c, u32 &d, u32 x, u32 y) {
    a += b + x;
    d = right(d ^ a, 16);
    c += d;
    b = right(b ^ c, 12);
    a += b + y;
    d = right(d ^ a, 8);
    c += d;
    b = right(b ^ c, 7);
}

extern "C" __global__ void blake2s_chain(u32 *out, u32 times) {
    const u32 first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char order[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                         {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                         {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                         {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                         {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                         {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                         {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                         {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                         {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                         {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
    u32 digest[8];
    for (int k = 0; k < 8; ++k)
        digest[k] = place() + 977 * k;
    for (u32 n = 0; n < times; ++n) {
        u32 m[16], v[16];
        for (int k = 0; k < 8; ++k) {
            m[k] = digest[k];
            m[k + 8] = 0;
            v[k] = k == 0 ? first[0] ^ 0x01010020 : first[k];
            v[k + 8] = k == 4 ? first[4] ^ 32 : k == 6 ? ~first[6] : first[k];
        }
#pragma unroll
        for (int r = 0; r < 10; ++r) {
            const unsigned char *o = order[r];
            blake_step(v[0], v[4], v[8], v[12], m[o[0]], m[o[1]]);
            blake_step(v[1], v[5], v[9], v[13], m[o[2]], m[o[3]]);
            blake_step(v[2], v[6], v[10], v[14], m[o[4]], m[o[5]]);
            blake_step(v[3], v[7], v[11], v[15], m[o[6]], m[o[7]]);
            blake_step(v[0], v[5], v[10], v[15], m[o[8]], m[o[9]]);
            blake_step(v[1], v[6], v[11], v[12], m[o[10]], m[o[11]]);
            blake_step(v[2], v[7], v[8], v[13], m[o[12]], m[o[13]]);
            blake_step(v[3], v[4], v[9], v[14], m[o[14]], m[o[15]]);
        }
        for (int k = 0; k < 8; ++k)
            digest[k] = (k == 0 ? first[0] ^ 0x01010020 : first[k]) ^ v[k] ^ v[k + 8];
    }
    for (int k = 0; k < 8; ++k)
        out[place() * 8 + k] = digest[k];
}

__device__ u64 left(u64 v, int n) {
    return v << n | v >> (64 - n);
}

__constant__ u64 keccak_constants[24] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull, 0x000000000000808bull,
    0x0000000080000001ull, 0x8000000080008081ull, 0x8000000000008009ull, 0x000000000000008aull, 0x0000000000000088ull,
    0x0000000080008009ull, 0x000000008000000aull, 0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull,
    0x8000000000008003ull, 0x8000000000008002ull, 0x8000000000000080ull, 0x000000000000800aull, 0x800000008000000aull,
    0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};

extern "C" __global__ void keccak(u64 *out, u32 times) {
    u64 a[25];
    for (int k = 0; k < 25; ++k)
        a[k] = place() * 25ull + k;
    for (u32 n = 0; n < times; ++n) {
        for (int r = 0; r < 24; ++r) {
            u64 c[5], b[25];
#pragma unroll
            for (int x = 0; x < 5; ++x)
                c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
            for (int x = 0; x < 5; ++x) {
                u64 d = c[(x + 4) % 5] ^ left(c[(x + 1) % 5], 1);
                for (int y = 0; y < 25; y += 5)
                    a[x + y] ^= d;
            }
            b[0] = a[0];
            int x = 1, y = 0;
#pragma unroll
            for (int t = 0; t < 24; ++t) {
                int turn = (t + 1) * (t + 2) / 2 % 64, next = (2 * x + 3 * y) % 5;
                b[y + 5 * next] = left(a[x + 5 * y], turn);
                x = y;
                y = next;
            }
#pragma unroll
            for (int k = 0; k < 25; k += 5)
                for (int i = 0; i < 5; ++i)
                    a[k + i] = b[k + i] ^ ~b[k + (i + 1) % 5] & b[k + (i + 2) % 5];
            a[0] ^= keccak_constants[r];
        }
    }
    for (int k = 0; k < 4; ++k)
        out[place() * 4 + k] = a[k];
}

__device__ void sip_round(u64 &a, u64 &b, u64 &c, u64 &d) {
    a += b;
    b = left(b, 13) ^ a;
    a = left(a, 32);
    c += d;
    d = left(d, 16) ^ c;
    a += d;
    d = left(d, 21) ^ a;
    c += b;
    b = left(b, 17) ^ c;
    c = left(c, 32);
}

extern "C" __global__ void siphash(u64 *out, u32 words) {
    u64 k0 = 0x0706050403020100ull, k1 = 0x0f0e0d0c0b0a0908ull;
    u64 a = k0 ^ 0x736f6d6570736575ull, b = k1 ^ 0x646f72616e646f6dull;
    u64 c = k0 ^ 0x6c7967656e657261ull, d = k1 ^ 0x7465646279746573ull, m = place();
    for (u32 n = 0; n < words; ++n) {
        d ^= m;
        sip_round(a, b, c, d);
        sip_round(a, b, c, d);
        a ^= m;
        m = m * 6364136223846793005ull + 1442695040888963407ull;
    }
    c ^= 0xff;
    for (int k = 0; k < 4; ++k)
        sip_round(a, b, c, d);
    out[place()] = a ^ b ^ c ^ d;
}

extern "C" __global__ void xxhash64(u64 *out, u32 stripes) {
    const u64 p1 = 0x9e3779b185ebca87ull, p2 = 0xc2b2ae3d27d4eb4full, p3 = 0x165667b19e3779f9ull;
    const u64 p4 = 0x85ebca77c2b2ae63ull;
    u64 seed = place(), v[4] = {seed + p1 + p2, seed + p2, seed, seed - p1}, m = seed;
    for (u32 n = 0; n < stripes; ++n)
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            v[k] = left(v[k] + m * p2, 31) * p1;
            m += 0x9e3779b97f4a7c15ull;
        }
    u64 h = left(v[0], 1) + left(v[1], 7) + left(v[2], 12) + left(v[3], 18);
#pragma unroll
    for (int k = 0; k < 4; ++k)
        h = (h ^ left(v[k] * p2, 31) * p1) * p1 + p4;
    h += 32ull * stripes;
    h = (h ^ h >> 33) * p2;
    h = (h ^ h >> 29) * p3;
    out[place()] = h ^ h >> 32;
}
