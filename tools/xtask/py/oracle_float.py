"""Asks ptxas about floating-point arithmetic: writes tests/oracle/ptx_float.tsv.gz, ptx_half.tsv.gz and ptx_mixed.tsv.gz
(PTXAS, PTXAS_12: see ptxas_batch). All that ptxas takes is kept, and of what it refuses a part."""
from itertools import product

from instruction_lines import inst, reg, shapes, subsets
from ptxas_batch import record, thin

SINGLE = ("f32", "f64", "f32x2")
HALVES = ("f16", "f16x2", "bf16", "bf16x2")
ROUNDINGS = ("", ".rn", ".rz", ".rm", ".rp", ".rna")
STRAYS = ("", ".approx", ".full", ".relu", ".NaN", ".abs", ".xorsign.abs", ".noftz", ".oob", ".satfinite", ".rs")


def same(mnemonic, name, count):
    """All operands of one type."""
    return inst(f"{mnemonic}.{name}", *(reg(name, i) for i in range(count)))


def minima(types):
    flags = (("", ".ftz"), ("", ".NaN"), ("", ".xorsign.abs", ".abs", ".xorsign"), ("", ".relu", ".sat", ".rn"))
    for opcode, name, count in product(("min", "max"), types, (2, 3, 4, 5)):
        for modifiers in product(*flags):
            yield same(opcode + "".join(modifiers), name, count)


def float_lines():
    binary = [(opcode, 3) for opcode in ("add", "sub", "mul", "div", "copysign")] + [("fma", 4), ("mad", 4)]
    unary = [(opcode, 2) for opcode in "rcp sqrt rsqrt sin cos lg2 ex2 tanh neg abs".split()]
    for opcode, count in binary + unary:
        for rounding, stray, ftz, sat, name in product(ROUNDINGS, STRAYS, ("", ".ftz"), ("", ".sat"), SINGLE):
            yield same(f"{opcode}{rounding}{stray}{ftz}{sat}", name, count)
    yield from minima(SINGLE)
    for op in "finite infinite number notanumber normal subnormal zero nan".split():
        for ftz, name in product(("", ".ftz"), SINGLE + HALVES):
            yield inst(f"testp.{op}{ftz}.{name}", "%p0", reg(name, 1))


def float_operands():
    for name in SINGLE:
        for opcode, count in (("add.rn", 3), ("mul", 3), ("fma.rn", 4)):
            yield same(opcode, name, count)
    for name in SINGLE[:2]:
        for opcode, count in (("div.rn", 3), ("copysign", 3), ("min", 3), ("sqrt.rn", 2), ("neg", 2)):
            yield same(opcode, name, count)
        yield inst(f"testp.normal.{name}", "%p0", reg(name, 1))
    yield same("max.NaN.abs", "f32", 4)
    yield same("ex2.approx", "f32", 2)


def half_lines():
    for (opcode, count), rounding, stray, name in product(
            (("add", 3), ("sub", 3), ("mul", 3), ("fma", 4), ("mad", 4)), ROUNDINGS[:4],
            ("", ".satfinite", ".NaN", ".noftz", ".approx"), HALVES):
        for modifiers in subsets(["ftz", "sat", "relu", "oob"]):
            yield same(f"{opcode}{rounding}{modifiers}{stray}", name, count)
    for opcode, count in [(o, 2) for o in "neg abs tanh ex2 lg2 rcp sqrt rsqrt sin".split()] + [("div", 3), ("copysign", 3)]:
        for modifiers in product(("", ".rn"), ("", ".approx", ".full"), ("", ".ftz"), ("", ".relu", ".sat", ".NaN", ".oob")):
            for name in HALVES:
                yield same(opcode + "".join(modifiers), name, count)
    yield from minima(HALVES)


def half_operands():
    for name in HALVES:
        for opcode, count in (("add.rn", 3), ("fma.rn", 4), ("neg", 2), ("max.NaN.xorsign.abs", 3), ("tanh.approx", 2)):
            yield same(opcode, name, count)


def mixed_lines():
    wide, narrow = ("f32", "f64", "f16", "bf16", "f32x2", "f16x2"), ("f16", "bf16", "f32", "f16x2", "bf16x2", "f64")
    for opcode, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("mad", 3)):
        for rounding, modifiers in product(ROUNDINGS[:5], subsets(["ftz", "sat", "relu"])):
            for d, a in product(wide, narrow):
                # Which operands are narrow.
                for types in product((a, d), repeat=count):
                    operands = [reg(d, 0)] + [reg(name, i + 1) for i, name in enumerate(types)]
                    yield inst(f"{opcode}{rounding}{modifiers}.{d}.{a}", *operands)


def mixed_operands():
    for name in ("f16", "bf16"):
        yield f"add.rn.f32.{name} %f0, %h1, %f2;"
        yield f"sub.f32.{name} %f0, %h1, %f2;"
        yield f"fma.rn.f32.{name} %f0, %h1, %h2, %f3;"


def main():
    targets = ["sm_60", "sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_107a", "sm_120a"]
    record("ptx_float", thin(float_lines(), targets, 5) + list(shapes(float_operands())), targets)
    record("ptx_half", thin(half_lines(), targets, 5) + list(shapes(half_operands())), targets)
    targets = ["sm_80", "sm_90a", "sm_100", "sm_107a", "sm_120a"]
    record("ptx_mixed", thin(mixed_lines(), targets, 31) + list(shapes(mixed_operands())), targets)


if __name__ == "__main__":
    main()
