"""Asks ptxas about integer arithmetic: writes tests/oracle/ptx_integer.tsv.gz (PTXAS, PTXAS_12: see ptxas_batch)."""
from instruction_lines import INTEGER_TYPES, TARGETS, bits, inst, orders, shapes, sized, subsets
from ptxas_batch import record


def forms(opcode, count, tokens, wide=()):
    """Modifiers x types; `wide`: operands that also are asked with twice the size, or with 32 bits."""
    for modifiers in subsets(tokens):
        for name in INTEGER_TYPES:
            size = bits(name)
            sizes = [[size] * count]
            if wide and size in (16, 32, 64):
                sizes.append([2 * size if i in wide else size for i in range(count)])
            if wide and size in (8, 16, 64):
                sizes.append([32 if i in wide else size for i in range(count)])
            for row in sizes:
                yield inst(f"{opcode}{modifiers}.{name}", *(sized(s, i) for i, s in enumerate(row)))


def lines():
    for opcode in ("add", "sub"):
        yield from forms(opcode, 3, ["sat", "relu", "wide"])
    yield from forms("mul", 3, ["hi", "lo", "wide", "sat"], wide=(0,))
    yield from forms("mad", 4, ["hi", "lo", "wide", "sat"], wide=(0, 3))
    yield from forms("mul24", 3, ["hi", "lo", "wide", "sat"])
    yield from forms("mad24", 4, ["hi", "lo", "wide", "sat"])
    yield from forms("sad", 4, ["sat"])
    for opcode in ("div", "rem"):
        yield from forms(opcode, 3, ["sat", "full"])
    for opcode in ("abs", "neg"):
        yield from forms(opcode, 2, ["sat", "relu"])
    for opcode in ("min", "max"):
        yield from forms(opcode, 3, ["relu", "sat", "NaN"])
        yield from forms(opcode, 4, ["relu"])
    for opcode in ("popc", "clz", "bfind", "brev"):
        yield from forms(opcode, 2, ["shiftamt", "sat"], wide=(0,))
    yield from forms("fns", 4, ["sat"])
    yield from forms("bfe", 4, ["clamp", "wrap"], wide=(2, 3))
    yield from forms("bfi", 5, ["clamp", "wrap"], wide=(3, 4))
    yield from forms("szext", 3, ["clamp", "wrap"], wide=(2,))
    yield from forms("bmsk", 3, ["clamp", "wrap"])
    for opcode in ("dp4a", "dp2a"):
        for mode in ("", ".lo", ".hi", ".sat", ".lo.hi"):
            for a in ("u32", "s32", "b32", "u8", "u8x4", "u64"):
                for b in ("u32", "s32", "b32", "s16"):
                    yield inst(f"{opcode}{mode}.{a}.{b}", "%r0", "%r1", "%r2", "%r3")
                    yield inst(f"{opcode}.{a}{mode}.{b}", "%r0", "%r1", "%r2", "%r3")
    for constant in (0, 31, 32, 63, 64, 255, 256, -1):
        yield inst("bfe.u32", "%r0", "%r1", str(constant), "3")
        yield inst("bfe.s64", "%rd0", "%rd1", "3", str(constant))
        yield inst("bfi.b32", "%r0", "%r1", "%r2", str(constant), "3")
        yield inst("bfi.b64", "%rd0", "%rd1", "%rd2", "3", str(constant))
        yield inst("szext.clamp.u32", "%r0", "%r1", str(constant))
        yield inst("fns.b32", "%r0", "%r1", str(constant), "0")
    yield from shapes([
        "add.u32 %r0, %r1, %r2;", "add.s16 %h0, %h1, %h2;", "add.u64 %rd0, %rd1, %rd2;", "add.sat.s32 %r0, %r1, %r2;",
        "add.u16x2 %r0, %r1, %r2;", "add.u8x4 %r0, %r1, %r2;", "sub.s32 %r0, %r1, %r2;", "mul.lo.s32 %r0, %r1, %r2;",
        "mul.wide.u16 %r0, %h1, %h2;", "mul.wide.s32 %rd0, %r1, %r2;", "mad.wide.s16 %r0, %h1, %h2, %r3;",
        "mad.wide.s32 %rd0, %r1, %r2, %rd3;", "mad.lo.u64 %rd0, %rd1, %rd2, %rd3;", "mul24.lo.u32 %r0, %r1, %r2;",
        "mad24.hi.s32 %r0, %r1, %r2, %r3;", "sad.u16 %h0, %h1, %h2, %h3;", "div.s16 %h0, %h1, %h2;",
        "rem.u64 %rd0, %rd1, %rd2;", "abs.s32 %r0, %r1;", "neg.s64 %rd0, %rd1;", "neg.s8x4 %r0, %r1;",
        "min.relu.s32 %r0, %r1, %r2;", "max.s16x2 %r0, %r1, %r2;", "max.u64 %rd0, %rd1, %rd2;", "popc.b32 %r0, %r1;",
        "popc.b64 %r0, %rd1;", "clz.b64 %r0, %rd1;", "bfind.s64 %r0, %rd1;", "bfind.shiftamt.u32 %r0, %r1;",
        "fns.b32 %r0, %r1, %r2, %r3;", "brev.b32 %r0, %r1;", "brev.b64 %rd0, %rd1;", "bfe.u32 %r0, %r1, %r2, %r3;",
        "bfe.s64 %rd0, %rd1, %r2, %r3;", "bfi.b32 %r0, %r1, %r2, %r3, %r4;", "bfi.b64 %rd0, %rd1, %rd2, %r3, %r4;",
        "szext.wrap.u32 %r0, %r1, %r2;", "bmsk.clamp.b32 %r0, %r1, %r2;", "dp4a.u32.s32 %r0, %r1, %r2, %r3;",
        "dp2a.lo.u32.s32 %r0, %r1, %r2, %r3;"])
    yield from orders([
        "add.sat.s32 %r0, %r1, %r2;", "mul.wide.u16 %r0, %h1, %h2;", "mad.hi.sat.s32 %r0, %r1, %r2, %r3;",
        "mul24.hi.s32 %r0, %r1, %r2;", "mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", "min.relu.s16x2 %r0, %r1, %r2;",
        "bfind.shiftamt.u32 %r0, %r1;", "szext.clamp.u32 %r0, %r1, %r2;", "bmsk.clamp.b32 %r0, %r1, %r2;",
        "dp2a.lo.u32.s32 %r0, %r1, %r2, %r3;"])


if __name__ == "__main__":
    record("ptx_integer", lines(), TARGETS)
