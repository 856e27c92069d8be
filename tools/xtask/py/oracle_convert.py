"""Asks ptxas about conversions: writes tests/oracle/ptx_convert.tsv.gz (PTXAS, PTXAS_12: see ptxas_batch).

All that ptxas takes is kept, and of what it refuses a part."""
from itertools import product

from instruction_lines import inst, shapes, subsets
from ptxas_batch import record, thin

TARGETS = ["sm_60", "sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_100f", "sm_100a", "sm_103a", "sm_107f", "sm_107a", "sm_110a",
           "sm_120f", "sm_121a"]
INTEGERS = "u8 u16 u32 u64 s8 s16 s32 s64".split()
FLOATS = "f16 bf16 f32 f64".split()
REGISTERS = {"u8": "%h", "s8": "%h", "u16": "%h", "s16": "%h", "u32": "%r", "s32": "%r", "u64": "%rd", "s64": "%rd", "f16": "%h",
             "bf16": "%h", "f32": "%f", "f64": "%fd", "tf32": "%r", "f16x2": "%r", "bf16x2": "%r", "e2m1x2": "%b", "e2m1x4": "%h"}
PAIRS = "e4m3x2 e5m2x2 e2m3x2 e3m2x2 ue8m0x2 ue5m3x2 s2f6x2 e2m1x2".split()
FOURS = "e4m3x4 e5m2x4 e2m3x4 e3m2x4 ue8m0x4 e2m1x4".split()
ROUNDINGS = ["", ".rn", ".rz", ".rm", ".rp", ".rna", ".rs", ".rni", ".rzi", ".rmi", ".rpi"]


def register(name, i):
    return REGISTERS.get(name, "%r" if name.endswith("x4") else "%h") + str(i)


def plain():
    """Integers and floats: every pair, every rounding."""
    for d, a in product(INTEGERS + FLOATS, repeat=2):
        for rounding, modifiers in product(ROUNDINGS, subsets(["ftz", "sat"])):
            # Beside bf16 registers must be of just the right size.
            operands = ["%b" + str(i) if name in ("u8", "s8") and "bf16" in (d, a) else register(name, i)
                        for i, name in enumerate((d, a))]
            yield inst(f"cvt{rounding}{modifiers}.{d}.{a}", *operands)


def sources(d, a):
    """Operands behind the destination: sources, random bits, scales."""
    if a != "f32":
        one = [register(a, 1)]
    elif d in FOURS:
        one = ["{%f1, %f2, %f3, %f4}"]
    elif d.endswith("x2"):
        one = ["%f1", "%f2"]
    else:
        one = ["%f1"]
    for more in ([], ["%r5"], ["%h5"], ["%b5"], ["%r5", "%h6"]):
        yield one + more


def narrow():
    """The newer formats: every pair that has any form, every rounding, saturation and scale."""
    halves = ["f16x2", "bf16x2"]
    pairs = list(product(PAIRS + FOURS + halves + ["f16", "bf16", "tf32", "f32"], ["f32"]))
    pairs += list(product(PAIRS, halves)) + list(product(halves, PAIRS))
    pairs += list(product(["f16", "bf16", "tf32", "f32"], ["f16", "bf16", "tf32"]))
    for d, a in pairs:
        for operands in sources(d, a):
            for rounding, modifiers, scale in product(ROUNDINGS[:8], subsets(["ftz", "sat", "satfinite", "relu"]),
                                                      ("", ".scaled::n1::ue8m0", ".scaled::n2::ue8m0")):
                yield inst(f"cvt{rounding}{modifiers}{scale}.{d}.{a}", register(d, 0), *operands)


def pack():
    for d, a, sat, c in product("u2 s2 u4 s4 u8 s8 u16 s16 u32 s32 u64 b32".split(), "s32 u32 s16 u16 s64".split(), (".sat", ""),
                                ("", ".b32", ".u32")):
        for count in (3, 4):
            yield inst(f"cvt.pack{sat}.{d}.{a}{c}", *(f"%r{i}" for i in range(count)))


def operands():
    for d, a in product(INTEGERS + ["f16", "f32", "f64"], repeat=2):
        size = {"f16": 16, "f32": 32, "f64": 64}
        rounding = ""
        if d in INTEGERS and a in size:
            rounding = ".rzi"
        elif d in size and (a in INTEGERS or size[d] < size[a]):
            rounding = ".rn"
        yield inst(f"cvt{rounding}.{d}.{a}", register(d, 0), register(a, 1))
    yield from ("cvt.rn.relu.f16.f32 %h0, %f1;", "cvt.rn.f16x2.f32 %r0, %f1, %f2;", "cvt.rs.f16x2.f32 %r0, %f1, %f2, %r3;",
                "cvt.rn.bf16.f32 %h0, %f1;", "cvt.rn.bf16x2.f32 %r0, %f1, %f2;", "cvt.rs.bf16x2.f32 %r0, %f1, %f2, %r3;",
                "cvt.rna.tf32.f32 %r0, %f1;", "cvt.rn.tf32.f32 %r0, %f1;", "cvt.f32.bf16 %f0, %h1;", "cvt.rn.bf16.u32 %h0, %r1;",
                "cvt.rn.bf16.u8 %h0, %b1;", "cvt.rzi.u8.bf16 %b0, %h1;", "cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f2;",
                "cvt.rn.satfinite.e4m3x2.f16x2 %h0, %r1;", "cvt.rn.f16x2.e4m3x2 %r0, %h1;",
                "cvt.rn.satfinite.e2m1x2.f32 %b0, %f1, %f2;", "cvt.rs.satfinite.e4m3x4.f32 %r0, {%f1, %f2, %f3, %f4}, %r5;",
                "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32 %h0, %f1, %f2, %b3;", "cvt.rz.ue8m0x2.f32 %h0, %f1, %f2;",
                "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 %h0, %f1, %f2, %h3;",
                "cvt.rn.scaled::n2::ue8m0.bf16x2.e2m1x2 %r0, %b1, %h2;", "cvt.pack.sat.u16.s32 %r0, %r1, %r2;",
                "cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;")


def main():
    lines = thin(plain(), TARGETS, 4) + thin(narrow(), TARGETS, 31) + thin(pack(), TARGETS, 3) + thin(shapes(operands()), TARGETS, 3)
    record("ptx_convert", lines, TARGETS)


if __name__ == "__main__":
    main()
