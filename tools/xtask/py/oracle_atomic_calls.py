"""Asks the front ends of nvcc 13.4 and NVRTC 12.9 what they say to calls of `__nv_atomic_*`: writes
tests/oracle/atomic_calls.tsv.gz (builtin, type, order, failure order, scope, then a column for each SM: `-` or the
numbers of the diagnostics, `E` or `W` first, `?` where the type is not known) and prints what each number says.

NVCC is the compiler, NVRTC_LIBRARY the library of 12.9. Both print numbers only in their SARIF form, and count from
another place: what NVIDIA added is shifted by SHIFT to the numbers that the project uses. nvcc shows the warnings with
16,543 added (20302, 20305, 20306)."""
import gzip
import os
import re
import subprocess
import sys
import tempfile

SHIFT = {"nvcc": -108, "nvrtc": 11}
FIRST_OF_NVIDIA = 3600
# What a tool has no type for; its column says `?`.
LACKS = {"nvcc": [], "nvrtc": ["f16"]}
TYPES = {
    "bool": "bool", "s8": "signed char", "u8": "unsigned char", "s16": "short", "u16": "unsigned short", "s32": "int",
    "u32": "unsigned", "s64": "long long", "u64": "unsigned long long", "s128": "__int128", "u128": "unsigned __int128",
    "f16": "_Float16", "f32": "float", "f64": "double", "e32": "E", "scoped": "F", "pointer": "P", "r1": "R<1>",
    "r2": "R<2>", "r3": "R<3>", "r4": "R<4>", "r8": "R<8>", "r12": "R<12>", "r16": "R<16>", "r32": "R<32>",
    "void": "void", "value": None, "-": None}
HEAD = ("enum E { A }; enum class F { A }; typedef int *P; template<int N> struct alignas((N & (N - 1)) == 0 && N <= 16 ? N"
        " : 1) R { char x[N]; };")
FETCH = ["add", "sub", "and", "or", "xor", "min", "max"]
ORDERS = ["relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"]
SCOPES = ["thread", "block", "cluster", "device", "system"]


def number(word, names):
    """A word of the table as an argument: a name, a number, `var` for a variable."""
    return str(names.index(word)) if word in names else "o" if word == "var" else word


def body(builtin, order, failure, scope):
    """The call, with p, q, w, v for address, two places and a value."""
    arguments = {"thread_fence": "", "load": "p,q", "load_n": "p", "store": "p,q", "store_n": "p,v", "exchange": "p,q,w",
                 "exchange_n": "p,v", "compare_exchange": "p,q,w,false", "compare_exchange_n": "p,q,v,false"}
    call = [arguments.get(builtin, "p,v")] if builtin != "thread_fence" else []
    call.append(number(order, ORDERS))
    if failure != "-":
        call.append(number(failure, ORDERS))
    if scope != "none":
        call.append(number(scope, SCOPES))
    return f"__nv_atomic_{builtin}({','.join(call)});"


def recorded(table):
    """The calls of the table of nvcc's PTX."""
    seen = dict.fromkeys(tuple(line.rstrip("\n").split("\t")[:5]) for line in gzip.open(table, "rt"))
    for builtin, *rest in list(seen)[1:]:
        yield (builtin.removeprefix("__nv_atomic_"), *rest)


def further():
    """Every builtin with every type; and orders and scopes that there are not."""
    forms = ["load", "store", "exchange", "compare_exchange"]
    builtins = forms + [f + "_n" for f in forms] + ["fetch_" + f for f in FETCH] + FETCH
    for builtin in builtins:
        failure = "relaxed" if builtin.startswith("compare") else "-"
        for name in TYPES:
            if name != "-":
                for scope in ("device", "cluster"):
                    yield builtin, name, "relaxed", failure, scope
    for builtin, name in (("thread_fence", "-"), ("load_n", "u32"), ("store_n", "u8"), ("fetch_add", "s32"),
                          ("fetch_and", "u16"), ("exchange_n", "u128"), ("compare_exchange_n", "u16"), ("fetch_min", "f32"),
                          ("min", "s64")):
        for order in ORDERS + ["6", "-1", "var"]:
            for scope in SCOPES + ["5", "-1", "var", "none"]:
                yield builtin, name, order, "relaxed" if builtin.startswith("compare") else "-", scope
    for order in ORDERS:
        for failure in ORDERS + ["6", "-1", "var"]:
            for scope in ("cluster", "none", "5"):
                yield "compare_exchange_n", "u32", order, failure, scope


def source(calls, lacks):
    """A function on a line for each."""
    lines = [HEAD]
    for i, (builtin, name, *rest) in enumerate(calls):
        if name in lacks:
            lines.append("")
            continue
        t = TYPES[name]
        places = {"-": "", "value": "int p,int*q,int*w,int v,", "void": "void*p,void*q,void*w,int v,"}
        lines.append(f"__device__ void f{i}({places.get(name, f'{t}*p,{t}*q,{t}*w,{t} v,')}int o)"
                     f"{{ {body(builtin, *rest)} }}")
    return "\n".join(lines) + "\n"


RESULT = re.compile(r'\{"ruleId":"EC(\d+)","level":"(\w+)","message":\{"text":"((?:[^"\\]|\\.)*)"\}(?:,"locations":\[\{'
                    r'"physicalLocation":\{"artifactLocation":\{"uri":"[^"]*"\},"region":\{"startLine":(\d+))?')
FLAGS = ["--output_mode=sarif", "--error_limit=1000000"]


def nvcc(path, arch, out):
    command = [os.environ["NVCC"], "-ptx", f"-arch=sm_{arch}", path, "-o", out]
    ran = subprocess.run(command + ["-Xcudafe=" + f for f in FLAGS], capture_output=True, text=True)
    return ran.stdout + ran.stderr


# In a process of its own, because the library prints SARIF to standard output.
NVRTC = """
import ctypes, os, sys
path, arch, *flags = sys.argv[1:]
lib, program = ctypes.CDLL(os.environ["NVRTC_LIBRARY"]), ctypes.c_void_p()
lib.nvrtcCreateProgram(ctypes.byref(program), open(path, "rb").read(), b"t.cu", 0, None, None)
options = [f"--gpu-architecture=compute_{arch}", "--device-int128", *flags]
lib.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*[o.encode() for o in options]))
"""


def nvrtc(path, arch, _):
    flags = ["-Xcudafe=" + f for f in FLAGS]
    ran = subprocess.run([sys.executable, "-c", NVRTC, path, arch] + flags, capture_output=True, text=True)
    return ran.stdout + ran.stderr


def ask(tool, arch, calls, texts):
    """For each call the numbers of its diagnostics."""
    said = [["?"] if call[1] in LACKS[tool] else [] for call in calls]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.cu")
        open(path, "w").write(source(calls, LACKS[tool]))
        log = {"nvcc": nvcc, "nvrtc": nvrtc}[tool](path, arch, os.path.join(folder, "t.ptx"))
    if not RESULT.search(log):
        raise SystemExit(f"{tool} {arch} said nothing:\n{log[:2000]}")
    for n, level, text, line in RESULT.findall(log):
        if level not in ("error", "warning"):
            continue
        n = int(n)
        if n >= FIRST_OF_NVIDIA:
            n += SHIFT[tool]
        if int(line or 0) < 2:
            raise SystemExit(f"{arch}: {n} {text}")
        texts.setdefault((n, level), set()).add(re.sub(r'\\"[^"]*\\"', '"…"', text))
        word = level[0].upper() + str(n)
        if word not in said[int(line) - 2]:
            said[int(line) - 2].append(word)
    return said


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
    calls = list(dict.fromkeys([*recorded(f"{root}/tests/oracle/cuda_atomics.tsv.gz"), *further()]))
    targets = [("nvrtc", a) for a in ("50", "60", "70")] + [("nvcc", a) for a in ("75", "80", "90", "100")]
    texts = {}
    columns = [ask(tool, arch, calls, texts) for tool, arch in targets]
    out = "\t".join(["builtin", "type", "order", "failure_order", "scope"] + [f"sm_{a}" for _, a in targets]) + "\n"
    for i, call in enumerate(calls):
        out += "\t".join(["__nv_atomic_" + call[0], *call[1:]] + [" ".join(c[i]) or "-" for c in columns]) + "\n"
    with open(f"{root}/tests/oracle/atomic_calls.tsv.gz", "wb") as file:
        file.write(gzip.compress(out.encode(), 9, mtime=0))
    for (n, level), all_texts in sorted(texts.items()):
        print(n, level, *sorted(all_texts), sep="\t")
    print(len(calls), "calls")


if __name__ == "__main__":
    main()
