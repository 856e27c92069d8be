// Checksums and digests of one message for each thread: CRC-32 by a table, MD5, SHA-256, FNV and Adler.
// make: nvcc 90
// run: --kernel crc32 --grid 1 --block 32 --arg u8[1024]=random:1 --arg u32[32]=0 --arg u32=32 --print 1:8
// run: --kernel crc32 --grid 3 --block 40 --arg u8[1200]=iota --arg u32[120]=0 --arg u32=10 --print 1:8
// run: --kernel crc32 --grid 1 --block 256 --arg u8[256]=random:2 --arg u32[256]=0 --arg u32=1 --print 1:8
// run: --kernel md5 --grid 1 --block 8 --arg u8[800]=random:3 --arg u32[32]=0 --arg u32=100 --print 1:8
// run: --kernel md5 --grid 2 --block 33 --arg u8[660]=iota --arg u32[264]=0 --arg u32=10 --print 1:8
// run: --kernel md5 --grid 1 --block 3 --arg u8[192]=random:4 --arg u32[12]=0 --arg u32=64 --print 1:12
// run: --kernel sha256 --grid 1 --block 8 --arg u8[800]=random:5 --arg u32[64]=0 --arg u32=100 --print 1:8
// run: --kernel sha256 --grid 2 --block 20 --arg u8[120]=iota --arg u32[320]=0 --arg u32=3 --print 1:8
// run: --kernel sha256 --grid 1 --block 2,2 --arg u8[220]=random:6 --arg u32[32]=0 --arg u32=55 --print 1:8
// run: --kernel adler_fnv --grid 1 --block 32 --arg u8[2048]=random:7 --arg u32[32]=0 --arg u64[32]=0 --arg u32=64 --print 1:8
// run: --kernel adler_fnv --grid 2 --block 7 --arg u8[350]=iota --arg u32[14]=0 --arg u64[14]=0 --arg u32=25 --print 1:8
// run: --kernel adler_fnv --grid 1 --block 1 --arg u8[500]=255 --arg u32[1]=0 --arg u64[1]=0 --arg u32=500 --print 1

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

extern "C" __global__ void crc32(const unsigned char *in, unsigned *out, unsigned length) {
    __shared__ unsigned table[256];
    for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) {
        unsigned v = k;
        for (int bit = 0; bit < 8; ++bit)
            v = v & 1 ? v >> 1 ^ 0xedb88320 : v >> 1;
        table[k] = v;
    }
    __syncthreads();
    unsigned i = thread_in_grid(), crc = ~0u;
    for (unsigned k = 0; k < length; ++k)
        crc = crc >> 8 ^ table[(crc ^ in[i * length + k]) & 255];
    out[i] = ~crc;
}

// Byte `at` of the padded message: the bit length stands in the last eight bytes, in the order `big` says.
__device__ unsigned padded(const unsigned char *message, unsigned length, unsigned at, unsigned total, bool big) {
    if (at < length)
        return message[at];
    if (at == length)
        return 0x80;
    if (at < total - 8)
        return 0;
    unsigned place = at - (total - 8);
    unsigned long long bits = 8ull * length;
    return (unsigned)(bits >> 8 * (big ? 7 - place : place)) & 255;
}

__device__ unsigned rotate_left(unsigned v, unsigned by) { return v << by | v >> (32 - by); }
__device__ unsigned rotate_right(unsigned v, unsigned by) { return v >> by | v << (32 - by); }

__constant__ unsigned char md5_shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
__constant__ unsigned md5_sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
    0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
    0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
    0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
    0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

extern "C" __global__ void md5(const unsigned char *in, unsigned *out, unsigned length) {
    unsigned i = thread_in_grid(), total = (length + 9 + 63) / 64 * 64;
    unsigned state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for (unsigned base = 0; base < total; base += 64) {
        unsigned words[16];
        for (int w = 0; w < 16; ++w) {
            words[w] = 0;
            for (int k = 0; k < 4; ++k)
                words[w] |= padded(in + i * length, length, base + 4 * w + k, total, false) << 8 * k;
        }
        unsigned a = state[0], b = state[1], c = state[2], d = state[3];
        for (int k = 0; k < 64; ++k) {
            unsigned f, g;
            switch (k / 16) {
            case 0: f = (b & c) | (~b & d); g = k; break;
            case 1: f = (d & b) | (~d & c); g = (5 * k + 1) % 16; break;
            case 2: f = b ^ c ^ d; g = (3 * k + 5) % 16; break;
            default: f = c ^ (b | ~d); g = 7 * k % 16; break;
            }
            unsigned next = b + rotate_left(a + f + md5_sines[k] + words[g], md5_shifts[k / 16 * 4 + k % 4]);
            a = d, d = c, c = b, b = next;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    }
    for (int k = 0; k < 4; ++k)
        out[4 * i + k] = state[k];
}

__constant__ unsigned sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

extern "C" __global__ void sha256(const unsigned char *in, unsigned *out, unsigned length) {
    unsigned i = thread_in_grid(), total = (length + 9 + 63) / 64 * 64;
    unsigned state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (unsigned base = 0; base < total; base += 64) {
        unsigned w[64];
        for (int k = 0; k < 16; ++k) {
            w[k] = 0;
            for (int b = 0; b < 4; ++b)
                w[k] = w[k] << 8 | padded(in + i * length, length, base + 4 * k + b, total, true);
        }
        for (int k = 16; k < 64; ++k) {
            unsigned low = rotate_right(w[k - 15], 7) ^ rotate_right(w[k - 15], 18) ^ w[k - 15] >> 3;
            unsigned high = rotate_right(w[k - 2], 17) ^ rotate_right(w[k - 2], 19) ^ w[k - 2] >> 10;
            w[k] = w[k - 16] + low + w[k - 7] + high;
        }
        unsigned v[8];
        for (int k = 0; k < 8; ++k)
            v[k] = state[k];
        for (int k = 0; k < 64; ++k) {
            unsigned high = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
            unsigned choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
            unsigned first = v[7] + high + choice + sha_constants[k] + w[k];
            unsigned low = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
            unsigned majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            for (int s = 7; s > 0; --s)
                v[s] = v[s - 1];
            v[4] += first;
            v[0] = first + low + majority;
        }
        for (int k = 0; k < 8; ++k)
            state[k] += v[k];
    }
    for (int k = 0; k < 8; ++k)
        out[8 * i + k] = state[k];
}

extern "C" __global__ void adler_fnv(const unsigned char *in, unsigned *adler, unsigned long long *fnv, unsigned length) {
    unsigned i = thread_in_grid(), a = 1, b = 0;
    unsigned long long hash = 0xcbf29ce484222325ull;
    for (unsigned k = 0; k < length; ++k) {
        a = (a + in[i * length + k]) % 65521;
        b = (b + a) % 65521;
        hash = (hash ^ in[i * length + k]) * 0x100000001b3ull;
    }
    adler[i] = b << 16 | a;
    fnv[i] = hash;
}
