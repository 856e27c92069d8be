"""Asks ptxas about logic and shifts: writes tests/oracle/ptx_logic.tsv.gz (PTXAS, PTXAS_12: see ptxas_batch)."""
from instruction_lines import FLOAT_TYPES, INTEGER_TYPES, TARGETS, bits, inst, orders, reg, shapes, sized, subsets
from ptxas_batch import record

TYPES = INTEGER_TYPES + FLOAT_TYPES


def lines():
    for opcode, count in (("and", 3), ("or", 3), ("xor", 3), ("not", 2), ("cnot", 2), ("nand", 3)):
        for modifiers in subsets(["sat", "cc"]):
            for name in TYPES:
                yield inst(f"{opcode}{modifiers}.{name}", *(reg(name, i) for i in range(count)))
    for modifiers in subsets(["and", "or", "xor"]):
        for name in TYPES:
            yield inst(f"lop3{modifiers}.{name}", *(reg(name, i) for i in range(4)), "5")
            yield inst(f"lop3{modifiers}.{name}", f"{reg(name, 0)}|%p0", *(reg(name, i) for i in range(1, 4)), "5", "%p1")
    for name in ("b32", "u32", "b64"):
        for operation in ("", ".and", ".or", ".xor", ".and.or"):
            for d in ("%r0", "%r0|%p0", "_|%p0", "%r0|_", "_|_", "%p0", "_", "5", "%f0|%p0", "%rd0|%p0"):
                if d == "%r0|_" and not operation:
                    continue
                for q in ([], ["%p1"], ["!%p1"], ["1"], ["%r1"]):
                    yield inst(f"lop3{operation}.{name}", d, "%r1", "%r2", "%r3", "0x80", *q)
    for table in (0, 255, 256, 65536, -1, "0U", "%r5", "1.0", "0f3f800000", "WARP_SZ"):
        yield inst("lop3.b32", "%r0", "%r1", "%r2", "%r3", str(table))
        yield inst("lop3.or.b32", "%r0|%p0", "%r1", "%r2", "%r3", str(table), "%p1")
    for modifiers in subsets(["l", "r", "clamp", "wrap"]):
        for name in INTEGER_TYPES:
            yield inst(f"shf{modifiers}.{name}", *(sized(bits(name), i) for i in range(4)))
    for opcode in ("shl", "shr"):
        for modifiers in subsets(["clamp", "wrap", "sat"]):
            for name in TYPES:
                yield inst(f"{opcode}{modifiers}.{name}", reg(name, 0), reg(name, 1), "%r2")
                yield inst(f"{opcode}{modifiers}.{name}", reg(name, 0), reg(name, 1), reg(name, 2))
    yield from shapes([
        "and.b16 %h0, %h1, %h2;", "and.b32 %r0, %r1, %r2;", "or.b64 %rd0, %rd1, %rd2;", "xor.pred %p0, %p1, %p2;",
        "not.b32 %r0, %r1;", "not.pred %p0, %p1;", "cnot.b64 %rd0, %rd1;", "cnot.b16 %h0, %h1;",
        "lop3.b32 %r0, %r1, %r2, %r3, 5;", "lop3.and.b32 %r0|%p0, %r1, %r2, %r3, 5, %p1;",
        "shf.l.wrap.b32 %r0, %r1, %r2, %r3;", "shl.b16 %h0, %h1, %r2;", "shl.b32 %r0, %r1, %r2;", "shl.b64 %rd0, %rd1, %r2;",
        "shr.s16 %h0, %h1, %r2;", "shr.u64 %rd0, %rd1, %r2;", "shr.b32 %r0, %r1, %r2;"])
    yield from orders(["lop3.and.b32 %r0|%p0, %r1, %r2, %r3, 5, %p1;", "shf.l.wrap.b32 %r0, %r1, %r2, %r3;"])


if __name__ == "__main__":
    record("ptx_logic", lines(), TARGETS)
