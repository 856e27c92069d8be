"""Compiles the Triton kernels of a file, without a GPU.

usage: triton_aot.py OUTPUT_PREFIX SM SOURCE [STAGE]

SOURCE defines KERNELS, a dictionary from a name to ((kernel, signature, constants), options); each becomes
OUTPUT_PREFIX-NAME.ptx, or with the STAGE `llir` the LLVM IR that the PTX is made from, OUTPUT_PREFIX-NAME.ll, or with
`cubin` what ptxas makes of it, OUTPUT_PREFIX-NAME.cubin.
The option `min` is ours: the first target the kernel is for.
"""
import importlib.util
import os
import re
import sys

from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile


def main():
    prefix, sm, source = sys.argv[1:4]
    stage = sys.argv[4] if len(sys.argv) > 4 else "ptx"
    ending = {"ptx": "ptx", "llir": "ll", "cubin": "cubin"}[stage]
    spec = importlib.util.spec_from_file_location("kernels", source)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    target = GPUTarget("cuda", int(sm), 32)
    failed = []
    for name, ((kernel, signature, constants), options) in module.KERNELS.items():
        options = dict(options)
        if int(sm) < options.pop("min", 0):
            continue
        try:
            full = {**signature, **{key: "constexpr" for key in constants}}
            # Pointers come from an allocator: they are aligned, and the loads may be wide.
            attrs = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(signature.values()) if kind.startswith("*")}
            src = ASTSource(kernel, signature=full, constexprs=constants, attrs=attrs)
            text = compile(src, target=target, options=options).asm[stage]
        except Exception as e:
            failed.append(f"error: {name}: {str(e).strip().splitlines()[-1] if str(e).strip() else type(e).__name__}")
            continue
        with open(f"{prefix}-{name}.{ending}", "wb") as f:
            f.write(text if stage == "cubin" else relative(text).encode())
    if failed:
        sys.exit("\n".join(failed))


def relative(text):
    """File names without the folders of this machine."""
    text = re.sub(r'(\.file\s+\d+\s+)"(?:[^"]*/)?([^"/]*)"', r'\1"\2"', text)
    text = re.sub(r'(, directory: )"[^"]*"', r'\1"/src"', text)
    here = os.path.realpath(os.getcwd())
    return text.replace(here + "/", "")


main()
