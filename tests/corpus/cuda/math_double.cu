// Double precision: basic operations with every rounding, and library functions.
// make: nvcc 75 90a
// make: nvcc 100a @exact -prec-div=true -prec-sqrt=true -fmad=false
// make: nvrtc 60
// make: clang 80

extern "C" __global__ void rounding(const double *in, double *out, long long *n) {
    double a = in[0], b = in[1], c = in[2], r = 0;
    r += __dadd_rn(a, b) + __dadd_rz(a, b) + __dadd_ru(a, b) + __dadd_rd(a, b);
    r += __dmul_rn(a, b) + __dmul_rz(a, b) + __dmul_ru(a, b) + __dmul_rd(a, b);
    r += __fma_rn(a, b, c) + __fma_rz(a, b, c) + __fma_ru(a, b, c) + __fma_rd(a, b, c);
    r += __ddiv_rn(a, b) + __ddiv_rz(a, b) + __drcp_rn(a) + __drcp_ru(b) + __dsqrt_rn(a) + __dsqrt_rd(b);
    n[0] = __double2ll_rn(a) + __double2ll_rz(b) + __double2int_ru(c) + __double2uint_rd(a) + __double_as_longlong(b);
    r += __ll2double_rn(n[1]) + __int2double_rn((int)n[2]) + __ull2double_rz(n[3]) + __longlong_as_double(n[4]);
    r += __hiloint2double(__double2hiint(a), __double2loint(b)) + __double2float_rn(c) + __double2float_rz(a);
    out[0] = r;
}

extern "C" __global__ void functions(const double *in, double *out) {
    double a = in[threadIdx.x], b = in[threadIdx.x + 32], s, c;
    int e;
    double r = sin(a) + cos(b) + tan(a) + exp(a) + exp2(b) + exp10(a) + expm1(b);
    r += log(a) + log2(b) + log10(a) + log1p(b) + pow(a, b) + sqrt(a) + cbrt(b) + rsqrt(a) + hypot(a, b);
    r += asin(a) + acos(b) + atan(a) + atan2(a, b) + sinh(a) + cosh(b) + tanh(a) + asinh(b) + acosh(a) + atanh(b);
    r += erf(a) + erfc(b) + tgamma(a) + lgamma(b) + j0(a) + y1(b) + normcdf(a);
    r += floor(a) + ceil(b) + trunc(a) + rint(b) + round(a) + fmod(a, b) + remainder(a, b) + fdim(a, b);
    r += fmax(a, b) + fmin(a, b) + copysign(a, b) + fabs(b) + ldexp(a, 5) + frexp(b, &e) + logb(a) + nextafter(a, b);
    sincos(a, &s, &c);
    sincospi(b, &s, &c);
    out[threadIdx.x] = r + s + c + e + isnan(a) + isinf(b) + signbit(a) + llrint(a);
}
