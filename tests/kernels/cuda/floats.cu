// Single and double precision: all roundings, division, roots, conversions; functions of the library whose code
// has no approximate instruction; those that have some are only held against the double-precision ones.
// make: nvcc 90 -fmad=false
// run: --kernel float_math --grid 1 --block 32 --arg u32[64]=random:1 --arg u32[512]=0 --print 1:8
// run: --kernel float_math --grid 2 --block 45 --arg f32[180]=random:2 --arg u32[1440]=0 --print 1:8
// run: --kernel float_math --grid 1 --block 3 --arg u32[6]=0x7f800000,0x80000000,0x00000001,0x007fffff,0x7f7fffff,0x3f800001 --arg u32[48]=0 --print 1:16
// run: --kernel double_math --grid 1 --block 32 --arg u64[64]=random:3 --arg u64[512]=0 --print 1:8
// run: --kernel double_math --grid 2 --block 33 --arg f64[132]=random:4 --arg u64[1056]=0 --print 1:8
// run: --kernel double_math --grid 1 --block 2,2 --arg u64[8]=0x7ff0000000000000,0x8000000000000000,1,0x000fffffffffffff,0x7fefffffffffffff,0x3ff0000000000001,0x4330000000000001,0xc1e0000000200000 --arg u64[64]=0 --print 1:16
// run: --kernel conversions --grid 1 --block 32 --arg u32[32]=random:5 --arg u64[32]=random:6 --arg u64[512]=0 --print 2:8
// run: --kernel conversions --grid 3 --block 17 --arg f32[51]=iota:-25:0.75 --arg f64[51]=iota:-3000000000:123456789.5 --arg u64[816]=0 --print 2:8
// run: --kernel conversions --grid 1 --block 4 --arg u32[4]=0x7fc00000,0x4f000000,0xcf000001,0x5f800000 --arg u64[4]=0x7ff8000000000000,0x41e0000000000000,0xc3e0000000000001,0x43f0000000000000 --arg u64[64]=0 --print 2:16
// run: --kernel library_functions --grid 1 --block 64 --arg f32[64]=iota:-8:0.25 --arg u32[384]=0 --print 1:8
// run: --kernel library_functions --grid 2 --block 50 --arg f32[100]=random:7 --arg u32[600]=0 --print 1:8
// run: --kernel library_functions --grid 1 --block 10 --arg f32[10]=1e6,1e10,-3e20,1e-10,1e-40,105615,0.785398,-1.5707963,3.4e38,2097152 --arg u32[60]=0 --print 1:8
// run: --kernel library_doubles --grid 1 --block 32 --arg f64[32]=iota:-4:0.25 --arg u64[192]=0 --print 1:8
// run: --kernel library_doubles --grid 2 --block 21 --arg f64[42]=random:8 --arg u64[252]=0 --print 1:8
// run: --kernel library_doubles --grid 1 --block 4 --arg f64[4]=1e5,1e100,-1e-300,700 --arg u64[24]=0 --print 1:8
// run: --kernel close_enough --grid 1 --block 64 --arg f32[64]=iota:-8:0.25 --arg u32[64]=0 --print 1:8
// run: --kernel close_enough --grid 2 --block 100 --arg f32[200]=random:9 --arg u32[200]=0 --print 1:8
// run: --kernel close_enough --grid 1 --block 33 --arg f32[33]=iota:0.001:0.7 --arg u32[33]=0 --print 1:8

__device__ unsigned thread_in_grid() {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
}

// One NaN for all.
__device__ unsigned bits(float v) { return v != v ? 0x7fffffff : __float_as_uint(v); }
__device__ unsigned long long bits(double v) { return v != v ? 0x7fffffffffffffffll : __double_as_longlong(v); }

extern "C" __global__ void float_math(const float *in, unsigned *out) {
    unsigned i = thread_in_grid();
    float a = in[2 * i], b = in[2 * i + 1];
    out += 16 * i;
    out[0] = bits(__fadd_rn(a, b));
    out[1] = bits(__fadd_rd(a, b));
    out[2] = bits(__fsub_ru(a, b));
    out[3] = bits(__fmul_rz(a, b));
    out[4] = bits(__fmul_rn(a, b));
    out[5] = bits(__fmaf_rd(a, b, a));
    out[6] = bits(__fmaf_rn(a, b, -b));
    out[7] = bits(a / b);
    out[8] = bits(__fdiv_ru(b, a));
    out[9] = bits(sqrtf(fabsf(a)));
    out[10] = bits(__fsqrt_rd(fabsf(b)));
    out[11] = bits(__frcp_rn(a));
    out[12] = bits(fminf(a, b)) ^ bits(fmaxf(a, -b));
    out[13] = bits(__saturatef(a + b));
    out[14] = bits(fmodf(fabsf(a), 3.7f));
    out[15] = bits(nextafterf(b, a)) + (unsigned)ilogbf(fabsf(a) + 1.0f);
}

extern "C" __global__ void double_math(const double *in, unsigned long long *out) {
    unsigned i = thread_in_grid();
    double a = in[2 * i], b = in[2 * i + 1];
    out += 16 * i;
    out[0] = bits(__dadd_rn(a, b));
    out[1] = bits(__dadd_ru(a, b));
    out[2] = bits(__dsub_rz(a, b));
    out[3] = bits(__dmul_rd(a, b));
    out[4] = bits(__dmul_rn(a, b));
    out[5] = bits(__fma_ru(a, b, a));
    out[6] = bits(__fma_rn(a, b, -b));
    out[7] = bits(a / b);
    out[8] = bits(__ddiv_rz(b, a));
    out[9] = bits(sqrt(fabs(a)));
    out[10] = bits(__dsqrt_ru(fabs(b)));
    out[11] = bits(__drcp_rn(a));
    out[12] = bits(fmin(a, b)) ^ bits(fmax(a, -b));
    out[13] = bits(ldexp(b, -3)) + bits(floor(a));
    out[14] = bits(trunc(b)) ^ bits(rint(a));
    out[15] = bits(copysign(a, b));
}

extern "C" __global__ void conversions(const float *f, const double *d, unsigned long long *out) {
    unsigned i = thread_in_grid();
    float a = f[i];
    double b = d[i];
    out += 16 * i;
    out[0] = (unsigned)__float2int_rz(a);
    out[1] = (unsigned)__float2int_rd(a);
    out[2] = __float2uint_ru(a);
    out[3] = __float2ll_rn(a);
    out[4] = __float2ull_rz(a);
    out[5] = (unsigned)__double2int_rn(b);
    out[6] = __double2uint_rz(b);
    out[7] = __double2ll_rd(b);
    out[8] = __double2ull_ru(b);
    out[9] = bits(__double2float_rz(b));
    out[10] = bits((double)a);
    out[11] = bits(__ll2float_rn((long long)bits(b)));
    out[12] = bits(__ull2double_rd(bits(b)));
    out[13] = bits(__int2float_rz((int)bits(a))) + bits(__uint2float_ru(bits(a)));
    out[14] = bits(rintf(a)) + ((unsigned long long)bits(ceilf(a)) << 32);
    out[15] = bits(roundf(a)) + ((unsigned long long)bits(floorf(a)) << 32);
}

extern "C" __global__ void library_functions(const float *in, unsigned *out) {
    unsigned i = thread_in_grid();
    float a = in[i];
    out += 6 * i;
    out[0] = bits(sinf(a));
    out[1] = bits(cosf(a));
    out[2] = bits(logf(fabsf(a)));
    out[3] = bits(log1pf(fabsf(a)));
    out[4] = bits(remainderf(a, 0.7f));
    out[5] = bits(log2f(fabsf(a) + 1.0f));
}

extern "C" __global__ void library_doubles(const double *in, unsigned long long *out) {
    unsigned i = thread_in_grid();
    double a = in[i];
    out += 6 * i;
    out[0] = bits(exp(a));
    out[1] = bits(sin(a));
    out[2] = bits(cos(a));
    out[3] = bits(sinpi(a));
    out[4] = bits(expm1(a));
    out[5] = bits(fmod(fabs(a), 0.1));
}

// How many of these functions are within a few units in the last place of the exact value.
extern "C" __global__ void close_enough(const float *in, unsigned *out) {
    unsigned i = thread_in_grid(), good = 0;
    float a = in[i];
    auto check = [&](float got, double exact) {
        double unit = fabs(exact) * 0x1p-23;
        good += fabs((double)got - exact) <= 8 * unit + 0x1p-140;
    };
    check(expf(a), exp((double)a));
    check(exp2f(a), exp2((double)a));
    check(tanhf(a), tanh((double)a));
    check(rsqrtf(fabsf(a) + 1.0f), 1.0 / sqrt((double)(fabsf(a) + 1.0f)));
    check(erff(a), erf((double)a));
    check(atanf(a), atan((double)a));
    check(powf(fabsf(a) + 0.5f, 1.25f), pow((double)(fabsf(a) + 0.5f), 1.25));
    out[i] = good;
}
