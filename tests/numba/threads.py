"""Kernels of warps and blocks, calls, and control flow."""
import numpy as np
from numba import cuda, int32

from suite import case, integers, iota, small, zeros


@case("void(int32[:], int32[:])", 1, 64, lambda: [zeros(2), integers(64)],
      lambda out, x: np.copyto(out, x.reshape(2, 32).sum(1)))
def warp_sum(out, x):
    value = x[cuda.threadIdx.x]
    step = 16
    while step > 0:
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
        step //= 2
    if cuda.laneid == 0:
        out[cuda.threadIdx.x // 32] = value


@case("void(float32[:], float64[:])", 1, 32, lambda: [small(32), small(32, np.float64, 4)],
      lambda x, y: (np.copyto(x, x[np.arange(32) ^ 5]), np.copyto(y, y[np.full(32, 3)])))
def shuffles(x, y):
    lane = cuda.laneid
    x[lane] = cuda.shfl_xor_sync(0xFFFFFFFF, x[lane], 5)
    y[lane] = cuda.shfl_sync(0xFFFFFFFF, y[lane], 3)


def votes_expected(out, x):
    positive = x > 0
    out[:, 0] = sum(1 << i for i in range(31) if positive[i]) - (2**31 if positive[31] else 0)
    out[:, 1] = positive.all()
    out[:, 2] = positive.any()


@case("void(int32[:,:], int32[:])", 1, 32, lambda: [zeros((32, 3)), integers(32)], votes_expected)
def votes(out, x):
    lane = cuda.laneid
    positive = x[lane] > 0
    out[lane, 0] = cuda.ballot_sync(0xFFFFFFFF, positive)
    out[lane, 1] = cuda.all_sync(0xFFFFFFFF, positive)
    out[lane, 2] = cuda.any_sync(0xFFFFFFFF, positive)


def matches_expected(out, x):
    for i in range(32):
        mask = sum(1 << k for k in range(32) if x[k] == x[i])
        out[i] = mask - 2**32 if mask >= 2**31 else mask


@case("void(int32[:], int32[:])", 1, 32, lambda: [zeros(32), integers(32, low=0, high=4)], matches_expected)
def matches(out, x):
    lane = cuda.laneid
    out[lane] = cuda.match_any_sync(0xFFFFFFFF, x[lane])


def barriers_expected(out, x):
    odd = (x & 1) == 1
    out[0], out[1], out[2] = odd.sum(), odd.all(), odd.any()


@case("void(int32[:], int32[:])", 1, 96, lambda: [zeros(3), integers(96)], barriers_expected)
def barriers(out, x):
    odd = x[cuda.threadIdx.x] & 1
    count = cuda.syncthreads_count(odd)
    every = cuda.syncthreads_and(odd)
    some = cuda.syncthreads_or(odd)
    if cuda.threadIdx.x == 0:
        out[0] = count
        out[1] = every != 0
        out[2] = some != 0


@cuda.jit(device=True)
def polynomial(x, a, b):
    return (x * a + b) * x - 3


@cuda.jit("int32(int32, int32)", device=True, inline="never")
def greatest_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


@case("void(int32[:], int32[:])", 1, 64, lambda: [zeros(64), integers(64)],
      lambda out, x: np.copyto(out, (x * 5 + 7) * x - 3))
def device_function(out, x):
    i = cuda.threadIdx.x
    out[i] = polynomial(x[i], 5, 7)


@case("void(int32[:], int32[:], int32[:])", 1, 64,
      lambda: [zeros(64), integers(64, low=1), integers(64, seed=5, low=1)], lambda out, x, y: np.copyto(out, np.gcd(x, y)))
def divisors(out, x, y):
    i = cuda.threadIdx.x
    a, b = x[i], y[i]
    if a < 0:
        a = -a
    if b < 0:
        b = -b
    out[i] = greatest_divisor(a, b)


def collatz_expected(out, start):
    for i in range(out.size):
        value, steps = i + start, 0
        while value != 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            steps += 1
        out[i] = steps


@case("void(int32[:], int64)", 1, 64, lambda: [zeros(64), 1], collatz_expected)
def collatz(out, start):
    i = cuda.threadIdx.x
    value = i + start
    steps = 0
    while value != 1:
        if value % 2 == 0:
            value //= 2
        else:
            value = 3 * value + 1
        steps += 1
    out[i] = steps


def branches_expected(out, x):
    for i, value in enumerate(x.tolist()):
        if value < -500:
            result = 1
        elif value < 0:
            result = value // 3
        elif value % 7 == 0:
            result = 77
        else:
            result = 0
            for k in range(value):
                if k * k > value:
                    break
                if k % 2:
                    continue
                result += k
        out[i] = result


@case("void(int32[:], int32[:])", 1, 64, lambda: [zeros(64), integers(64)], branches_expected)
def branches(out, x):
    i = cuda.threadIdx.x
    value = x[i]
    if value < -500:
        result = 1
    elif value < 0:
        result = value // 3
    elif value % 7 == 0:
        result = 77
    else:
        result = 0
        for k in range(value):
            if k * k > value:
                break
            if k % 2:
                continue
            result += k
    out[i] = result


@case("void(int32[:], UniTuple(int32, 3), boolean)", 1, 32, lambda: [zeros(32), (5, 6, 7), True],
      lambda out, three, flag: np.copyto(out, np.arange(32) * 5 + 6 - (7 if flag else 0)))
def tuples(out, three, flag):
    i = cuda.threadIdx.x
    out[i] = i * three[0] + three[1] - (three[2] if flag else 0)


@case("void(int32[:])", (2, 3), (4, 2, 2), lambda: [zeros(96)],
      lambda out: np.copyto(out, (np.arange(96) % 16) + (np.arange(96) // 16) * 100))
def built_in_numbers(out):
    thread = (cuda.threadIdx.z * cuda.blockDim.y + cuda.threadIdx.y) * cuda.blockDim.x + cuda.threadIdx.x
    block = cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
    out[block * 16 + thread] = thread + block * 100


@case("void(int32[:], int32[:])", 1, 64, lambda: [zeros(64), iota(64)], lambda out, x: np.copyto(out, np.where(x % 3 == 0, x, -x)),
      debug=True, opt=False)
def with_debug_information(out, x):
    i = cuda.threadIdx.x
    out[i] = cuda.selp(x[i] % 3 == 0, x[i], int32(-x[i]))


@case("void(int32[:], int32[:])", 1, 64, lambda: [zeros(64), iota(64)], lambda out, x: np.copyto(out, x + 1),
      launch_bounds=(128, 2))
def bounded(out, x):
    i = cuda.threadIdx.x
    out[i] = x[i] + int32(1)
