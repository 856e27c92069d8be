"""An open compiler back end for NVIDIA GPUs: compile, check and run kernels without a GPU.

>>> import numpy as np, warpc
>>> module = warpc.compile('''
... define ptx_kernel void @seven(ptr addrspace(1) %p) {
...   store i32 7, ptr addrspace(1) %p
...   ret void
... }
... ''', arch="sm_90")
>>> number = np.zeros(1, dtype=np.int32)
>>> run = module.kernels["seven"].run(1, 1, number)
>>> number
array([7], dtype=int32)

An input is a text (`str`), bytes, a path (`os.PathLike`: the file is read) or a `Module`. Options are keyword arguments with the
names of the command's flags: `arch="sm_90"`, `opt=1`, `ptx_version="8.5"`, `fmad=False`; `settings()` lists them.
"""

from ._diagnostics import Diagnostic, Error, KernelError, Related
from ._kernel import Counts, Kernel, Parameter, Run, Struct
from ._module import Module
from ._native import version as __version__
from ._work import (
    Setting,
    Source,
    assemble,
    check,
    compile,
    disassemble,
    fingerprint,
    format,
    link,
    load,
    settings,
)

__all__ = [
    "Counts",
    "Diagnostic",
    "Error",
    "Kernel",
    "KernelError",
    "Module",
    "Parameter",
    "Related",
    "Run",
    "Setting",
    "Source",
    "Struct",
    "__version__",
    "assemble",
    "check",
    "compile",
    "disassemble",
    "fingerprint",
    "format",
    "link",
    "load",
    "settings",
]
