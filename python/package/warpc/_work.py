"""The functions of the package: compile, check, link, format, assemble, disassemble, load."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple, Optional, Union

from . import _native
from ._diagnostics import Diagnostic, from_native, refuse
from ._module import Module
from ._options import Value, pairs

#: What can be given: a text, bytes, the path of a file, or what was made.
Source = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]", Module]


class Setting(NamedTuple):
    """An option: its name as a keyword, its values, what it does."""

    name: str
    values: str
    help: str


def settings() -> list[Setting]:
    """All options."""
    return [
        Setting(name.replace("-", "_"), values, help)
        for name, values, help in _native.settings()
    ]


def compile(
    source: Source,
    *,
    arch: Optional[str] = None,
    emit: Optional[str] = None,
    name: Optional[str] = None,
    kind: Optional[str] = None,
    **options: Optional[Value],
) -> Module:
    """Compiles LLVM IR or MLIR to PTX, or makes what `emit` selects: `"ptx"`, `"ll"`, `"bc"`, `"cubin"`, `"sass"`.

    Without `emit`, PTX is made of LLVM IR and MLIR, and a cubin of PTX and assembly texts. `arch` is the chip (`"sm_90"`). `name`
    is what diagnostics call the input, `kind` what it is if neither its name nor its bytes show it.

    Raises `Error` with the diagnostics if the input is refused; warnings are in `Module.diagnostics`.
    """
    given = _source(source, name, kind)
    all = pairs({"arch": arch, **options})
    (made, found), what = _native.emit(given, emit, all)
    origin = source._origin if isinstance(source, Module) else None
    return _module(given.name, made, what, found, {"arch": arch}, origin or given)


def fingerprint(
    source: Source,
    *,
    arch: Optional[str] = None,
    emit: Optional[str] = None,
    name: Optional[str] = None,
    kind: Optional[str] = None,
    **options: Optional[Value],
) -> str:
    """A key for caches: the same text if what `compile` makes with the same arguments is the same.

    It depends on the bytes, the name and the kind of the source, on `emit`, the options and the version of warpc.
    """
    return _native.fingerprint(_source(source, name, kind), emit, pairs({"arch": arch, **options}))


def assemble(source: Source, *, name: Optional[str] = None, kind: Optional[str] = None, **options: Optional[Value]) -> Module:
    """Makes a cubin of PTX, of an assembly text, or of LLVM IR and MLIR by way of PTX."""
    return compile(source, emit="cubin", name=name, kind=kind, **options)  # type: ignore[arg-type]


def check(source: Source, *, name: Optional[str] = None, kind: Optional[str] = None, **options: Optional[Value]) -> list[Diagnostic]:
    """Reads and verifies an input of any kind. Returns what there is to report: nothing, if all is well."""
    return from_native(_native.check(_source(source, name, kind), pairs(options)))


def link(*sources: Source, emit: str = "ll", name: Optional[str] = None, **options: Optional[Value]) -> Module:
    """Links modules of LLVM IR into one, the first one being linked into. `emit` is `"ll"` or `"bc"`, bitcode."""
    given = [_source(one, None, None) for one in sources]
    made, found = _native.link(given, emit, pairs(options))
    return _module(name or (given[0].name if given else "linked"), made, emit, found, {}, None)


def format(source: Source, *, name: Optional[str] = None, **options: Optional[Value]) -> str:
    """PTX in canonical form, with its comments."""
    made, found = _native.format(_source(source, name, None), pairs(options))
    if made is None:
        refuse(from_native(found))
    return made.decode(errors="surrogateescape")


def disassemble(source: Source, *, name: Optional[str] = None, **options: Optional[Value]) -> str:
    """The listing of a cubin or fatbin; `reassemblable=True`: a text that `assemble` makes the same cubin of."""
    made, found = _native.disassemble(_source(source, name, None), pairs(options))
    if made is None:
        refuse(from_native(found))
    return made


def load(
    source: Source,
    *,
    arch: Optional[str] = None,
    name: Optional[str] = None,
    kind: Optional[str] = None,
    **options: Optional[Value],
) -> Module:
    """Makes an input ready to run as it is: findings of the emulator show its own lines, those of LLVM IR included."""
    given = _source(source, name, kind)
    all = pairs({"arch": arch, **options})
    program, found = _native.load(given, all)
    diagnostics = from_native(found)
    if program is None:
        refuse(diagnostics)
    return Module(given, diagnostics, all, program)


def _module(
    name: str,
    made: Optional[bytes],
    kind: str,
    found: list[dict[str, object]],
    options: Mapping[str, Optional[Value]],
    origin: Optional[_native.Source],
) -> Module:
    diagnostics = from_native(found)
    if made is None:
        refuse(diagnostics)
    stem = os.path.splitext(name)[0]
    made_source = _native.Source(f"{stem}.{kind}", made, kind)
    return Module(made_source, diagnostics, pairs(options), None, origin)


def _source(source: Source, name: Optional[str], kind: Optional[str]) -> _native.Source:
    """The input of the native part."""
    if isinstance(source, Module):
        if name is None and kind is None:
            return source._source
        return _native.Source(name or source.name, source.data, kind or source.kind)
    if isinstance(source, str):
        return _native.Source(name or "input", source.encode(), kind)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _native.Source(name or "input", bytes(source), kind)
    if isinstance(source, os.PathLike):
        path = os.fspath(source)
        with open(path, "rb") as file:
            return _native.Source(name or path, file.read(), kind)
    raise TypeError(f"an input is a text, bytes, a path or a module, not {type(source).__name__}")
