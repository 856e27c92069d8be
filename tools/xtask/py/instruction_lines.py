"""Writes instructions to ask about: products of modifiers, and what may stand for each operand.

Registers are those of `ptxas_batch` and `examples/verdict.rs`.
"""
import itertools
import re

INTEGER_TYPES = "u8 s8 b8 u16 s16 b16 u32 s32 b32 u64 s64 b64 u16x2 s16x2 u8x4 s8x4 b128 pred".split()
FLOAT_TYPES = "f16 f16x2 bf16 bf16x2 f32 f64 f32x2 tf32".split()
TARGETS = ["sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103a", "sm_107a", "sm_110a",
           "sm_120", "sm_120f", "sm_120a"]
# What stands for an operand in `shapes`: constants, registers of every size, and everything else that can be written.
STAND_INS = ["5", "-1", "4294967296", "WARP_SZ", "1.5", "0f3f800000", "0d3ff0000000000000", "_", "%p9", "%h9", "%r9", "%rd9",
             "%q9", "%f9", "%fd9", "%tid.x", "-%r9", "-%f9", "!%r9", "!%p9", "{%r8, %r9}", "{%r9}", "[%rd9]", "%r9|%p9",
             "%p8|%p9", "_|%p9", "%r9.b0", "%r9.h1", "%r9.x", "nowhere"]


def bits(name):
    """The size of a type."""
    if name == "pred":
        return 1
    if name == "tf32":
        return 32
    match = re.match(r"[a-z]+(\d+)(?:x(\d+))?$", name)
    return int(match[1]) * int(match[2] or 1)


def sized(size, i):
    """An untyped register of a size."""
    return {1: "%p", 8: "%h", 16: "%h", 32: "%r", 64: "%rd", 128: "%q"}[size] + str(i)


def reg(name, i):
    """A register for a type."""
    if name in ("f32", "f64"):
        return {"f32": "%f", "f64": "%fd"}[name] + str(i)
    return sized(bits(name), i)


def subsets(tokens):
    """Every selection of the tokens, in their order, with dots."""
    for n in range(len(tokens) + 1):
        for chosen in itertools.combinations(tokens, n):
            yield "".join("." + token for token in chosen)


def inst(mnemonic, *operands):
    return (mnemonic + " " + ", ".join(operands)).rstrip() + ";"


def split(line):
    """Mnemonic and operands; commas inside braces and brackets do not separate."""
    head, _, rest = line.rstrip(";").partition(" ")
    operands, depth, word = [], 0, ""
    for c in rest:
        depth += (c in "{[") - (c in "}]")
        if c == "," and depth == 0:
            operands.append(word.strip())
            word = ""
        else:
            word += c
    if word.strip():
        operands.append(word.strip())
    return head, operands


def shapes(lines, stand_ins=STAND_INS):
    """For each line: everything that might stand for each operand, one left out, one more, constants only."""
    for line in lines:
        head, operands = split(line)
        yield line
        for i in range(len(operands)):
            for other in stand_ins:
                yield inst(head, *operands[:i], other, *operands[i + 1:])
            yield inst(head, *operands[:i], *operands[i + 1:])
        for other in ("%r9", "5", "%p9"):
            yield inst(head, *operands, other)
        yield inst(head, *operands[:1], *["3"] * (len(operands) - 1))


def orders(lines):
    """Each line with its modifiers in every order."""
    for line in lines:
        head, operands = split(line)
        opcode, *modifiers = head.split(".")
        for order in dict.fromkeys(itertools.permutations(modifiers)):
            yield inst(".".join([opcode, *order]), *operands)
