"""Compiles the kernels of tests/numba with Numba and whatever libNVVM it finds, without a GPU.

usage: numba_suite.py OUTPUT_FOLDER SUITE_FOLDER

Each kernel becomes OUTPUT_FOLDER/NAME.ptx with a line `// run:` that has its launch, its arguments and what they must
be afterwards, computed by numpy: `warpc run` and `warpc-hw kernels` check it. The last line that is printed names the
file of libNVVM.
"""
import importlib
import os
import sys

import numpy as np
from numba import cuda

# Calls of device functions are typed for the chip at hand; there is none here.
class Chip:
    compute_capability = (9, 0)


for owner in list(sys.modules.values()):
    if getattr(owner, "__name__", "").startswith("numba.cuda") and hasattr(owner, "get_current_device"):
        owner.get_current_device = lambda: Chip

NAMES = {"i": "s", "u": "u", "f": "f", "b": "u"}


def kind(dtype):
    return NAMES[dtype.kind] + str(dtype.itemsize * 8)


def elements(array):
    """The type, and the elements as `warpc run` reads them; floating-point numbers as bits."""
    flat = np.ascontiguousarray(array).reshape(-1)
    if flat.dtype.kind == "V":
        flat = flat.view(np.uint8)
    elif flat.dtype.kind == "c":
        flat = flat.view(np.float32 if flat.dtype.itemsize == 8 else np.float64)
    if flat.dtype.kind == "f":
        bits = flat.view(f"u{flat.dtype.itemsize}")
        texts = [hex(value) for value in bits.tolist()]
    else:
        texts = [str(int(value)) for value in flat.tolist()]
    return kind(flat.dtype), len(texts), ",".join(texts)


def scalar(value, wanted):
    if wanted == "boolean":
        return f"u8={int(value)}"
    name = {"int": "s", "uint": "u", "float": "f"}[wanted.rstrip("0123456789")]
    bits = wanted[len(wanted.rstrip("0123456789")):]
    return f"{name}{bits}={value}"


def arguments(case):
    """Flags for the arguments before, and for what the arrays must hold after."""
    types = case.function_types
    before, after = case.arguments(), case.arguments()
    case.expected(*after)
    flags, expected, number = [], [], 0
    for given, then, wanted in zip(before, after, types):
        if isinstance(given, np.ndarray):
            name, count, text = elements(given)
            flags += ["null", "null", f"s64={given.size}", f"s64={given.itemsize}", f"{name}[{count}]={text}"]
            expected.append(f"{number + 4}:{name}[{count}]={elements(then)[2]}")
            flags += [f"s64={extent}" for extent in given.shape + given.strides]
            number += 5 + 2 * given.ndim
        elif isinstance(given, tuple):
            flags += [scalar(part, str(wanted.dtype)) for part in given]
            number += len(given)
        else:
            name = "boolean" if str(wanted) in ("bool", "boolean") else str(wanted)
            flags.append(scalar(given, name))
            number += 1
    return flags, expected


def numbers(value):
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def main():
    folder, suite_folder = sys.argv[1:3]
    sys.path.insert(0, suite_folder)
    suite = importlib.import_module("suite")
    for name in sorted(os.listdir(suite_folder)):
        if name.endswith(".py") and name != "suite.py":
            importlib.import_module(name[:-3])
    from numba.cuda.core import sigutils

    failed = []
    for case in suite.CASES:
        try:
            case.function_types, _ = sigutils.normalize_signature(case.signature)
            options = dict(case.options)
            ptx, _ = cuda.compile_ptx(case.function, case.signature, cc=(9, 0), **options)
            flags, expected = arguments(case)
            parts = [f"--grid {numbers(case.grid)} --block {numbers(case.block)}"]
            parts += [f"--arg {flag}" for flag in flags] + [f"--expect {one}" for one in expected]
            with open(os.path.join(folder, f"{case.name}.ptx"), "w") as out:
                out.write("// run: " + " ".join(parts) + "\n" + ptx)
        except Exception as e:
            failed.append(f"error: {case.name}: {type(e).__name__}: {str(e).strip()[-300:]}")
    for message in failed:
        print(message, file=sys.stderr)
    maps = open("/proc/self/maps").read().splitlines()
    libraries = {line.split()[-1] for line in maps if "libnvvm.so" in line}
    print(f"{len(suite.CASES) - len(failed)} of {len(suite.CASES)} with {', '.join(sorted(libraries))}")
    sys.exit(1 if failed else 0)


main()
