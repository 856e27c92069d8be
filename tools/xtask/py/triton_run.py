"""Triton's kernels as PTX by Triton and by warpc, with launches that run both.

usage: triton_run.py WARPC SM SOURCE OUTPUT

SOURCE defines KERNELS as for triton_aot.py. OUTPUT/triton/NAME.ptx is what Triton makes of a kernel, OUTPUT/ours/NAME.ptx
what warpc makes of the LLVM IR that Triton makes it from. Both start with the same `// run:` lines.
"""
import importlib.util
import os
import re
import subprocess
import sys

from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile

MEMORY = {"fp32": "f32", "fp16": "f16", "bf16": "bf16", "i8": "s8", "i32": "s32", "fp8e5": "u8"}
SCALAR = {"i32": "s32", "i64": "s64", "fp32": "f32"}


def launches(name, kernel, constants):
    """Grids and values of arguments: a count for a buffer of random numbers, a pair for one of something else."""
    of = lambda *words: kernel in words
    if of("vector_add"):
        return [(4, dict(x=4 * constants["BLOCK"], y=4 * constants["BLOCK"], out=(4 * constants["BLOCK"], 0), n=4 * constants["BLOCK"] - 77))]
    if of("softmax"):
        return [(7, dict(x=7 * 1000, out=(7 * 1000, 0), stride=1000, n=999))]
    if of("layer_norm"):
        return [(5, dict(x=5 * 1024, w=1024, b=1024, out=(5 * 1024, 0), mean=(5, 0), rstd=(5, 0), stride=1024, n=1000, eps=1e-5))]
    if of("matmul"):
        m, n, k = 128, 256, 192
        grid = f"{m // constants['BM']},{n // constants['BN']}"
        sizes = dict(M=m, N=n, K=k, sam=k, sak=1, sbk=n, sbn=1, scm=n, scn=1)
        return [(grid, dict(a=m * k, b=k * n, c=(m * n, 0), **sizes))]
    if of("attention"):
        n, d = 256, constants["D"]
        return [(f"{n // constants['BM']},2", dict(q=2 * n * d, k=2 * n * d, v=2 * n * d, out=(2 * n * d, 0), lse=(2 * n, 0), scale=0.125, stride=n * d, n=n))]
    if of("histogram"):
        return [(4, dict(x=(4096, "iota"), out=(constants["BINS"], 0), n=4000))]
    if of("scan_sort"):
        return [(3, dict(x=3 * 256, out=(3 * 256, 0), n=700))]
    if of("dropout"):
        return [(3, dict(x=3 * 1024, out=(3 * 1024, 0), n=3000, p=0.5, seed=7))]
    return []


def main():
    warpc, sm, source, out = sys.argv[1:5]
    spec = importlib.util.spec_from_file_location("kernels", source)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    for who in ("triton", "ours", "ll"):
        os.makedirs(f"{out}/{who}", exist_ok=True)
    target = GPUTarget("cuda", int(sm), 32)
    arch = f"sm_{sm}" + ("a" if int(sm) >= 90 else "")
    made = 0
    for name, ((kernel, signature, constants), options) in module.KERNELS.items():
        options = {key: value for key, value in options.items() if key != "min"}
        # By default Triton lets LLVM fuse products and sums that its IR does not allow to be fused.
        options["enable_fp_fusion"] = False
        cases = launches(name, kernel.__name__, constants)
        # Formats whose random bits are not all numbers compare badly.
        if not cases or "fp8e5" in "".join(signature.values()):
            continue
        full = {**signature, **{key: "constexpr" for key in constants}}
        attrs = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(signature.values()) if kind.startswith("*")}
        compiled = compile(ASTSource(kernel, signature=full, constexprs=constants, attrs=attrs), target=target, options=options)
        ptx, llir = compiled.asm["ptx"], compiled.asm["llir"]
        head = re.search(r"\.entry (\w+)\((.*?)\)", ptx, re.S)
        hidden = head[2].count(".param") - len(signature)
        lines = []
        for grid, values in cases:
            words = [f"--kernel {head[1]} --grid {grid} --block {32 * compiled.metadata.num_warps} --shared {compiled.metadata.shared}"]
            for index, (parameter, kind) in enumerate(signature.items()):
                value = values[parameter]
                if kind.startswith("*"):
                    count, fill = value if isinstance(value, tuple) else (value, f"random:{index + 1}")
                    words.append(f"--arg {MEMORY[kind[1:]]}[{count}]={fill}")
                else:
                    words.append(f"--arg {SCALAR[kind]}={value}")
            words += ["--arg null"] * hidden
            lines.append("// run: " + " ".join(words))
        lines = "\n".join(lines) + "\n"
        module_path = f"{out}/ll/{name}.ll"
        with open(module_path, "w") as f:
            f.write(llir)
        theirs = f"{out}/triton/{name}.ptx"
        with open(theirs, "w") as f:
            f.write(ptx)
        lower = [warpc, "fmt", "--lowest-version", theirs, "-o", theirs]
        ours = [warpc, "compile", module_path, "--arch", arch, "-o", f"{out}/ours/{name}.ptx"]
        for command in (lower, ours):
            subprocess.run(command, check=True)
        for who in ("triton", "ours"):
            path = f"{out}/{who}/{name}.ptx"
            text = open(path).read()
            open(path, "w").write(lines + text)
        made += 1
    print(f"{made} kernels in {out}")


main()
