"""Drives libNVVM through NVIDIA's Python packages, with whatever libNVVM they find.

usage: cuda_core_nvvm.py

One line per question: `cuda.bindings.nvvm`'s functions, and `cuda.core`'s `Program(code, "nvvm")`, which needs no GPU as
long as nothing is loaded. The output must be the same with every library, except the last line, which names its file.
"""
from cuda.bindings import nvvm

HEAD = (
    'target triple = "nvptx64-nvidia-cuda"\n'
    'target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-'
    'f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"\n'
)
KERNEL = (
    "define void @k(i32* %p) {\n  store i32 1, i32* %p\n  ret void\n}\n"
    '!nvvm.annotations = !{!9}\n!9 = !{void (i32*)* @k, !"kernel", i32 1}\n'
)
VERSION = "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0, i32 3, i32 1}\n"
MODULE = HEAD + KERNEL + VERSION


def tell(question, answer):
    try:
        print(f"{question}: {answer()}")
    except Exception as error:
        print(f"{question}: {type(error).__name__}: {' '.join(str(error).split())[:38]}")


def text(program, size, copy):
    buffer = bytearray(size(program))
    copy(program, buffer)
    return bytes(buffer)


def result(program):
    return text(program, nvvm.get_compiled_result_size, nvvm.get_compiled_result)


def log(program):
    return text(program, nvvm.get_program_log_size, nvvm.get_program_log)


def bindings():
    tell("version", nvvm.version)
    tell("IR version", nvvm.ir_version)
    program = nvvm.create_program()
    tell("no module", lambda: nvvm.compile_program(program, 0, []))
    code = MODULE.encode()
    tell("add", lambda: nvvm.add_module_to_program(program, code, len(code), "k.ll"))
    tell("verify", lambda: nvvm.verify_program(program, 1, ["-arch=compute_90"]))
    tell("compile", lambda: nvvm.compile_program(program, 2, ["-arch=compute_90", "-opt=3"]))
    tell("entry", lambda: b".entry k" in result(program))
    tell("log", lambda: log(program))
    tell("wrong option", lambda: nvvm.compile_program(program, 1, ["-arch=compute_9"]))
    tell("log", lambda: log(program))
    tell("LTO-IR", lambda: nvvm.compile_program(program, 2, ["-arch=compute_90", "-gen-lto"]))
    tell("has bytes", lambda: len(result(program)) > 100)
    lazy = (HEAD + "define i32 @unused() {\n  ret i32 1\n}\n").encode()
    tell("lazy", lambda: nvvm.lazy_add_module_to_program(program, lazy, len(lazy), "lazy.ll"))
    tell("destroy", lambda: nvvm.destroy_program(program))


def core():
    from cuda.core import Program, ProgramOptions

    for name, options in {
        "plain": {},
        "lines": {"lineinfo": True},
        "debug": {"debug": True},
        "exact": {"ftz": False, "prec_div": True, "prec_sqrt": True, "fma": False},
        "fast": {"ftz": True, "prec_div": False, "prec_sqrt": False},
        "level 0": {"device_code_optimize": False},
    }.items():
        program = Program(MODULE, "nvvm", ProgramOptions(arch="sm_90", **options))
        tell(f"core, {name}", lambda: b".entry k" in bytes(program.compile("ptx").code))
        program.close()
    program = Program(MODULE, "nvvm", ProgramOptions(arch="sm_90"))
    tell("core, LTO-IR", lambda: len(bytes(program.compile("ltoir").code)) > 100)
    tell("core, backend", lambda: program.backend)
    broken = Program(MODULE.replace("ret void", "ret i32 1"), "nvvm", ProgramOptions(arch="sm_90"))
    tell("core, broken", lambda: broken.compile("ptx") and "compiled")


bindings()
core()
maps = open("/proc/self/maps").read().splitlines()
print("with", sorted({line.split()[-1] for line in maps if "libnvvm.so" in line}))
