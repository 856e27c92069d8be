"""Asks ptxas again about every recorded module and operand, and writes the verdicts anew.

    PTXAS=… PTXAS_12=… python3 ask_again.py modules|operands

The cases themselves are data (`tests/oracle/modules.tsv.gz`, `operands.tsv.gz`): this keeps their texts and their order
and replaces only what ptxas says of them, so that another version of ptxas can be compared with the recorded one by
`git diff` after unpacking. One process a case, PTXAS_JOBS at a time: minutes for the modules, a quarter of an hour for
the operands. The assembler is a black box: text in, messages out.
"""
import gzip
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ptxas_batch import tool

ORACLE = Path(__file__).resolve().parents[3] / "tests/oracle"
LINE = re.compile(rb"line (\d+)\s*; (?:error|fatal)")
SECONDS = 30
# What a module's text is escaped by, longest first so that a backslash is undone once.
ESCAPES = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|(.))")
PLAIN = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"0": b"\0"}


def unescape(text):
    return ESCAPES.sub(lambda m: bytes([int(m[1], 16)]) if m[1] else PLAIN.get(m[2], m[2]), text)


def verdict(target, flags, text):
    """('y' or 'n', the first line an error names or '-')"""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "t.ptx")
        Path(source).write_bytes(text)
        command = [tool(target), f"-arch={target}", *flags, source, "-o", os.path.join(folder, "o")]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return "n", "-"
    if done.returncode == 0:
        return "y", "-"
    line = LINE.search(done.stderr + done.stdout)
    return "n", line[1].decode() if line else "-"


def operand_wrapper():
    """The declarations around a recorded operand: those of the test that replays the table."""
    test = (ORACLE.parents[1] / "tools/testkit/src/wrap.rs").read_text()

    def constant(name):
        text = re.search(rf'const {name}: &str =\s*"(.*?)";', test, re.S)[1]
        return re.sub(r"\\\n\s*", "", text)

    module, types, vectors = constant("OPERANDS"), constant("TYPES").split(), constant("VECTORS")

    def wrap(target, instruction):
        registers = " ".join(f".reg .{t} %{t}_<8>;" for t in types if t != "b128" or target != "sm_60")
        version = "8.8" if target in ("sm_60", "sm_70") else "9.4"
        return (f".version {version}\n.target {target}\n.address_size 64\n{module}\n"
                f".visible .entry k(.param .u64 p0, .param .u32 p1, .param .align 16 .b8 p2[64])\n"
                f"{{ {registers}{vectors}\n{{ {instruction} }}\nLEND: ret;\n}}\n").encode()
    return wrap


def module_row(fields):
    name, target, _, _, flags, text = fields
    found, line = verdict(target.decode(), flags.decode().split(), unescape(text))
    return b"\t".join([name, target, found.encode(), line.encode(), flags, text])


def operand_row(wrap):
    def row(fields):
        name, target, _, instruction = fields
        found, _ = verdict(target.decode(), [], wrap(target.decode(), instruction.decode()))
        return b"\t".join([name, target, found.encode(), instruction])
    return row


def main(which):
    path = ORACLE / f"{which}.tsv.gz"
    header, *rows = gzip.decompress(path.read_bytes()).rstrip(b"\n").split(b"\n")
    work = module_row if which == "modules" else operand_row(operand_wrapper())
    with ThreadPoolExecutor(int(os.environ.get("PTXAS_JOBS", "1"))) as pool:
        answers = list(pool.map(lambda row: work(row.split(b"\t")), rows))
    changed = sum(a != b for a, b in zip(rows, answers))
    path.write_bytes(gzip.compress(b"\n".join([header, *answers]) + b"\n", 9, mtime=0))
    print(f"{which}: {len(rows)} cases, {changed} answers changed")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("modules", "operands"):
        sys.exit(__doc__)
    main(sys.argv[1])
