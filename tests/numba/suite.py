"""What a kernel of the suite is: a function, its signature, a launch, its arguments, and what they are afterwards."""
import numpy as np

CASES = []


class Case:
    """A kernel with one launch. `expected` computes with numpy what the arrays hold afterwards; it changes them."""

    def __init__(self, function, signature, grid, block, arguments, expected, options):
        self.name = function.__name__
        self.function = function
        self.signature = signature
        self.grid = grid
        self.block = block
        self.arguments = arguments
        self.expected = expected
        self.options = options


def case(signature, grid, block, arguments, expected, **options):
    """Adds a kernel to the suite."""

    def add(function):
        CASES.append(Case(function, signature, grid, block, arguments, expected, options))
        return function

    return add


def iota(count, dtype=np.int32, start=0, step=1):
    return (np.arange(count) * step + start).astype(dtype)


def zeros(shape, dtype=np.int32):
    return np.zeros(shape, dtype)


def small(count, dtype=np.float32, seed=7):
    """Small whole numbers: sums and products of them are exact, whether fused or not."""
    return np.random.default_rng(seed).integers(-8, 9, count).astype(dtype)


def integers(count, dtype=np.int32, seed=11, low=-1000, high=1000):
    return np.random.default_rng(seed).integers(low, high, count).astype(dtype)
