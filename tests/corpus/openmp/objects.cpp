// C++ in target regions: templates, lambdas, virtual-free classes, nested parallelism.
template <typename T> struct Matrix {
    T *data;
    int rows, columns;
    T &at(int i, int j) { return data[i * columns + j]; }
};

template <typename T, typename F> void apply(Matrix<T> m, F f) {
    T *data = m.data;
    int count = m.rows * m.columns;
#pragma omp target teams distribute parallel for map(tofrom : data[0:count]) firstprivate(f)
    for (int i = 0; i < count; ++i)
        data[i] = f(data[i], i);
}

void scale(Matrix<double> m, double by) {
    apply(m, [=](double v, int) { return v * by; });
}

void shift(Matrix<float> m) {
    apply(m, [](float v, int i) { return v + float(i % 3); });
}

long sum(const int *in, int n) {
    long total = 0;
#pragma omp target teams map(to : in[0:n]) map(tofrom : total) reduction(+ : total)
    {
#pragma omp distribute
        for (int block = 0; block < n / 128; ++block) {
            long part = 0;
#pragma omp parallel for reduction(+ : part)
            for (int i = 0; i < 128; ++i)
                part += in[block * 128 + i];
            total += part;
        }
    }
    return total;
}

#pragma omp declare target
int collatz(long n) {
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    return steps;
}
#pragma omp end declare target

void longest(int n, int *best) {
    int most = 0;
#pragma omp target teams distribute parallel for reduction(max : most)
    for (int i = 1; i < n; ++i) {
        int steps = collatz(i);
        most = steps > most ? steps : most;
    }
    *best = most;
}
