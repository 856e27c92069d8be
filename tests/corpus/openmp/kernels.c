// Offloaded loops, reductions and data regions, as an OpenMP program has them.
#include <stddef.h>

#pragma omp declare target
static int counter;
double table[64];
static double poly(double x) { return ((x * 3.0 + 2.0) * x + 1.0) * x; }
struct Pair { int first; double second; };
#pragma omp end declare target

void saxpy(int n, float a, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : y[0:n])
    for (int i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];
}

double dot(int n, const double *x, const double *y) {
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : x[0:n], y[0:n])
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

void matmul(int n, const double *a, const double *b, double *c) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:n * n], b[0:n * n]) map(from : c[0:n * n])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

void phases(int n, int *data) {
#pragma omp target map(tofrom : data[0:n])
    {
        int local[16];
#pragma omp parallel num_threads(64)
        {
#pragma omp for schedule(dynamic, 4) nowait
            for (int i = 0; i < n; ++i)
                data[i] += i;
#pragma omp barrier
#pragma omp critical
            counter += 1;
#pragma omp single
            local[n & 15] = counter;
#pragma omp master
            data[0] = local[n & 15];
        }
    }
}

void atomics(int n, int *hist, const unsigned char *in) {
#pragma omp target teams distribute parallel for map(tofrom : hist[0:256]) map(to : in[0:n])
    for (int i = 0; i < n; ++i) {
#pragma omp atomic update
        hist[in[i]] += 1;
    }
}

int minimum(int n, const struct Pair *pairs) {
    int low = 1 << 30;
#pragma omp target teams distribute parallel for simd reduction(min : low) map(to : pairs[0:n])
    for (int i = 0; i < n; ++i) {
        int v = pairs[i].first + (int)poly(pairs[i].second) + (int)table[i & 63];
        low = v < low ? v : low;
    }
    return low;
}
