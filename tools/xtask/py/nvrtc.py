"""Compiles CUDA C++ to PTX with NVRTC: the CUDA 12.9 packages bring no other compiler.

usage: nvrtc.py LIBRARY INCLUDE_DIR TARGET OUTPUT SOURCE [FLAG...]
"""
import ctypes
import sys


def main():
    library, include, target, output, source, *flags = sys.argv[1:]
    nvrtc = ctypes.CDLL(library)
    program = ctypes.c_void_p()
    with open(source, "rb") as f:
        text = f.read()
    options = [
        f"--gpu-architecture={target.replace('sm_', 'compute_')}",
        f"--include-path={include}",
        "--std=c++17",
        "--device-as-default-execution-space",
        "--disable-warnings",
        *flags,
    ]
    array = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.encode(), 0, None, None))
    if nvrtc.nvrtcCompileProgram(program, len(options), array):
        sys.exit(fetch(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).decode())
    ptx = fetch(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program)
    with open(output, "wb") as f:
        f.write(ptx)


def fetch(size_of, get, program):
    size = ctypes.c_size_t()
    check(size_of(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    check(get(program, buffer))
    return buffer.value


def check(status):
    if status:
        sys.exit(f"NVRTC answers with status {status}")


main()
