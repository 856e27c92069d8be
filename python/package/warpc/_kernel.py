"""Kernels, and what a launch of one is."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np

from . import _native
from ._arguments import Binding, Struct
from ._diagnostics import Diagnostic, from_native, refuse
from ._options import Value, pairs

__all__ = ["Counts", "Kernel", "Parameter", "Run", "Shape", "Struct"]

#: A size in x, or in x and y, or in x, y and z.
Shape = Union[int, Sequence[int]]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel."""

    #: Its name.
    name: str
    #: Its type in PTX without the dot (`"u32"`, `"f32"`, `"b64"`: any number of this size); `None` if it is not a number.
    type: Optional[str]
    #: How many bytes it has.
    size: int
    #: Whether it can be the address of an array.
    holds_address: bool


@dataclass(frozen=True)
class Counts:
    """What a run did, in numbers."""

    #: Instructions, once for every thread that executed it.
    thread_instructions: int = 0
    #: Instructions, once for every warp, or part of one, that executed it.
    warp_instructions: int = 0
    #: Barriers that were completed.
    barriers: int = 0
    #: Atomic operations, once for every thread.
    atomics: int = 0
    #: Loads and stores, once for every thread.
    accesses: int = 0
    #: Bytes that loads and stores moved.
    bytes: int = 0
    #: Warp operations such as shuffles and votes, once for every warp.
    collectives: int = 0


@dataclass(frozen=True)
class Run:
    """A launch that came to its end, or, with `check=False`, to a finding."""

    #: What the kernel printed.
    printed: str
    #: What went wrong; only with `check=False`.
    findings: list[Diagnostic] = field(default_factory=list)
    #: What was counted; zeros after a finding.
    counts: Counts = Counts()
    #: How long it took.
    seconds: float = 0.0
    #: Where it ran, in words.
    place: str = ""
    #: The chip.
    chip: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing went wrong."""
        return not self.findings


class Kernel:
    """A kernel of a module: its name, its parameters, and `run`."""

    def __init__(
        self,
        program: _native.Program,
        name: str,
        address_bytes: int,
        parameters: list[tuple[str, Optional[str], Optional[int], bool]],
    ) -> None:
        self._program = program
        self._address_bytes = address_bytes
        #: Its name.
        self.name = name
        #: Its parameters, in order.
        self.parameters = [Parameter(n, t, s or 0, a) for n, t, s, a in parameters]

    def __repr__(self) -> str:
        parameters = ", ".join(f"{one.type or 'bytes'}[{one.size}]" for one in self.parameters)
        return f"<warpc.Kernel {self.name}({parameters})>"

    def run(
        self,
        grid: Shape,
        block: Shape,
        *arguments: Any,
        cluster: Optional[Shape] = None,
        shared: int = 0,
        check: bool = True,
        on: str = "sim",
        seed: int = 0,
        limit: Optional[int] = None,
        jobs: int = 0,
        memory: str = "strong",
    ) -> Run:
        """Runs the kernel on the emulator.

        `grid` and `block` are numbers or up to three of them; `cluster` likewise; `shared` is the bytes of dynamic shared memory.

        Arguments, one per parameter: a numpy array (or anything with its memory, such as a `bytearray`) for an address, `None` for
        a null address, numbers for numbers, `bytes` for the bytes of a parameter itself, `Struct` for bytes with addresses
        in them. Arrays are changed in place.

        Raises `KernelError` if something goes wrong while it runs, with the thread and the line, and leaves the arrays as they
        were; with `check=False` the findings are returned instead. Raises `Error` if the launch does not fit the kernel.

        `seed` selects an interleaving of threads, `limit` is the number of thread instructions after which the run is stopped, `jobs`
        the number of host threads. With `memory="weak"` a load may return any value that the memory model of PTX allows; `seed`
        chooses.
        """
        if on != "sim":
            raise ValueError(f"on={on!r} is not supported: this package runs kernels on 'sim', the emulator")
        options: dict[str, Optional[Value]] = {"seed": seed, "limit": limit, "jobs": jobs, "memory": memory}
        binding = Binding(self._address_bytes)
        names = [one.name for one in self.parameters]
        if len(arguments) == len(names):
            for parameter, argument in zip(self.parameters, arguments):
                binding.add(parameter, argument)
        else:
            # The library refuses the launch and lists the parameters.
            binding.arguments = [(b"", []) for _ in arguments]
        ran, found, printed = self._program.run(
            self.name,
            _shape(grid, "grid"),
            _shape(block, "block"),
            None if cluster is None else _shape(cluster, "cluster"),
            shared,
            binding.arguments,
            binding.buffers,
            pairs(options),
        )
        diagnostics = from_native(found)
        text = printed.decode(errors="replace")
        if ran is None:
            if check or not any(one.thread is not None for one in diagnostics):
                refuse(diagnostics, printed)
            return Run(text, diagnostics)
        binding.write_back(ran["buffers"])
        return Run(
            text, [], Counts(**ran["counts"]), ran["seconds"], ran["place"], ran["chip"]
        )


def _shape(shape: Shape, what: str) -> tuple[int, int, int]:
    """Three sizes."""
    try:
        sizes = list(shape) if isinstance(shape, (Sequence, np.ndarray)) else [shape]
        numbers = [operator.index(size) for size in sizes]
    except TypeError:
        raise TypeError(f"the sizes of {what} must be integers") from None
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"{what} has {len(numbers)} sizes; give one to three")
    if any(not 0 <= number < 2**32 for number in numbers):
        raise ValueError(f"the sizes of {what} must be between 0 and 2**32 - 1")
    x, y, z = (numbers + [1, 1])[:3]
    return x, y, z
