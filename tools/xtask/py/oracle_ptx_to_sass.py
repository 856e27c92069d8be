"""Asks ptxas and nvdisasm again what every form of `tests/oracle/sass_of_ptx.tsv.gz` becomes.

    PTXAS=… NVDISASM=… python3 oracle_ptx_to_sass.py OUT.tsv [CHIP…]

Each form stands alone in a kernel: its registers are loaded before and its results stored behind it, by volatile
accesses, at addresses of the thread's own (addresses of barriers, copies and the like are the same for all threads). In a
divergent row a branch that some threads take is around it. What the same kernel without the form has is taken away, by
number of opcodes; so are moves, padding and the end of the kernel. `-` is a form that ptxas refuses (those are not asked
again: the verdicts are in other tables), `(none)` one that adds nothing, an empty cell one that was not asked. Cells of
chips that are not named are kept. A minute or two for a chip. The tools are black boxes: text in, text out.
"""
import collections
import gzip
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RECORD = Path(__file__).resolve().parents[3] / "tests/oracle/sass_of_ptx.tsv.gz"
BATCH = 60
REGISTER = re.compile(r"%(?:rd|fd|pol|ga|ge|sa|sb|[hrqfp])\d*\b")
LISTED = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z]\w*(?:\.\w+)*)([^;]*);")
SPECIAL = re.compile(r"\bSR_\w+(?:\.[XYZ])?")
MOVES = {"MOV", "MOV.64", "UMOV", "NOP", "IMAD.MOV", "IMAD.MOV.U32", "IMAD.U32"}
# Brought back behind calls and branches of operations of warps.
FETCHED = {"R2UR", "LDC.64", "LDCU.64", "ULDC.64", "IMAD.SHL.U32", "IMAD.WIDE.U32"}
COLLECTIVE = re.compile(r"vote|shfl|match|redux|activemask|elect|bar|nanosleep")
ONE_ADDRESS = re.compile(r"mbarrier|cp\.|tensormap|fence|st\.async|red\.async|multimem")
# Forms whose first operand is not a result.
SILENT = re.compile(
    r"(st|red|fence|membar|cp|nanosleep|griddepcontrol|tensormap|setmaxnreg|pmevent|brkpt|trap|exit|barrier\.cluster"
    r"|(bar|barrier)(\.cta)?\.(sync|arrive)|bar\.warp|mbarrier\.(init|inval|expect_tx|complete_tx)|multimem\.(red|st))\b")
HEAD = (".reg .b16 %h<20>; .reg .b32 %r<20>, %sa, %sb, %word; .reg .b64 %rd<20>, %ga, %ge, %pol, %own, %all, %lo, %hi;"
        " .reg .f32 %f<20>; .reg .f64 %fd<20>; .reg .pred %p<8>, %apart; .reg .b128 %q<20>;"
        " ld.param.u64 %all, [base]; mov.u32 %word, %tid.x; mad.wide.u32 %own, %word, 2048, %all;")


def registers(text):
    """Results and sources of a form, each once."""
    name, _, operands = text.rstrip(";").partition(" ")
    if SILENT.match(name):
        return [], list(dict.fromkeys(REGISTER.findall(operands)))
    end, depth = len(operands), 0
    for place, letter in enumerate(operands):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and not depth:
            end = place
            break
    return [list(dict.fromkeys(REGISTER.findall(part))) for part in (operands[:end], operands[end:])]


def kind(register):
    return re.match(r"%([a-z]+)", register)[1]


def load(register, address):
    match kind(register):
        case "p":
            return f"ld.volatile.global.b32 %word, {address}; setp.ne.b32 {register}, %word, 0;"
        case "q":
            return f"ld.volatile.global.v2.b64 {{%lo, %hi}}, {address}; mov.b128 {register}, {{%lo, %hi}};"
        case "h":
            return f"ld.volatile.global.b16 {register}, {address};"
        case "rd" | "ga" | "ge" | "pol":
            return f"ld.volatile.global.b64 {register}, {address};"
        case "f" | "fd" as ty:
            return f"ld.volatile.global.f{64 if ty == 'fd' else 32} {register}, {address};"
    return f"ld.volatile.global.b32 {register}, {address};"


def store(register, address, made):
    """Stores a result, or something of its size where the form is not there."""
    value = register if made else "0"
    match kind(register):
        case "p" if made:
            return f"selp.b32 %word, 1, 0, {register}; st.volatile.global.b32 {address}, %word;"
        case "q" if made:
            return f"mov.b128 {{%lo, %hi}}, {register}; st.volatile.global.v2.b64 {address}, {{%lo, %hi}};"
        case "q":
            return f"mov.b64 %lo, 0; st.volatile.global.v2.b64 {address}, {{%lo, %lo}};"
        case "rd" | "fd":
            return f"st.volatile.global.b64 {address}, {value};"
        case "h":
            return f"st.volatile.global.b16 {address}, {value};"
    return f"st.volatile.global.b32 {address}, {value};"


def kernel(name, text, divergent, made):
    results, sources = registers(text)
    lines = [f".visible .entry {name}(.param .u64 base) {{", HEAD]
    place = 0
    for register in sources:
        shared = ONE_ADDRESS.match(text) and kind(register) in ("ga", "ge", "sa", "sb", "pol")
        lines.append(load(register, f"[{'%all' if shared else '%own'}+{place}]"))
        place += 16
    if divergent:
        lines.append("ld.volatile.global.b32 %word, [%own+1024]; setp.ne.b32 %apart, %word, 0; @%apart bra REST;")
        lines.append("st.volatile.global.b32 [%own+1040], 1;")
    if made:
        lines.append(text)
    for register in results:
        lines.append(store(register, f"[%own+{place}]", made))
        place += 16
    if divergent:
        lines.append("st.volatile.global.b32 [%own+1056], 1; REST: st.volatile.global.b32 [%own+1072], 1;")
    return "\n".join(lines + ["ret; }"])


def opcode(name, operands):
    """A listed opcode; reads of special registers with their name, constants made without a source as moves."""
    special = SPECIAL.search(operands)
    if special and name.startswith(("S2R", "S2UR", "CS2R")):
        return f"{name}({special[0]})"
    return "MOV" if name.startswith("CS2R") or name.startswith("HFMA2") and "-RZ, RZ" in operands else name


def listings(chip, kernels):
    """The opcodes of kernels by name; those that ptxas refuses are missing."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "t.ptx"), os.path.join(folder, "t.cubin")
        text = f".version 9.4\n.target {chip}\n.address_size 64\n" + "\n".join(kernels.values()) + "\n"
        Path(source).write_text(text)
        command = [os.environ["PTXAS"], f"-arch={chip}", "-O1", source, "-o", binary]
        if subprocess.run(command, capture_output=True).returncode:
            if len(kernels) == 1:
                return {}
            names = list(kernels)
            half = len(names) // 2
            parts = [{name: kernels[name] for name in part} for part in (names[:half], names[half:])]
            return listings(chip, parts[0]) | listings(chip, parts[1])
        listing = subprocess.run([os.environ["NVDISASM"], "-c", binary], capture_output=True, text=True).stdout
    found, current = collections.defaultdict(list), None
    for line in listing.splitlines():
        if start := re.match(r"\.text\.(\w+):", line):
            current = start[1]
        elif (match := LISTED.search(line)) and current:
            found[current].append(opcode(match[1], match[2]))
    for opcodes in found.values():
        # Padding, the branch to itself, the last EXIT.
        while opcodes and opcodes[-1] == "NOP":
            opcodes.pop()
        for end in ("BRA", "EXIT"):
            if opcodes and opcodes[-1] == end:
                opcodes.pop()
    return found


def added(text, opcodes, base):
    """What a form adds to its kernel."""
    results, sources = registers(text)
    spare = collections.Counter(base)
    spare["SEL"] += sum(kind(register) == "p" for register in results)
    given = sum(kind(register) == "p" for register in sources)
    for comparison in ("ISETP.NE.AND", "ISETP.NE.U32.AND"):
        if given and comparison in opcodes and not spare[comparison]:
            spare[comparison] = given
            break
    left = []
    for name in opcodes:
        if spare[name] > 0:
            spare[name] -= 1
        elif name not in MOVES and not (COLLECTIVE.match(text) and name in FETCHED):
            left.append(name)
    return " ".join(left) or "(none)"


def main():
    out, chips = sys.argv[1], sys.argv[2:]
    rows = [line.split("\t") for line in gzip.decompress(RECORD.read_bytes()).decode().splitlines()]
    head, rows = rows[0], rows[1:]
    for chip in chips or head[3:]:
        column = head.index(chip)
        asked = [row for row in rows if row[column] not in ("-", "")]
        for start in range(0, len(asked), BATCH):
            batch = asked[start:start + BATCH]
            kernels = {}
            for number, row in enumerate(batch):
                divergent = row[2] == "divergent"
                kernels[f"with{number}"] = kernel(f"with{number}", row[1], divergent, True)
                kernels[f"without{number}"] = kernel(f"without{number}", row[1], divergent, False)
            found = listings(chip, kernels)
            for number, row in enumerate(batch):
                opcodes = found.get(f"with{number}")
                row[column] = "-" if opcodes is None else added(row[1], opcodes, found[f"without{number}"])
    Path(out).write_text("".join("\t".join(row) + "\n" for row in [head, *rows]))


main()
