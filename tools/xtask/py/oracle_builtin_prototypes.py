"""Asks the front end of nvcc 13.4 for the types of every builtin: writes tests/oracle/builtin_prototypes.tsv
(name, types in the notation of warpc-builtins, `-` where the name is not a function). NVCC is the compiler.

A type is read from the message about an incomplete `Show<decltype(NAME)>`."""
import os
import re
import subprocess
import tempfile

from oracle_atomic_calls import FLAGS, RESULT

TYPES = {
    "void": "void", "__nv_bool": "bool", "char": "char", "int": "i32", "unsigned int": "u32", "long long": "i64",
    "unsigned long long": "u64", "long": "i64", "unsigned long": "u64", "float": "f32", "double": "f64",
    "unsigned short": "u16", "short": "i16", "unsigned char": "u8", "unsigned __int128": "u128"}


def split(text):
    """The parts between commas that stand in no parentheses."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip()]


def word(text):
    """A type in our notation; `volatile` is left out."""
    text = text.replace("volatile ", "").replace("__uint128_t", "unsigned __int128").strip()
    callback = re.fullmatch(r"(.*?)\s*\(\*\)\((.*)\)", text)
    if callback:
        return f"{word(callback[1])}(*)({','.join(map(word, split(callback[2])))})"
    if text == "...":
        return text
    base = text.replace("*", "").strip()
    const = "const " if base.startswith("const ") else ""
    return const + TYPES[base.removeprefix("const ")] + "*" * text.count("*")


def notation(text):
    """A function type in our notation."""
    text = re.sub(r" (throw\(\)|noexcept(\(true\))?)$", "", text)
    depth = 0
    for i in range(len(text) - 1, -1, -1):
        depth += (text[i] == ")") - (text[i] == "(")
        if depth == 0:
            break
    return f"{word(text[:i])}({','.join(map(word, split(text[i + 1:-1])))})"


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
    names = [line.split("\t")[1] for line in open(f"{root}/tests/oracle/builtins.tsv")][1:]
    shown = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.cu")
        with open(path, "w") as file:
            file.write("template<class T> struct Show;\n")
            file.writelines(f"__device__ Show<decltype({name})> s{i};\n" for i, name in enumerate(names))
        command = [os.environ["NVCC"], "-ptx", "-arch=sm_90", path, "-o", os.path.join(folder, "t.ptx")]
        ran = subprocess.run(command + ["-Xcudafe=" + f for f in FLAGS], capture_output=True, text=True)
        for _, level, text, line in RESULT.findall(ran.stdout + ran.stderr):
            found = re.findall(r'Show<(.*?)>\\"', text)
            if level == "error" and found:
                shown[int(line) - 2] = found[-1].split("Show<")[-1]
    with open(f"{root}/tests/oracle/builtin_prototypes.tsv", "w") as file:
        file.write("name\tprototype\n")
        for i, name in enumerate(names):
            known = "(" in shown.get(i, "") and "error-type" not in shown[i]
            file.write(f"{name}\t{notation(shown[i]) if known else '-'}\n")


main()
