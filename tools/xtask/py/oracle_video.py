"""Asks ptxas about video instructions: writes tests/oracle/ptx_video.tsv.gz (PTXAS, PTXAS_12: see ptxas_batch)."""
import itertools

from instruction_lines import STAND_INS, TARGETS, inst, orders, shapes
from ptxas_batch import record

WORDS = ("u32", "s32")
SELECTORS = ["", ".b0", ".b1", ".b2", ".b3", ".b4", ".b7", ".h", ".h0", ".h1", ".h2", ".h10", ".h01", ".b10", ".b3210", ".x", ".w0"]
HALVES = ["." + "h" + a + b for a in "01234" for b in "01234"] + [".h0", ".h1", ".h2", ".h3", ".b10", ".b0", ".h", ".h210"]
BYTES = [".b" + "".join(p) for n in (1, 2, 3) for p in itertools.product("0123", repeat=n)] + [".b4", ".b43", ".b76", ".h0", ".h10"]
BYTES4 = [".b" + "".join(p) for p in itertools.product("0347", repeat=4)] + [".b3210", ".b7654", ".b8000", ".b0008", ".b00000", ".b321"]


def lines():
    for opcode in ("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg"):
        for types in itertools.product(WORDS, repeat=3):
            for modifiers in ("", ".sat", ".add", ".min", ".max", ".sat.add", ".sat.max", ".clamp", ".add.min", ".shr7"):
                for c in ([], ["%r3"]):
                    yield inst(f"{opcode}.{'.'.join(types)}{modifiers}", "%r0", "%r1", "%r2", *c)
    for opcode in ("vshl", "vshr"):
        for types in itertools.product(WORDS, repeat=3):
            for modifiers in (".clamp", ".wrap", "", ".clamp.sat", ".sat.wrap.add", ".clamp.min", ".clamp.wrap", ".po"):
                for c in ([], ["%r3"]):
                    yield inst(f"{opcode}.{'.'.join(types)}{modifiers}", "%r0", "%r1", "%r2", *c)
    for types in itertools.product(WORDS, repeat=3):
        for modifiers in ("", ".sat", ".po", ".shr7", ".shr15", ".po.sat", ".po.sat.shr7", ".sat.shr15", ".add", ".shr7.shr15"):
            for signs in itertools.product(("", "-"), repeat=3):
                yield inst(f"vmad.{'.'.join(types)}{modifiers}", "%r0", *(f"{s}%r{i + 1}" for i, s in enumerate(signs)))
    for types in itertools.product(WORDS, repeat=2):
        for comparison in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "num", ""):
            for modifiers in ("", ".add", ".min", ".max", ".sat", ".add.max"):
                for opcode in ("vset", "vset2", "vset4"):
                    for c in ([], ["%r3"]):
                        name = ".".join(filter(None, (opcode, *types, comparison)))
                        yield inst(name + modifiers, "%r0", "%r1", "%r2", *c)
    for opcode in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vmad"):
        for width in "24":
            for types in itertools.product(WORDS, repeat=3):
                for modifiers in ("", ".sat", ".add", ".sat.add", ".min"):
                    for c in ([], ["%r3"]):
                        yield inst(f"{opcode}{width}.{'.'.join(types)}{modifiers}", "%r0", "%r1", "%r2", *c)
    for kind in ("u16", "b32", "u64", "f32", "u8"):
        yield inst(f"vadd.{kind}.{kind}.{kind}", "%r0", "%r1", "%r2")
        yield inst(f"vadd2.{kind}.u32.u32", "%r0", "%r1", "%r2", "%r3")
        yield inst(f"vset.{kind}.u32.eq", "%r0", "%r1", "%r2")
    for s in SELECTORS:
        for name in ("vadd.u32.u32.s32", "vabsdiff.u32.u32.u32.sat", "vmin.s32.s32.s32.add", "vset.u32.s32.lt", "vset.u32.u32.eq.add",
                     "vshr.u32.u32.u32.clamp", "vmad.u32.u32.u32"):
            yield inst(name, "%r0" + s, "%r1", "%r2", "%r3")
            yield inst(name, "%r0" + s, "%r1", "%r2")
            yield inst(name, "%r0", "%r1" + s, "%r2", "%r3")
            yield inst(name, "%r0", "%r1", "%r2" + s, "%r3")
            yield inst(name, "%r0", "%r1", "%r2", "%r3" + s)
            yield inst(name, "%r0" + s, "%r1" + s, "-%r2" + s, "%r3")
    for name, selectors in (("vadd2.u32.u32.u32", HALVES), ("vset2.u32.s32.lt", HALVES), ("vmax2.s32.s32.s32.add", HALVES),
                            ("vadd4.u32.u32.u32", BYTES + BYTES4), ("vset4.u32.s32.lt.add", BYTES + BYTES4)):
        for s in selectors:
            yield inst(name, "%r0" + s, "%r1", "%r2", "%r3")
            yield inst(name, "%r0", "%r1" + s, "%r2", "%r3")
            yield inst(name, "%r0", "%r1", "%r2" + s, "%r3")
        for s in selectors[:10]:
            yield inst(name, "%r0", "%r1", "%r2", "%r3" + s)
    yield from shapes(["vadd.u32.u32.u32 %r0, %r1, %r2;", "vadd.u32.u32.s32.add %r0, %r1, %r2, %r3;",
                       "vsub.u32.u32.u32 %r0.b0, %r1.h0, %r2.b1, %r3;", "vset.u32.u32.eq %r0, %r1, %r2, %r3;",
                       "vmad.s32.u32.s32 %r0, %r1, %r2, %r3;", "vmad.s32.u32.s32.po %r0, %r1, %r2, %r3;",
                       "vshl.u32.u32.u32.clamp %r0, %r1, %r2;", "vadd2.u32.u32.u32 %r0, %r1, %r2, %r3;",
                       "vset4.u32.u32.eq %r0, %r1, %r2, %r3;", "vadd4.s32.u32.s32.add %r0, %r1, %r2, %r3;"], STAND_INS)
    yield from orders(["vadd.u32.u32.s32.sat.add %r0, %r1, %r2, %r3;", "vset.u32.s32.eq.add %r0, %r1, %r2, %r3;",
                       "vmad.u32.u32.u32.po.sat.shr7 %r0, %r1, %r2, %r3;", "vshl.u32.u32.u32.clamp.sat.add %r0, %r1, %r2, %r3;",
                       "vset4.u32.u32.eq.add %r0, %r1, %r2, %r3;", "vadd2.u32.u32.u32.sat %r0, %r1, %r2, %r3;"])


if __name__ == "__main__":
    record("ptx_video", lines(), TARGETS)
