// What all programs here use: a way to check calls and results.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CALL(what)                                                                          \
    do {                                                                                    \
        cudaError_t status = (what);                                                        \
        if (status != cudaSuccess) {                                                        \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));     \
            std::exit(1);                                                                   \
        }                                                                                   \
    } while (0)

// Memory that host and device see, filled with a value.
template <typename T> struct Buffer {
    T *data = nullptr;
    size_t count;
    Buffer(size_t count, T value = T()) : count(count) {
        CALL(cudaMallocManaged(&data, count * sizeof(T)));
        for (size_t i = 0; i < count; i++) data[i] = value;
    }
    ~Buffer() { cudaFree(data); }
    T &operator[](size_t i) { return data[i]; }
};

inline void finish() {
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
}

template <typename T> void expect(const char *what, T got, T wanted) {
    if (!(got == wanted)) {
        std::printf("%s: %g and not %g\n", what, double(got), double(wanted));
        std::exit(1);
    }
}
