"""Kernels that compute: integers, floating-point numbers, complex numbers, math functions."""
import math

import numpy as np
from numba import cuda, float32, int32

from suite import case, integers, iota, small, zeros


def set_first(value):
    """Makes the first array hold what the others give."""

    def expected(out, *rest):
        out[...] = value(*rest)

    return expected


@case("void(float32[:], float32[:], float32[:])", 4, 32, lambda: [zeros(100, np.float32), small(100), small(100, seed=8)],
      set_first(lambda x, y: x + y))
def add_floats(out, x, y):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@case("void(float64[:], float64[:], float64)", 2, 64, lambda: [small(128, np.float64), small(128, np.float64, 9), 3.0],
      lambda out, x, a: np.add(out, a * x, out=out))
def axpy_doubles(out, x, a):
    i = cuda.grid(1)
    out[i] = a * x[i] + out[i]


@case("void(int64[:], int32[:], int32[:])", 1, 64, lambda: [zeros(64, np.int64), integers(64), integers(64, seed=12, low=1)],
      set_first(lambda x, y: (x // y).astype(np.int64) * 1000 + x % y))
def floor_division(out, x, y):
    i = cuda.threadIdx.x
    out[i] = (x[i] // y[i]) * 1000 + x[i] % y[i]


@case("void(uint32[:], uint32[:], uint32[:])", 1, 64,
      lambda: [zeros(64, np.uint32), integers(64, np.uint32, 3, 0, 2**32 - 1), integers(64, np.uint32, 4, 0, 31)],
      set_first(lambda x, s: ((x << s) ^ (x >> s)) & np.uint32(0x7FFFFFFF)))
def shifts(out, x, s):
    i = cuda.threadIdx.x
    out[i] = ((x[i] << s[i]) ^ (x[i] >> s[i])) & 0x7FFFFFFF


def bits_expected(out, x):
    for i, value in enumerate(x.tolist()):
        value &= 0xFFFFFFFF
        reverse = int(f"{value:032b}"[::-1], 2)
        leading = 32 - value.bit_length()
        first = (value & -value).bit_length()
        out[i] = (value.bit_count() * 10000 + leading * 100 + first) ^ (reverse & 0xFF)


@case("void(uint32[:], int32[:])", 1, 64, lambda: [zeros(64, np.uint32), integers(64, low=-2**31, high=2**31)], bits_expected)
def bits(out, x):
    i = cuda.threadIdx.x
    out[i] = (cuda.popc(x[i]) * 10000 + cuda.clz(x[i]) * 100 + cuda.ffs(x[i])) ^ (cuda.brev(x[i]) & 0xFF)


@case("void(int8[:], int16[:], int8[:])", 1, 64,
      lambda: [zeros(64, np.int8), integers(64, np.int16, 5), integers(64, np.int8, 6, -128, 128)],
      set_first(lambda wide, narrow: (wide.astype(np.int64) * narrow).astype(np.int8)))
def narrow_integers(out, wide, narrow):
    i = cuda.threadIdx.x
    out[i] = wide[i] * narrow[i]


@case("void(complex64[:], complex64[:], complex64[:])", 1, 32,
      lambda: [zeros(32, np.complex64), (small(32) + 1j * small(32, seed=3)).astype(np.complex64),
               (small(32, seed=4) + 1j * small(32, seed=5)).astype(np.complex64)],
      set_first(lambda x, y: x * y + np.conj(y)))
def complex_products(out, x, y):
    i = cuda.threadIdx.x
    out[i] = x[i] * y[i] + y[i].conjugate()


def close(function, tolerance):
    """1 where a kernel's value is as close to a reference as it must be: all of them."""

    def expected(out, x, reference):
        out[...] = 1

    return expected


def with_reference(function, low, high, dtype=np.float32, count=64):
    def arguments():
        x = np.linspace(low, high, count).astype(dtype)
        reference = np.array([function(value) for value in x.astype(np.float64)]).astype(dtype)
        return [zeros(count), x, reference]

    return arguments


@case("void(int32[:], float32[:], float32[:])", 1, 64, with_reference(math.sin, -6.0, 6.0), close(math.sin, 1e-6))
def sine(out, x, reference):
    i = cuda.threadIdx.x
    out[i] = abs(math.sin(x[i]) - reference[i]) <= 4e-7


@case("void(int32[:], float64[:], float64[:])", 1, 64, with_reference(math.exp, -20.0, 20.0, np.float64), close(math.exp, 0))
def exponential_doubles(out, x, reference):
    i = cuda.threadIdx.x
    out[i] = abs(math.exp(x[i]) - reference[i]) <= 1e-14 * reference[i]


@case("void(int32[:], float32[:], float32[:])", 1, 64, with_reference(math.log, 0.01, 100.0), close(math.log, 0))
def logarithm(out, x, reference):
    i = cuda.threadIdx.x
    out[i] = abs(math.log(x[i]) - reference[i]) <= 2e-6 * (1 + abs(reference[i]))


@case("void(int32[:], float64[:], float64[:])", 1, 64, with_reference(math.erf, -3.0, 3.0, np.float64), close(math.erf, 0))
def error_function(out, x, reference):
    i = cuda.threadIdx.x
    out[i] = abs(math.erf(x[i]) - reference[i]) <= 1e-14


@case("void(int32[:], float32[:], float32[:])", 1, 64, with_reference(lambda x: x ** 1.7, 0.1, 50.0), close(None, 0))
def powers(out, x, reference):
    i = cuda.threadIdx.x
    out[i] = abs(x[i] ** float32(1.7) - reference[i]) <= 2e-6 * reference[i]


@case("void(int32[:], float32[:], float32[:])", 1, 64, with_reference(math.tanh, -4.0, 4.0), close(math.tanh, 0), fastmath=True)
def fast_math(out, x, reference):
    i = cuda.threadIdx.x
    out[i] = abs(math.tanh(x[i]) - reference[i]) <= 1e-3


@case("void(float32[:], float32[:])", 1, 64, lambda: [zeros(64, np.float32), iota(64, np.float32)],
      set_first(lambda x: np.sqrt(x) / (x + np.float32(1))))
def roots_and_quotients(out, x):
    i = cuda.threadIdx.x
    out[i] = math.sqrt(x[i]) / (x[i] + float32(1))


@case("void(float64[:], float64[:])", 1, 64, lambda: [zeros(64, np.float64), iota(64, np.float64, -31.5)],
      lambda out, x: np.copyto(out, np.floor(x) + np.ceil(x) * 64 + np.trunc(x) * 4096 + np.copysign(0.5, x)))
def rounding(out, x):
    i = cuda.threadIdx.x
    out[i] = math.floor(x[i]) + math.ceil(x[i]) * 64 + math.trunc(x[i]) * 4096 + math.copysign(0.5, x[i])


@case("void(int32[:], float32[:])", 1, 64, lambda: [zeros(64), small(64) * np.float32(0.75)],
      set_first(lambda x: x.astype(np.int32) * 2 + (x > 1)))
def conversions(out, x):
    i = cuda.threadIdx.x
    out[i] = int(x[i]) * 2 + (x[i] > 1)


def mandelbrot_expected(out, size):
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            c = complex(x / 16 - 1.5, y / 8 - 1.0)
            z, count = 0j, 0
            while count < 40 and z.real * z.real + z.imag * z.imag < 4.0:
                z = z * z + c
                count += 1
            out[y, x] = count


@case("void(int32[:,:], int32)", (2, 2), (16, 8), lambda: [zeros((16, 32)), 40], mandelbrot_expected)
def mandelbrot(out, limit):
    x, y = cuda.grid(2)
    c = complex(x / 16 - 1.5, y / 8 - 1.0)
    z = 0j
    count = 0
    while count < limit and z.real * z.real + z.imag * z.imag < 4.0:
        z = z * z + c
        count += 1
    out[y, x] = count


@case("void(int64[:], int64[:])", 1, 32, lambda: [zeros(32, np.int64), integers(32, np.int64, 8, -20, 20)],
      set_first(lambda x: x ** 5 - 3 * x ** 2))
def integer_powers(out, x):
    i = cuda.threadIdx.x
    out[i] = x[i] ** 5 - 3 * x[i] ** 2


@case("void(float32[:], float32[:], float32[:])", 1, 64, lambda: [zeros(64, np.float32), small(64), small(64, seed=21)],
      set_first(lambda x, y: np.minimum(x, y) * 100 + np.maximum(x, y)))
def extremes(out, x, y):
    i = cuda.threadIdx.x
    out[i] = min(x[i], y[i]) * float32(100) + max(x[i], y[i])


@case("void(float32[:], float32[:])", 1, 64, lambda: [zeros(64, np.float32), small(64)], set_first(lambda x: x * x + 2))
def fused(out, x):
    i = cuda.threadIdx.x
    out[i] = cuda.fma(x[i], x[i], float32(2))


def hash_expected(out, rounds):
    for i in range(out.size):
        value = i
        for _ in range(rounds):
            value = (value * 1664525 + 1013904223) & 0xFFFFFFFF
            value ^= value >> 16
        out[i] = value


@case("void(uint32[:], int32)", 2, 32, lambda: [zeros(64, np.uint32), 9], hash_expected, lineinfo=True)
def hashes(out, rounds):
    i = cuda.grid(1)
    value = np.uint32(i)
    for _ in range(int32(rounds)):
        value = np.uint32(value * np.uint32(1664525) + np.uint32(1013904223))
        value = np.uint32(value ^ (value >> np.uint32(16)))
    out[i] = value
