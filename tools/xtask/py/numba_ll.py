"""The modules that Numba hands to libNVVM for the kernels of a file, without a GPU and without libNVVM.

usage: numba_ll.py OUTPUT_FOLDER SOURCE

Each kernel of SOURCE's KERNELS is compiled plainly, with line numbers and with debug information; what would go
to libNVVM becomes OUTPUT_FOLDER/NAME[.lineinfo|.debug][-N].ll, N counting the modules of one program after the first.
"""
import importlib.util
import os
import re
import sys

try:
    # Newer versions ask the run-time library for its version on import; there is none here either.
    from cuda.bindings import runtime

    runtime.getLocalRuntimeVersion = lambda: (0, 13000)
except ImportError:
    pass

from numba import cuda
from numba.cuda import codegen
from numba.cuda.cudadrv import nvvm

VARIANTS = [("", {}), (".lineinfo", {"lineinfo": True}), (".debug", {"debug": True, "opt": False})]


class Chip:
    """Stands for a GPU."""

    compute_capability = (8, 0)


class Taken(Exception):
    """Carries the modules out of Numba's compiler."""


def take(ir, **_options):
    raise Taken([ir] if isinstance(ir, str) else list(ir))


def main():
    folder, source = sys.argv[1:3]
    nvvm.compile_ir = take
    # Without libNVVM Numba cannot ask which dialect it has; these are the answers of CUDA 12's.
    nvvm.NVVM.__new__ = lambda cls: object.__new__(cls)
    for owner in (nvvm.NVVM, nvvm):
        if hasattr(owner, "get_ir_version"):
            owner.get_ir_version = lambda *a: (2, 0, 3, 1)
    layout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
    nvvm.NVVM.data_layout = property(lambda self: layout)
    nvvm.NVVM.is_nvvm70 = property(lambda self: True)
    nvvm.NVVM.get_version = lambda self: (2, 0)
    if hasattr(nvvm, "get_supported_ccs"):
        nvvm.get_supported_ccs = lambda: ((5, 0), (7, 0), (8, 0), (9, 0))
    if hasattr(codegen, "nvrtc"):
        codegen.nvrtc.get_arch_option = lambda *_: "compute_80"
    # Calls of device functions are typed for the chip at hand; there is none here.
    for owner in list(sys.modules.values()):
        if getattr(owner, "__name__", "").startswith("numba.cuda") and hasattr(owner, "get_current_device"):
            owner.get_current_device = lambda: Chip
    spec = importlib.util.spec_from_file_location("kernels", source)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    failed = []
    for name, function, signature in module.KERNELS:
        for ending, options in VARIANTS:
            try:
                device = not signature.startswith("void(")
                cuda.compile_ptx(function, signature, device=device, cc=(8, 0), **options)
                failed.append(f"error: {name}{ending}: nothing went to libNVVM")
            except Taken as taken:
                for n, text in enumerate(taken.args[0]):
                    count = f"-{n}" if n else ""
                    with open(os.path.join(folder, f"{name}{ending}{count}.ll"), "w") as out:
                        out.write(relative(text))
            except Exception as e:
                failed.append(f"error: {name}{ending}: {type(e).__name__}: {str(e).strip().splitlines()[-1:]}")
    if failed:
        sys.exit("\n".join(failed))


def relative(text):
    """File names without the folders of this machine."""
    return re.sub(r'directory: "[^"]*"', 'directory: "/src"', text)


main()
