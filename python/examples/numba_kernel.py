"""Kernels of Numba without a GPU and without libNVVM: Numba's compiler with warpc in the place of libNVVM, run on the CPU.

    pip install ./python numba-cuda
    python python/examples/numba_kernel.py

Each kernel runs as PTX, and as machine code that warpc assembles, on the emulator of machine code.
"""

import numpy as np

import warpc
import warpc.numba  # before numba.cuda, which asks for the run-time library of CUDA

from numba import cuda, float32


def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += a * x[i]


def histogram(data, bins):
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(bins, data[i], 1)


def matmul(a, b, c):
    left = cuda.shared.array((8, 8), dtype=float32)
    right = cuda.shared.array((8, 8), dtype=float32)
    row, column = cuda.grid(2)
    i, j = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for tile in range(a.shape[1] // 8):
        left[i, j] = a[row, tile * 8 + j]
        right[i, j] = b[tile * 8 + i, column]
        cuda.syncthreads()
        for k in range(8):
            total += left[i, k] * right[k, j]
        cuda.syncthreads()
    c[row, column] = total


def representations(function, signature):
    """The kernel as PTX and as machine code."""
    yield "PTX", warpc.numba.compile(function, signature, arch="sm_90").kernel()
    yield "machine code", warpc.numba.compile(function, signature, arch="sm_90", emit="cubin").kernel()


def main():
    random = np.random.default_rng(1)

    for name, kernel in representations(saxpy, "void(float32, float32[:], float32[:])"):
        x, y = random.random((2, 1000), dtype=np.float32)
        expected = y + np.float32(2) * x
        run = kernel.run(8, 128, *warpc.numba.arguments(np.float32(2), x, y))
        np.testing.assert_allclose(y, expected, rtol=1e-6)
        print(f"saxpy, {name}: {run.counts.thread_instructions} thread instructions, as numpy's")

    for name, kernel in representations(histogram, "void(int32[:], int32[:])"):
        data = random.integers(0, 64, 5000, dtype=np.int32)
        bins = np.zeros(64, dtype=np.int32)
        run = kernel.run(4, 128, *warpc.numba.arguments(data, bins))
        np.testing.assert_array_equal(bins, np.bincount(data, minlength=64))
        print(f"histogram, {name}: {run.counts.atomics} atomics, equal to numpy")

    for name, kernel in representations(matmul, "void(float32[:,:], float32[:,:], float32[:,:])"):
        a, b = random.random((2, 32, 32), dtype=np.float32)
        c = np.zeros((32, 32), dtype=np.float32)
        run = kernel.run((4, 4), (8, 8), *warpc.numba.arguments(a, b, c))
        np.testing.assert_allclose(c, a @ b, rtol=1e-5)
        print(f"matmul, {name}: {run.counts.barriers} barriers, as numpy's")

    # One element too few: the emulator names the thread.
    kernel = warpc.numba.compile(saxpy, "void(float32, float32[:], float32[:])").kernel()
    x, y = np.zeros((2, 64), dtype=np.float32)
    try:
        flat = warpc.numba.arguments(np.float32(2), x[:63], y)
        kernel.run(1, 64, *flat)
    except warpc.KernelError as error:
        print(f"found: {error.diagnostic.message}, block {error.block}, thread {error.thread}")


if __name__ == "__main__":
    main()
