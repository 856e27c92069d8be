"""Kernels of Numba without a GPU and without libNVVM.

`compile` runs Numba's compiler with warpc in the place of libNVVM: what Numba would pass to libNVVM is linked and compiled here.
`arguments` gives the arguments of a launch as Numba's kernels expect them. Import this module before `numba.cuda`, which cannot
be imported without the run-time library of CUDA otherwise.

>>> from warpc import numba as warpc_numba
>>> from numba import cuda                                       # doctest: +SKIP
>>> def double(a):
...     i = cuda.grid(1)
...     if i < a.size:
...         a[i] *= 2
>>> module = warpc_numba.compile(double, "void(float32[:])")     # doctest: +SKIP
>>> module.kernel().run(1, 32, *warpc_numba.arguments(array))    # doctest: +SKIP
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional

import numpy as np

from ._module import Module
from ._options import Value
from ._work import compile as compile_source
from ._work import link

#: Numba's compiler has global state that is replaced while it runs here.
_LOCK = threading.Lock()

#: What Numba asks libNVVM about: the version of NVVM IR, and the data layout of modules with opaque pointers.
_IR_VERSION = (2, 0, 3, 2)
_DATA_LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)


def arguments(*values: Any) -> list[Any]:
    """The arguments of a launch for the values that a kernel of Numba is called with.

    An array is passed as Numba passes it: two pointers that kernels do not use, the number of elements, the size of one, the
    address, the shape and the strides. A complex number becomes two numbers, a tuple its elements.
    """
    flat: list[Any] = []
    for value in values:
        if isinstance(value, np.ndarray):
            flat += [None, None, value.size, value.itemsize, value, *value.shape, *_strides(value)]
        elif isinstance(value, (complex, np.complexfloating)):
            part = np.float32 if isinstance(value, np.complex64) else np.float64
            flat += [part(value.real), part(value.imag)]
        elif isinstance(value, tuple):
            flat += arguments(*value)
        else:
            flat.append(value)
    return flat


def _strides(array: Any) -> list[int]:
    """The strides of the copy that a kernel gets: elements are in the order of C."""
    strides, step = [], array.itemsize
    for size in reversed(array.shape):
        strides.append(step)
        step *= size
    return strides[::-1]


def compile(
    function: Callable[..., Any],
    signature: Any,
    *,
    arch: str = "sm_80",
    emit: str = "ptx",
    debug: bool = False,
    lineinfo: bool = False,
    fastmath: bool = False,
    **options: Optional[Value],
) -> Module:
    """Compiles a kernel, given as a Python function and a signature such as `"void(float32[:], int32)"`."""
    from numba import cuda  # type: ignore[import-not-found, unused-ignore]

    modules: list[bytes] = []
    digits = "".join(filter(str.isdigit, arch))
    chip = (int(digits[:-1]), int(digits[-1]))
    with _in_place_of_libnvvm(modules, chip):
        cuda.compile_ptx(
            function,
            signature,
            device=False,
            cc=chip,
            debug=debug,
            opt=not debug,
            lineinfo=lineinfo,
            fastmath=fastmath,
        )
    name = f"{function.__name__}.ll"
    whole = link(*modules, name=name) if len(modules) > 1 else modules[0]
    return compile_source(
        whole, arch=arch, emit=emit, name=name, kind="ll", lineinfo=lineinfo, atomics="cuda", **options
    )


@contextmanager
def _in_place_of_libnvvm(modules: list[bytes], chip: tuple[int, int]) -> Iterator[None]:
    """Replaces what Numba asks libNVVM and the driver, and takes the modules that it would compile."""
    from numba.cuda import codegen  # type: ignore[import-not-found, unused-ignore]
    from numba.cuda.cudadrv import nvvm  # type: ignore[import-not-found, unused-ignore]

    class Chip:
        compute_capability = chip

    def take(ir: Any, **_options: Any) -> bytes:
        texts = [ir] if isinstance(ir, (str, bytes)) else list(ir)
        modules.extend(text.encode() if isinstance(text, str) else text for text in texts)
        return b""

    with _LOCK, _replaced() as replace:
        replace(nvvm, "compile_ir", take)
        replace(nvvm.NVVM, "__new__", lambda cls: object.__new__(cls))
        for owner in (nvvm.NVVM, nvvm):
            replace(owner, "get_ir_version", lambda *_: _IR_VERSION)
        replace(nvvm.NVVM, "data_layout", property(lambda _: _DATA_LAYOUT))
        replace(nvvm.NVVM, "is_nvvm70", property(lambda _: True))
        replace(nvvm.NVVM, "get_version", lambda _: (2, 0))
        replace(nvvm, "get_supported_ccs", lambda: ((5, 0), chip))
        nvrtc = getattr(codegen, "nvrtc", None)
        if nvrtc is not None:
            replace(nvrtc, "get_arch_option", lambda *_: f"compute_{chip[0]}{chip[1]}")
        # Calls of device functions are typed for the chip at hand.
        for name, owner in list(sys.modules.items()):
            if name.startswith("numba.cuda"):
                replace(owner, "get_current_device", lambda: Chip)
        yield


@contextmanager
def _replaced() -> Iterator[Callable[[Any, str, Any], None]]:
    """Lets members be replaced, and restores them."""
    before: list[tuple[Any, str, Any]] = []

    def replace(owner: Any, name: str, value: Any) -> None:
        if hasattr(owner, name):
            before.append((owner, name, vars(owner).get(name, _INHERITED)))
            setattr(owner, name, value)

    try:
        yield replace
    finally:
        for owner, name, value in reversed(before):
            if value is _INHERITED:
                delattr(owner, name)
            else:
                setattr(owner, name, value)


_INHERITED = object()


def _answer_for_a_missing_runtime() -> None:
    """Numba asks the run-time library of CUDA for its version when it is imported; there need not be one."""
    try:
        from cuda.bindings import runtime  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return
    try:
        runtime.getLocalRuntimeVersion()
    except RuntimeError:
        runtime.getLocalRuntimeVersion = lambda: (0, 13000)


_answer_for_a_missing_runtime()
