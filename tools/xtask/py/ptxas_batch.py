"""Asks ptxas about many single instructions at once: accepted or not, on which targets, from which version on.

The assembler is a black box: text in, messages out. Environment: PTXAS (a ptxas 13.x) and PTXAS_12 (12.9, for sm_60,
sm_70 and sm_72, which 13 has dropped). Instructions use the registers that `examples/verdict.rs` declares. A target may
carry options of the `.target` directive behind a comma: `sm_90,texmode_independent`.

    from ptxas_batch import accepted, record
    accepted("sm_90", "8.6", ["add.u32 %r0, %r1, %r2;", ...])       -> [True, ...]
    record("ptx_integer", lines, ["sm_70", "sm_75", "sm_90a"])      -> tests/oracle/ptx_integer.tsv.gz

How it works: all instructions stand in one kernel, a line each, and errors are reported by line. A syntax error hides
everything behind it and some errors show only when the rest is clean, so whatever is left is asked again until the
file assembles; where no line is reported, the file is halved.
"""
import gzip
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

OLD_TARGETS = {"sm_60", "sm_61", "sm_62", "sm_70", "sm_72"}
VERSIONS = [(6, m) for m in range(6)] + [(7, m) for m in range(9)] + [(8, m) for m in range(9)] + [(9, m) for m in range(5)]
# The first version that knows a target.
FIRST = {"sm_60": (6, 0), "sm_61": (6, 0), "sm_62": (6, 0), "sm_70": (6, 0), "sm_72": (6, 1), "sm_75": (6, 3), "sm_80": (7, 0), "sm_86": (7, 1),
         "sm_87": (7, 4), "sm_88": (9, 0), "sm_89": (7, 8), "sm_90": (7, 8), "sm_90a": (8, 0), "sm_100": (8, 6), "sm_100a": (8, 6),
         "sm_100f": (8, 8), "sm_103": (8, 8), "sm_103a": (8, 8), "sm_103f": (8, 8), "sm_107": (9, 4), "sm_107a": (9, 4), "sm_107f": (9, 4),
         "sm_110": (9, 0), "sm_110a": (9, 0), "sm_110f": (9, 0), "sm_120": (8, 7), "sm_120a": (8, 7), "sm_120f": (8, 8),
         "sm_121": (8, 8), "sm_121a": (8, 8), "sm_121f": (8, 8)}
REGISTERS = (".reg .b8 %b<300>; .reg .b16 %h<300>; .reg .b32 %r<300>; .reg .b64 %rd<300>; .reg .f32 %f<300>; .reg .f64 %fd<300>; "
             ".reg .pred %p<300>; .reg .b64 %ga,%ge,%pol; .reg .b32 %sa,%sb;")
VARIABLES = (".global .align 64 .b8 gvar[256]; .shared .align 64 .b8 svar[256]; .const .align 64 .b8 cvar[256]; "
             ".global .texref tref; .global .surfref sref;")
# Lines of our file only: errors in `<builtin>` code, which some instructions become, have line numbers of their own.
ERROR = re.compile(r"\.ptx, line (\d+)\s*; (?:error|fatal)\s*: (.*)")
CHUNK = 400
JOBS = int(os.environ.get("PTXAS_JOBS", "1"))

# Lines whose text alone is malformed: no target and no version will take them.
_malformed = set()


def chip(target):
    return target.split(",")[0]


def tool(target):
    name = "PTXAS_12" if chip(target) in OLD_TARGETS else "PTXAS"
    path = os.environ.get(name)
    if not path:
        sys.exit(f"set {name} to the assembler that knows {target}")
    return path


def newest(target):
    return (8, 8) if chip(target) in OLD_TARGETS else (9, 4)


def versions_of(target):
    return [v for v in VERSIONS if FIRST[chip(target)] <= v <= newest(target)]


def parse_version(version):
    if isinstance(version, str):
        major, minor = version.split(".")
        return int(major), int(minor)
    return version


def source(target, version, lines, extra=""):
    version = parse_version(version)
    wide = " .reg .b128 %q<300>;" if version >= (8, 3) and target[:4] != "sm_6" else ""
    head = [f".version {version[0]}.{version[1]}", f".target {target}", ".address_size 64", VARIABLES + extra,
            ".visible .entry k(.param .u64 p0, .param .u32 p1)", "{ " + REGISTERS + wide]
    return len(head), "\n".join(head + lines + ["LABEL: ret;", "}"]) + "\n"


def run(target, version, lines, extra="", options=("-O0",)):
    """One run: (assembled, {index of line: message}, all output)."""
    head, text = source(target, version, lines, extra)
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        try:
            done = subprocess.run([tool(target), *options, "-arch=" + chip(target), file.name, "-o", "/dev/null"],
                                  capture_output=True, text=True, errors="replace", timeout=120)
        except subprocess.TimeoutExpired:
            return False, {}, "timeout"
    output = done.stderr + done.stdout
    bad = {}
    for match in ERROR.finditer(output):
        index = int(match.group(1)) - head - 1
        if 0 <= index < len(lines):
            bad.setdefault(index, match.group(2))
    return done.returncode == 0, bad, output


def _settle(target, version, lines, todo, verdicts, messages, extra):
    while todo:
        assembled, bad, output = run(target, version, [lines[i] for i in todo], extra)
        if assembled:
            for i in todo:
                verdicts[i] = True
            return
        if not bad:
            if len(todo) == 1:
                verdicts[todo[0]] = False
                messages[todo[0]] = output.strip().splitlines()[0] if output.strip() else "crash"
                return
            half = len(todo) // 2
            _settle(target, version, lines, todo[:half], verdicts, messages, extra)
            _settle(target, version, lines, todo[half:], verdicts, messages, extra)
            return
        # Behind some errors ptxas blames innocent lines, for a `mov` that they do not contain: those are asked again.
        sound = {k: m for k, m in bad.items() if "instruction 'mov'" not in m or "mov" in lines[todo[k]]}
        if not sound and len(todo) > 1:
            half = len(todo) // 2
            _settle(target, version, lines, todo[:half], verdicts, messages, extra)
            _settle(target, version, lines, todo[half:], verdicts, messages, extra)
            return
        bad = sound or bad
        for index, message in bad.items():
            verdicts[todo[index]] = False
            messages[todo[index]] = message
            if "syntax error" in message:
                _malformed.add(lines[todo[index]])
        todo = [i for k, i in enumerate(todo) if k not in bad]


def judge(target, version, lines, extra=""):
    """(verdicts, {index: first message}) for the lines."""
    verdicts = [False] * len(lines)
    messages = {}
    todo = [i for i, line in enumerate(lines) if line not in _malformed]
    chunks = [todo[i:i + CHUNK] for i in range(0, len(todo), CHUNK)]
    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(lambda chunk: _settle(target, version, lines, chunk, verdicts, messages, extra), chunks))
    return verdicts, messages


def accepted(target, version, lines, extra=""):
    return judge(target, version, lines, extra)[0]


def min_versions(lines, targets, table, extra=""):
    """The smallest version at which any of the targets takes each line, or None. `table`: target -> verdicts at its newest."""
    best = [None] * len(lines)
    first = min(targets, key=lambda t: FIRST[chip(t)])
    for target in sorted(targets, key=lambda t: FIRST[chip(t)]):
        versions = versions_of(target)
        # Where the oldest version takes what the newest does not, the form was removed. What no target takes now is asked
        # of the first target alone, and what an earlier target had as early need not be asked.
        taken = [any(table[t][i] for t in targets) for i in range(len(lines))]
        asking = [i for i in range(len(lines))
                  if (taken[i] or target == first) and not (best[i] and best[i] <= versions[0])]
        answers = dict(zip(asking, accepted(target, versions[0], [lines[i] for i in asking], extra)))
        low, high = {}, {}
        for i in asking:
            if answers[i]:
                best[i] = min(best[i] or versions[0], versions[0])
            elif table[target][i]:
                low[i], high[i] = 0, len(versions) - 1
        while True:
            asked = {}
            for i in low:
                # Nothing to gain where another target already has it earlier.
                if high[i] - low[i] > 1 and not (best[i] and best[i] <= versions[low[i] + 1]):
                    asked.setdefault((low[i] + high[i]) // 2, []).append(i)
            if not asked:
                break
            for middle, indices in asked.items():
                answers = accepted(target, versions[middle], [lines[i] for i in indices], extra)
                for i, answer in zip(indices, answers):
                    (high if answer else low)[i] = middle
        for i in low:
            if high[i] - low[i] == 1:
                best[i] = min(best[i] or versions[high[i]], versions[high[i]])
    return best


def thin(lines, targets, step, extra=""):
    """The lines that some target takes at its newest version, and of the others every `step`th."""
    lines = list(dict.fromkeys(lines))
    taken = [False] * len(lines)
    for target in targets:
        open_ = [i for i in range(len(lines)) if not taken[i]]
        for i, ok in zip(open_, accepted(target, newest(target), [lines[i] for i in open_], extra)):
            taken[i] = ok
    kept, refused = [], 0
    for line, ok in zip(lines, taken):
        refused += not ok
        if ok or refused % step == 0:
            kept.append(line)
    return kept


def record(name, lines, targets, extra="", folder=None):
    """Asks everything and writes tests/oracle/NAME.tsv.gz; gives back (header, rows)."""
    lines = list(dict.fromkeys(lines))
    table = {}
    for target in targets:
        table[target] = accepted(target, newest(target), lines, extra)
        print(f"{name} {target}: {sum(table[target])} of {len(lines)}", file=sys.stderr)
    oldest = min_versions(lines, targets, table, extra)
    header = ["instruction", *targets, "min_version"]
    rows = []
    for i, line in enumerate(lines):
        version = "%d.%d" % oldest[i] if oldest[i] else "-"
        rows.append([line, *("y" if table[t][i] else "n" for t in targets), version])
    folder = folder or os.path.join(os.path.dirname(__file__), "..", "..", "..", "tests", "oracle")
    text = "".join("\t".join(row) + "\n" for row in [header] + rows)
    with open(os.path.join(folder, name + ".tsv.gz"), "wb") as file:
        file.write(gzip.compress(text.encode(), mtime=0))
    return header, rows
