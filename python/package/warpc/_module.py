"""Modules: what was compiled, and the kernels in it."""

from __future__ import annotations

import os
from functools import cached_property
from types import MappingProxyType
from typing import Optional

from . import _native
from ._diagnostics import Diagnostic, from_native, refuse
from ._kernel import Kernel

#: What a listing can be asked for of.
_MACHINE_CODE = ("cubin", "fatbin")


class Module:
    """PTX, LLVM IR, a cubin …: bytes, what they are, and the kernels that can be run."""

    def __init__(
        self,
        source: _native.Source,
        diagnostics: list[Diagnostic],
        options: list[tuple[str, str]],
        program: Optional[_native.Program] = None,
        origin: Optional[_native.Source] = None,
    ) -> None:
        self._source = source
        self._origin = origin
        self._options = options
        self._loaded = program
        #: Warnings that came with it.
        self.diagnostics = diagnostics

    def __repr__(self) -> str:
        return f"<warpc.Module {self.name}: {self.kind}, {len(self.data)} bytes>"

    def __bytes__(self) -> bytes:
        return self.data

    @property
    def name(self) -> str:
        """Its name, as diagnostics show it."""
        return self._source.name

    @property
    def kind(self) -> str:
        """What it is: `"ptx"`, `"ll"`, `"bc"`, `"mlir"`, `"cubin"`, `"fatbin"`, `"sass"`."""
        return self._source.kind

    @cached_property
    def data(self) -> bytes:
        """Its bytes."""
        return self._source.data

    @property
    def text(self) -> str:
        """Its text: of machine code, the listing."""
        if self.kind in _MACHINE_CODE:
            return self.disassemble()
        return self.data.decode(errors="replace")

    @cached_property
    def kernels(self) -> MappingProxyType[str, Kernel]:
        """The kernels by name, in order. PTX is checked, LLVM IR and MLIR are compiled when this is used first."""
        program = self._program
        return MappingProxyType(
            {name: Kernel(program, name, size, all) for name, size, all in program.kernels(self._origin)}
        )

    def kernel(self, name: Optional[str] = None) -> Kernel:
        """The kernel of that name, or the only one."""
        if name is None:
            if len(self.kernels) != 1:
                names = ", ".join(self.kernels) or "none"
                raise LookupError(f"the module does not have exactly one kernel: {names}")
            return next(iter(self.kernels.values()))
        return self.kernels[name]

    def disassemble(self, **options: object) -> str:
        """The listing of machine code."""
        from ._work import disassemble

        return disassemble(self, **options)  # type: ignore[arg-type]

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes the bytes to a file."""
        with open(path, "wb") as file:
            file.write(self.data)

    @cached_property
    def _program(self) -> _native.Program:
        if self._loaded is not None:
            return self._loaded
        program, found = _native.load(self._source, self._options)
        if program is None:
            refuse(from_native(found))
        return program
