"""Kernels of Triton without a GPU: Triton compiles ahead of time, warpc runs what comes out on the CPU.

    pip install ./python triton
    python python/examples/triton_kernel.py

Each kernel runs three times: Triton's own PTX, PTX that warpc compiles from Triton's LLVM IR, and machine code that warpc assembles
from it, on the emulator of machine code. The results are compared with numpy's.
"""

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import warpc


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * n + at, mask=at < n, other=-float("inf"))
    e = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * n + at, e / tl.sum(e, axis=0), mask=at < n)


def compiled(function, signature, constants, chip=90):
    """What Triton makes of a function: the texts of its stages, and what a launch needs."""
    types = {**signature, **{name: "constexpr" for name in constants}}
    source = ASTSource(function, signature=types, constexprs=constants)
    return triton.compile(source, target=GPUTarget("cuda", chip, 32), options={"num_warps": 4})


def representations(made):
    """The kernel as Triton's PTX, as our PTX, and as our machine code."""
    llvm_ir = made.asm["llir"]
    yield "Triton's PTX", warpc.load(made.asm["ptx"])
    yield "PTX by warpc", warpc.compile(llvm_ir, arch="sm_90")
    yield "machine code by warpc", warpc.compile(llvm_ir, arch="sm_90", emit="cubin")


def launch(module, made, grid, *arguments):
    """Runs the only kernel of a module with the block and the shared memory that Triton chose."""
    kernel = module.kernel()
    # Triton adds parameters for scratch memory that these kernels do not use.
    unused = [None] * (len(kernel.parameters) - len(arguments))
    return kernel.run(grid, 32 * made.metadata.num_warps, *arguments, *unused, shared=made.metadata.shared)


def main():
    random = np.random.default_rng(1)

    made = compiled(vector_add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256})
    x, y = random.random((2, 1000), dtype=np.float32)
    for name, module in representations(made):
        out = np.zeros(1000, dtype=np.float32)
        run = launch(module, made, 4, x, y, out, 1000)
        np.testing.assert_array_equal(out, x + y)
        print(f"vector_add, {name}: {run.counts.thread_instructions} thread instructions, equal to numpy")

    made = compiled(softmax, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 128})
    x = random.normal(size=(8, 100)).astype(np.float32)
    expected = np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)
    for name, module in representations(made):
        out = np.zeros_like(x)
        run = launch(module, made, 8, x, out, 100)
        np.testing.assert_allclose(out, expected, rtol=1e-5)
        print(f"softmax, {name}: {run.counts.thread_instructions} thread instructions, as numpy's")

    # One element too few: the emulator names the thread.
    made = compiled(vector_add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256})
    try:
        x, y, out = np.zeros((3, 1000), dtype=np.float32)
        launch(warpc.load(made.asm["ptx"]), made, 4, x, y, out[:999], 1000)
    except warpc.KernelError as error:
        print(f"found: {error.diagnostic.message}, block {error.block}, thread {error.thread}")


if __name__ == "__main__":
    main()
