#include "check.h"
#include <cassert>
#include <cstring>
#include <unistd.h>
__global__ void print(int n) {
    assert(n == 42);
    printf("thread %d of %d: %s %.2f %lld\n", threadIdx.x, n, "text", 0.25 * threadIdx.x, 1ll << 40);
}
int main() {
    // What the device prints is read back through a pipe.
    int ends[2], kept = dup(1);
    if (pipe(ends)) return 1;
    dup2(ends[1], 1);
    print<<<1, 2>>>(42);
    finish();
    std::fflush(stdout);
    dup2(kept, 1);
    close(ends[1]);
    char text[512] = {};
    size_t size = 0;
    for (ssize_t got; (got = read(ends[0], text + size, sizeof text - 1 - size)) > 0;) size += got;
    const char *wanted = "thread 0 of 42: text 0.00 1099511627776\nthread 1 of 42: text 0.25 1099511627776\n";
    if (std::strcmp(text, wanted)) {
        std::printf("printed: %s\n", text);
        return 1;
    }
    std::puts("ok");
}
