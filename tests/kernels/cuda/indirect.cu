// Calls through pointers and tables, virtual functions, a switch, a table of branches.
// make: nvcc 90
// run: --kernel by_pointer --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=random:1 --arg u32[32]=0 --print 2:16
// run: --kernel by_pointer --grid 2 --block 45 --arg u32[90]=random:2 --arg u32[90]=random:3 --arg u32[90]=0 --print 2:16
// run: --kernel by_pointer --grid 1 --block 4,4,4 --arg u32[64]=2 --arg u32[64]=iota --arg u32[64]=0 --print 2:16
// run: --kernel shapes --grid 1 --block 32 --arg s32[32]=iota --arg s32[32]=0 --print 1:16
// run: --kernel shapes --grid 3 --block 20 --arg s32[60]=random:4 --arg s32[60]=0 --print 1:16
// run: --kernel shapes --grid 1 --block 8,8 --arg s32[64]=random:5 --arg s32[64]=0 --print 1:16
// run: --kernel interpreter --grid 1 --block 32 --arg u8[64]=random:6 --arg u32[32]=iota --arg u32[32]=0 --arg u32=64 --print 2:16
// run: --kernel interpreter --grid 2 --block 40 --arg u8[100]=random:7 --arg u32[80]=random:8 --arg u32[80]=0 --arg u32=100 --print 2:16
// run: --kernel interpreter --grid 1 --block 1 --arg u8[24]=iota --arg u32[1]=12345 --arg u32[1]=0 --arg u32=24 --print 2
// run: --kernel jump_table --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1:16
// run: --kernel jump_table --grid 2 --block 50 --arg u32[100]=random:11 --arg u32[100]=0 --print 1:16
// run: --kernel jump_table --grid 1 --block 5,5,2 --arg u32[50]=random:12 --arg u32[50]=0 --print 1:16
// run: --kernel sorted_by --grid 1 --block 8 --arg s32[128]=random:9 --arg u32=16 --print 0:16
// run: --kernel sorted_by --grid 2 --block 35 --arg s32[700]=random:10 --arg u32=10 --print 0:16
// run: --kernel sorted_by --grid 1 --block 3,2 --arg s32[60]=iota --arg u32=10 --print 0:16

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

typedef unsigned (*Operation)(unsigned, unsigned);
__device__ __noinline__ unsigned add(unsigned a, unsigned b) { return a + b; }
__device__ __noinline__ unsigned multiply(unsigned a, unsigned b) { return a * b; }
__device__ __noinline__ unsigned mix(unsigned a, unsigned b) { return (a ^ b) * 0x9e3779b1u >> 3; }
__device__ __noinline__ unsigned divide(unsigned a, unsigned b) { return a / (b % 1000 + 1); }
__device__ Operation operations[4] = {add, multiply, mix, divide};

extern "C" __global__ void by_pointer(const unsigned *which, const unsigned *in, unsigned *out) {
    unsigned i = thread_in_grid(), v = in[i];
    for (unsigned k = 0; k < 4; ++k)
        v = operations[(which[i] + k * k) % 4](v, i + k);
    out[i] = v;
}

struct Shape {
    int size;
    __device__ Shape(int size) : size(size) {}
    __device__ virtual int area() const = 0;
    __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
    __device__ Square(int size) : Shape(size) {}
    __device__ int area() const override { return size * size; }
    __device__ int corners() const override { return 4; }
};
struct Triangle : Shape {
    __device__ Triangle(int size) : Shape(size) {}
    __device__ int area() const override { return size * size / 2; }
    __device__ int corners() const override { return 3; }
};
struct Disc : Shape {
    __device__ Disc(int size) : Shape(size) {}
    __device__ int area() const override { return 3 * size * size; }
};

__device__ __noinline__ int measure(const Shape *shape) { return shape->area() * 10 + shape->corners(); }

// The object lies in local memory; which class it has differs from lane to lane.
extern "C" __global__ void shapes(const int *in, int *out) {
    unsigned i = thread_in_grid();
    int v = in[i] & 0xffff;
    Square square(v % 100);
    Triangle triangle(v % 90);
    Disc disc(v % 80);
    const Shape *all[3] = {&square, &triangle, &disc};
    out[i] = measure(all[v % 3]) + 1000000 * measure(all[(v + i) % 3]);
}

// A stack machine; all threads run the same program on values of their own.
extern "C" __global__ void interpreter(const unsigned char *program, const unsigned *in, unsigned *out, unsigned length) {
    unsigned i = thread_in_grid(), a = in[i], b = i, saved = 1;
    for (unsigned at = 0; at < length; ++at) {
        switch ((program[at] + (a & 1)) % 12) {
        case 0: a += b; break;
        case 1: a -= saved; break;
        case 2: a *= 0x01000193; break;
        case 3: a ^= b >> 3; break;
        case 4: b = a; break;
        case 5: saved = a ^ at; break;
        case 6: a = __brev(a); break;
        case 7: a = a << 5 | a >> 27; break;
        case 8: b += saved * 3; break;
        case 9: a = saved % (b | 1); break;
        case 10: b = __popc(a); break;
        default: a = ~a; saved += 1; break;
        }
    }
    out[i] = a + 3 * b + 5 * saved;
}

// nvcc makes comparisons of a switch, so the table is written by hand. The first case goes round again.
extern "C" __global__ void jump_table(const unsigned *in, unsigned *out) {
    unsigned i = thread_in_grid(), v = in[i], steps = 0;
    asm volatile("{\n"
                 ".reg .b32 which;\n"
                 "targets: .branchtargets again, third, odd, third, end;\n"
                 "start:\n"
                 "add.u32 %1, %1, 1;\n"
                 "rem.u32 which, %0, 5;\n"
                 "brx.idx which, targets;\n"
                 "again:\n"
                 "mad.lo.u32 %0, %0, 3, 7;\n"
                 "bra start;\n"
                 "third:\n"
                 "div.u32 %0, %0, 3;\n"
                 "bra end;\n"
                 "odd:\n"
                 "xor.b32 %0, %0, 1431655765;\n"
                 "end:\n"
                 "}"
                 : "+r"(v), "+r"(steps));
    out[i] = v * 16 + steps;
}

typedef bool (*Before)(int, int);
__device__ __noinline__ bool less(int a, int b) { return a < b; }
__device__ __noinline__ bool greater(int a, int b) { return a > b; }
__device__ __noinline__ bool last_digit(int a, int b) { return (a & 7) < (b & 7) || ((a & 7) == (b & 7) && a < b); }

__device__ __noinline__ void insertion_sort(int *data, unsigned count, Before before) {
    for (unsigned i = 1; i < count; ++i)
        for (unsigned k = i; k > 0 && before(data[k], data[k - 1]); --k) {
            int swap = data[k];
            data[k] = data[k - 1];
            data[k - 1] = swap;
        }
}

// A function taken as an argument, chosen by the thread.
extern "C" __global__ void sorted_by(int *data, unsigned each) {
    unsigned i = thread_in_grid();
    Before before = i % 3 == 0 ? less : i % 3 == 1 ? greater : last_digit;
    insertion_sort(data + i * each, each, before);
}
