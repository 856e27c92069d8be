"""Numba kernels of many kinds, for the modules that Numba hands to libNVVM.

KERNELS is a list of (name, function, signature); `tools/xtask/py/numba_ll.py` compiles each.
"""
import math

import numpy as np
from numba import cuda, float32, float64, int32, int64

KERNELS = []


def kernel(signature, suffix=""):
    def note(function):
        KERNELS.append((function.__name__ + suffix, function, signature))
        return function

    return note


@kernel("void(float32[:], float32[:], float32[:])", "_f32")
@kernel("void(float64[::1], float64[::1], float64[::1])", "_f64")
@kernel("void(int8[:], int8[:], int8[:])", "_i8")
@kernel("void(complex64[:], complex64[:], complex64[:])", "_c64")
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@kernel("void(float32[:,:], float32[:,:], float32[:,:])")
def matmul(a, b, c):
    sa = cuda.shared.array((16, 16), dtype=float32)
    sb = cuda.shared.array((16, 16), dtype=float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0.0)
    for i in range(a.shape[1] // 16):
        sa[tx, ty] = a[x, ty + i * 16]
        sb[tx, ty] = b[tx + i * 16, y]
        cuda.syncthreads()
        for j in range(16):
            total += sa[tx, j] * sb[j, ty]
        cuda.syncthreads()
    c[x, y] = total


@kernel("void(int32[:], int32[:])")
def histogram(data, bins):
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(bins, data[i] & 255, 1)


@kernel("void(float32[:], float32[:], int32[:], uint64[:])")
def atomics(f, g, i, u):
    t = cuda.grid(1)
    cuda.atomic.add(f, 0, g[t])
    cuda.atomic.max(g, 0, f[t])
    cuda.atomic.min(i, 1, t)
    cuda.atomic.sub(i, 2, 3)
    cuda.atomic.and_(i, 3, t)
    cuda.atomic.or_(i, 4, t)
    cuda.atomic.xor(i, 5, t)
    cuda.atomic.exch(i, 6, t)
    cuda.atomic.inc(u, 7, 9)
    cuda.atomic.cas(i, 8, 1, t)


@kernel("void(int32[:], int32[:])")
def warp(a, b):
    t = cuda.grid(1)
    v = a[t]
    for d in (16, 8, 4, 2, 1):
        v += cuda.shfl_down_sync(0xFFFFFFFF, v, d)
    m = cuda.ballot_sync(0xFFFFFFFF, v > 3)
    if cuda.any_sync(0xFFFFFFFF, v == 7):
        m |= cuda.popc(v)
    cuda.syncwarp()
    b[t] = m + cuda.laneid


@kernel("void(float64[:], float64[:])")
def transcendental(a, b):
    i = cuda.grid(1)
    x = a[i]
    b[i] = math.sin(x) + math.exp(x) * math.log(abs(x) + 1) + math.erf(x) + math.gamma(x) + math.atan2(x, 2.0)


@kernel("void(float32[:], float32[:])")
def libdevice(a, b):
    i = cuda.grid(1)
    x = a[i]
    b[i] = cuda.fma(x, x, x) + cuda.cbrt(x) + math.sqrt(x) + math.pow(x, float32(1.5)) + math.floor(x)


@kernel("void(int64[:], int64)")
def while_loops(out, n):
    i = cuda.grid(1)
    count = 0
    value = n + i
    while value != 1 and count < 1000:
        if value % 2 == 0:
            value //= 2
        else:
            value = 3 * value + 1
        count += 1
    out[i] = count


@kernel("void(int32[:], int32[:], float64)")
def division(a, b, s):
    i = cuda.grid(1)
    b[i] = a[i] // (i + 1) + a[i] % (i + 3) + int32(s / (a[i] + 1.5))


@kernel("void(float32[:], float32[:])")
def local_array(a, out):
    work = cuda.local.array(32, dtype=float32)
    i = cuda.grid(1)
    for k in range(32):
        work[k] = a[(i + k) % a.size]
    for k in range(31):
        for j in range(31 - k):
            if work[j] > work[j + 1]:
                work[j], work[j + 1] = work[j + 1], work[j]
    out[i] = work[16]


TABLE = np.arange(64, dtype=np.float32) * 0.5


@kernel("void(float32[:])")
def constant_table(out):
    table = cuda.const.array_like(TABLE)
    i = cuda.grid(1)
    out[i] = table[i % 64]


@cuda.jit(device=True)
def square(x):
    return x * x


@cuda.jit(device=True, inline=False)
def fibonacci(n):
    if n < 2:
        return n
    a, b = 0, 1
    for _ in range(n - 1):
        a, b = b, a + b
    return b


@kernel("void(int64[:])")
def device_calls(out):
    i = cuda.grid(1)
    out[i] = square(i) + fibonacci(i)


@kernel("void(float32[:], int32)")
def dynamic_shared(out, n):
    s = cuda.shared.array(0, dtype=float32)
    t = cuda.threadIdx.x
    s[t] = float32(t)
    cuda.syncthreads()
    out[t] = s[n - t - 1]


@kernel("void(int32[:])")
def printing(out):
    i = cuda.grid(1)
    if i == 0:
        print("first", i, out.size, 1.5)
    out[i] = i


@kernel("void(int32[:], int32[:])")
def fences(a, b):
    i = cuda.grid(1)
    a[i] = i
    cuda.threadfence()
    b[i] = 1
    cuda.threadfence_block()
    cuda.threadfence_system()
    v = a[i]
    b[i] = v + cuda.syncthreads_count(v) + cuda.syncthreads_and(v) + cuda.syncthreads_or(v)


@kernel("void(int64[:,:,:], int64[:,:,:])")
def stencil3d(a, b):
    x, y, z = cuda.grid(3)
    if 0 < x < a.shape[0] - 1 and 0 < y < a.shape[1] - 1 and 0 < z < a.shape[2] - 1:
        b[x, y, z] = (a[x - 1, y, z] + a[x + 1, y, z] + a[x, y - 1, z] + a[x, y + 1, z]
                      + a[x, y, z - 1] + a[x, y, z + 1] - 6 * a[x, y, z])


@kernel("void(uint8[:,:], float64, float64, float64, float64, uint32)")
def mandelbrot(image, x0, x1, y0, y1, limit):
    i, j = cuda.grid(2)
    if i < image.shape[0] and j < image.shape[1]:
        c = complex(x0 + j * (x1 - x0) / image.shape[1], y0 + i * (y1 - y0) / image.shape[0])
        z = 0j
        for k in range(limit):
            z = z * z + c
            if z.real * z.real + z.imag * z.imag >= 4:
                image[i, j] = k & 255
                return
        image[i, j] = 255


@kernel("void(float32[:], float32[:], boolean)")
def tuples(a, b, up):
    i = cuda.grid(1)
    pair = (a[i], a[i + 1])
    low, high = (min(pair[0], pair[1]), max(pair[0], pair[1]))
    b[i] = low if up else high


@kernel("int32(int32, int32)")
def device_function(a, b):
    return a * b + a


@kernel("void(int64[:], int64[:])")
def scan(a, out):
    s = cuda.shared.array(256, dtype=int64)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncthreads()
    d = 1
    while d < 256:
        v = s[t - d] if t >= d else 0
        cuda.syncthreads()
        s[t] += v
        cuda.syncthreads()
        d *= 2
    out[t] = s[t]


@kernel("void(float64[:], float64[:], float64[:])")
def nbody(x, y, out):
    i = cuda.grid(1)
    fx = float64(0.0)
    for j in range(x.size):
        dx = x[j] - x[i]
        dy = y[j] - y[i]
        r = dx * dx + dy * dy + 1e-9
        fx += dx / (r * math.sqrt(r))
    out[i] = fx


@kernel("void(int32[:], int32[:])")
def bits(a, b):
    i = cuda.grid(1)
    b[i] = cuda.popc(a[i]) + cuda.clz(a[i]) + cuda.brev(a[i]) + cuda.ffs(a[i]) + (a[i] << 3) + (a[i] >> 2)


@kernel("void(int32[:])")
def cooperative(out):
    grid = cuda.cg.this_grid()
    out[cuda.grid(1)] = 1
    grid.sync()
    out[cuda.grid(1)] += out[0]
