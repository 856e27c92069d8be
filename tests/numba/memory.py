"""Kernels that share memory: shared, local and constant arrays, atomics, barriers, records."""
import numpy as np
from numba import cuda, float32, float64, from_dtype, int32, int64

from suite import case, integers, iota, small, zeros

SIZE = 64
TABLE = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32)
PAIR = np.dtype([("a", np.int32), ("b", np.float32), ("c", np.int64)], align=True)
RECORD = from_dtype(PAIR)


@case("void(int32[:], int32[:])", 2, SIZE, lambda: [zeros(128), iota(128)],
      lambda out, x: np.copyto(out, x.reshape(2, SIZE)[:, ::-1].reshape(-1)))
def reverse_shared(out, x):
    tile = cuda.shared.array(SIZE, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    tile[t] = x[i]
    cuda.syncthreads()
    out[i] = tile[SIZE - 1 - t]


def sums_expected(out, x):
    out[...] = x.reshape(out.size, -1).sum(1)


@case("void(float32[:], float32[:])", 4, SIZE, lambda: [zeros(4, np.float32), small(256)], sums_expected)
def reduce_shared(out, x):
    tile = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    tile[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    width = SIZE // 2
    while width > 0:
        if t < width:
            tile[t] += tile[t + width]
        cuda.syncthreads()
        width //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


@case("void(float32[:,:], float32[:,:], float32[:,:])", (2, 2), (8, 8),
      lambda: [zeros((16, 16), np.float32), small(256).reshape(16, 16), small(256, seed=3).reshape(16, 16)],
      lambda out, a, b: np.copyto(out, a @ b))
def matrix_product(out, a, b):
    left = cuda.shared.array((8, 8), float32)
    right = cuda.shared.array((8, 8), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for block in range(2):
        left[ty, tx] = a[y, tx + block * 8]
        right[ty, tx] = b[ty + block * 8, x]
        cuda.syncthreads()
        for k in range(8):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    out[y, x] = total


@case("void(int32[:,:], int32[:,:])", (2, 2), (8, 8), lambda: [zeros((16, 16)), iota(256).reshape(16, 16)],
      lambda out, x: np.copyto(out, x.T))
def transpose(out, x):
    tile = cuda.shared.array((8, 9), int32)
    column, row = cuda.grid(2)
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = x[row, column]
    cuda.syncthreads()
    row = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    column = cuda.blockIdx.y * 8 + cuda.threadIdx.x
    out[row, column] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


@case("void(int32[:], int32[:])", 1, SIZE, lambda: [zeros(SIZE), integers(SIZE)], lambda out, x: np.cumsum(x, out=out))
def prefix_sum(out, x):
    tile = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    step = 1
    while step < SIZE:
        cuda.syncthreads()
        value = tile[t - step] if t >= step else 0
        cuda.syncthreads()
        tile[t] += value
        step *= 2
    cuda.syncthreads()
    out[t] = tile[t]


@case("void(int32[:])", 1, SIZE, lambda: [integers(SIZE, seed=44)], lambda x: x.sort())
def bitonic_sort(x):
    tile = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    cuda.syncthreads()
    size = 2
    while size <= SIZE:
        step = size // 2
        while step > 0:
            other = t ^ step
            if other > t:
                a, b = tile[t], tile[other]
                if (a > b) == ((t & size) == 0):
                    tile[t], tile[other] = b, a
            cuda.syncthreads()
            step //= 2
        size *= 2
    x[t] = tile[t]


def local_expected(out, x):
    for i in range(out.size):
        history = [0] * 8
        for k in range(20):
            history[k % 8] += int(x[i]) * k
        out[i] = sum(value * (n + 1) for n, value in enumerate(history))


@case("void(int64[:], int32[:])", 1, 32, lambda: [zeros(32, np.int64), integers(32)], local_expected)
def local_array(out, x):
    history = cuda.local.array(8, int64)
    for k in range(8):
        history[k] = 0
    i = cuda.threadIdx.x
    for k in range(20):
        history[k % 8] += x[i] * k
    total = int64(0)
    for k in range(8):
        total += history[k] * (k + 1)
    out[i] = total


@case("void(int32[:])", 1, 32, lambda: [zeros(32)], lambda out: np.copyto(out, TABLE[(np.arange(32) * 3) % 8]))
def constant_array(out):
    table = cuda.const.array_like(TABLE)
    i = cuda.threadIdx.x
    out[i] = table[(i * 3) % 8]


@case("void(int32[:], int32[:])", 4, SIZE, lambda: [zeros(16), integers(256, low=0, high=16)],
      lambda out, x: np.copyto(out, np.bincount(x, minlength=16)))
def histogram(out, x):
    bins = cuda.shared.array(16, int32)
    t = cuda.threadIdx.x
    if t < 16:
        bins[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(bins, x[cuda.grid(1)], 1)
    cuda.syncthreads()
    if t < 16:
        cuda.atomic.add(out, t, bins[t])


@case("void(float32[:], float64[:], float32[:])", 2, SIZE, lambda: [zeros(1, np.float32), zeros(1, np.float64), small(128)],
      lambda single, double, x: (single.fill(x.sum()), double.fill(x.sum())))
def atomic_float_sums(single, double, x):
    i = cuda.grid(1)
    cuda.atomic.add(single, 0, x[i])
    cuda.atomic.add(double, 0, float64(x[i]))


def extremes_expected(out, floats, x):
    out[0], out[1] = max(0, x.max()), min(0, x.min())
    floats[0], floats[1] = max(0, x.max()), min(0, x.min())


@case("void(int32[:], float64[:], int32[:])", 2, SIZE, lambda: [zeros(2), zeros(2, np.float64), integers(128)], extremes_expected)
def atomic_extremes(out, floats, x):
    i = cuda.grid(1)
    cuda.atomic.max(out, 0, x[i])
    cuda.atomic.min(out, 1, x[i])
    cuda.atomic.max(floats, 0, float64(x[i]))
    cuda.atomic.min(floats, 1, float64(x[i]))


def bitwise_expected(out, x):
    out[0] &= np.bitwise_and.reduce(x)
    out[1] |= np.bitwise_or.reduce(x)
    out[2] ^= np.bitwise_xor.reduce(x)
    out[3] = 128 % 10
    out[4] = 127


@case("void(uint32[:], uint32[:])", 2, SIZE,
      lambda: [np.array([2**32 - 1, 0, 0, 0, 255], np.uint32), integers(128, np.uint32, 8, 0, 2**32 - 1)], bitwise_expected)
def atomic_bits(out, x):
    i = cuda.grid(1)
    cuda.atomic.and_(out, 0, x[i])
    cuda.atomic.or_(out, 1, x[i])
    cuda.atomic.xor(out, 2, x[i])
    cuda.atomic.inc(out, 3, 9)
    cuda.atomic.sub(out, 4, 1)


@case("void(int32[:], int64[:])", 2, 32, lambda: [np.full(1, -1, np.int32), zeros(1, np.int64)],
      lambda winner, total: (winner.fill(7), total.fill(64)))
def atomic_swaps(winner, total):
    if cuda.grid(1) == 7:
        cuda.atomic.exch(winner, 0, 7)
    while True:
        old = total[0]
        if cuda.atomic.cas(total, 0, old, old + 1) == old:
            break


def records_expected(records, out):
    records["a"] += 1
    out[...] = records["a"] * 2 + records["c"]


@case((RECORD[:], int64[:]), 1, 32,
      lambda: [np.array([(i, i * 0.5, i * i) for i in range(32)], PAIR), zeros(32, np.int64)], records_expected)
def records(items, out):
    i = cuda.threadIdx.x
    items[i].a += 1
    out[i] = items[i].a * 2 + items[i].c


@case("void(int32[:], int32[:])", 2, 32, lambda: [zeros(1000), iota(1000)], lambda out, x: np.copyto(out, x * x))
def grid_stride(out, x):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = x[i] * x[i]


@case("void(int32[:,:,:], int32[:,:,:])", (2, 2, 2), (2, 2, 4),
      lambda: [zeros((8, 4, 4)), integers(128).reshape(8, 4, 4)], lambda out, x: np.copyto(out, x[::-1] * 2))
def three_dimensions(out, x):
    i, j, k = cuda.grid(3)
    out[k, j, i] = x[7 - k, j, i] * 2


@case("void(float32[:,:], float32[:,:])", (2, 2), (8, 8), lambda: [zeros((16, 16), np.float32), small(256).reshape(16, 16)],
      lambda out, x: np.copyto(out[1:-1, 1:-1], x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] - 4 * x[1:-1, 1:-1]))
def stencil(out, x):
    i, j = cuda.grid(2)
    if 0 < i < 15 and 0 < j < 15:
        out[j, i] = x[j - 1, i] + x[j + 1, i] + x[j, i - 1] + x[j, i + 1] - float32(4) * x[j, i]


def fence_expected(data, flags, out):
    data[...] = np.arange(64) * 3
    flags[...] = 2
    out[0] = data.sum()


@case("void(int32[:], int32[:], int64[:])", 2, 32, lambda: [zeros(64), zeros(1), zeros(1, np.int64)], fence_expected)
def last_block(data, flags, out):
    last = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    data[i] = i * 3
    cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        last[0] = cuda.atomic.add(flags, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if last[0] and cuda.threadIdx.x == 0:
        cuda.threadfence()
        total = int64(0)
        for k in range(data.size):
            total += data[k]
        out[0] = total
