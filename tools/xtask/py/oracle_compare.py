"""Asks ptxas about comparison and selection: writes tests/oracle/ptx_compare.tsv.gz and ptx_half_compare.tsv.gz
(PTXAS, PTXAS_12: see ptxas_batch)."""
from instruction_lines import TARGETS, inst, orders, reg, shapes
from ptxas_batch import record

COMPARISONS = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan".split()
FULL = "b8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64 pred u16x2".split()
HALF = "f16 f16x2 bf16 bf16x2".split()


def lines(names, half):
    """Sources of the given types."""
    for name in names:
        a, b = reg(name, 1), reg(name, 2)
        for comparison in COMPARISONS:
            for ftz in ("", ".ftz"):
                for p in ("%p0", "%p0|%p5"):
                    yield inst(f"setp.{comparison}{ftz}.{name}", p, a, b)
                    yield inst(f"setp.{comparison}.xor{ftz}.{name}", p, a, b, "!%p3")
        for comparison in ("eq", "le", "hs", "nan"):
            for ftz in ("", ".ftz"):
                for operation in ("", ".and", ".xor"):
                    for result in "u16 s16 b16 u32 s32 b32 u64 f16 f16x2 bf16 bf16x2 f32 f64 pred".split():
                        if not half and result in ("f16", "bf16", "f16x2", "bf16x2"):
                            continue
                        c = ["%p3"] if operation else []
                        yield inst(f"set.{comparison}{operation}{ftz}.{result}.{name}", reg(result, 0), a, b, *c)
        for operation in ("", ".and", ".or", ".xor", ".not", ".and.or"):
            for c in ([], ["%p3"], ["!%p3"], ["1"]):
                yield inst(f"setp.ne{operation}.{name}", "%p0", a, b, *c)
                yield inst(f"set.ne{operation}.u32.{name}", "%r0", a, b, *c)
        for modifier in ("", ".ftz", ".sat"):
            for c in ("%p3", "!%p3", "%r3", "1"):
                yield inst(f"selp{modifier}.{name}", reg(name, 0), a, b, c)
            for second in ("s32", "u32", "b32", "f32", "f64", "s64", "f16"):
                yield inst(f"slct{modifier}.{name}.{second}", reg(name, 0), a, b, reg(second, 3))
    if half:
        for name in FULL:
            for comparison in ("ne", "ge", "lo", "geu"):
                for ftz in ("", ".ftz"):
                    for result in HALF:
                        yield inst(f"set.{comparison}{ftz}.{result}.{name}", reg(result, 0), reg(name, 1), reg(name, 2))
                        yield inst(f"set.{comparison}.or{ftz}.{result}.{name}", reg(result, 0), reg(name, 1), reg(name, 2), "%p3")


def compare():
    yield from lines(FULL, False)
    yield from shapes([
        "setp.eq.u32 %p0, %r1, %r2;", "setp.lt.and.s64 %p0|%p1, %rd1, %rd2, %p3;", "setp.ne.b16 %p0, %h1, %h2;",
        "setp.gt.f32 %p0, %f1, %f2;", "setp.nan.or.f64 %p0|%p1, %fd1, %fd2, %p3;", "set.eq.u32.u32 %r0, %r1, %r2;",
        "set.lt.f32.s16 %f0, %h1, %h2;", "set.eq.and.f32.f64 %f0, %fd1, %fd2, %p3;", "selp.b32 %r0, %r1, %r2, %p3;",
        "selp.f32 %f0, %f1, %f2, %p3;", "selp.u16 %h0, %h1, %h2, %p3;", "selp.f64 %fd0, %fd1, %fd2, %p3;",
        "slct.u32.s32 %r0, %r1, %r2, %r3;", "slct.b64.f32 %rd0, %rd1, %rd2, %f3;"])
    for p in ("%p0|_", "_|%p0", "_|_", "_"):
        yield inst("setp.eq.u32", p, "%r1", "%r2")
        yield inst("setp.eq.or.f64", p, "%fd1", "%fd2", "%p1")
    yield from orders(["setp.eq.and.ftz.f32 %p0, %f1, %f2, %p3;", "set.eq.and.ftz.s32.f32 %r0, %f1, %f2, %p3;",
                       "slct.ftz.b64.f32 %rd0, %rd1, %rd2, %f3;", "selp.b32 %r0, %r1, %r2, %p3;"])


def half_compare():
    yield from lines(HALF, True)
    yield from shapes([
        "setp.lt.f16 %p0, %h1, %h2;", "setp.lt.and.f16x2 %p0|%p1, %r1, %r2, %p3;", "setp.lt.bf16 %p0, %h1, %h2;",
        "setp.lt.bf16x2 %p0|%p1, %r1, %r2;", "set.eq.f16.f16 %h0, %h1, %h2;", "set.eq.f16x2.f16x2 %r0, %r1, %r2;",
        "set.eq.and.bf16.s32 %h0, %r1, %r2, %p3;", "set.eq.f16.f64 %h0, %fd1, %fd2;", "set.lt.u16.bf16 %h0, %h1, %h2;"])
    yield from orders(["setp.eq.and.ftz.f16x2 %p0, %r1, %r2, %p3;", "set.eq.and.ftz.f16.f32 %h0, %f1, %f2, %p3;"])


if __name__ == "__main__":
    record("ptx_compare", compare(), TARGETS)
    record("ptx_half_compare", half_compare(), TARGETS)
