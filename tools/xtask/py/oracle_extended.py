"""Asks ptxas about carries: writes tests/oracle/ptx_extended.tsv.gz (PTXAS, PTXAS_12: see ptxas_batch)."""
from instruction_lines import INTEGER_TYPES, TARGETS, bits, inst, orders, shapes, sized, subsets
from ptxas_batch import record


def lines():
    for opcode, count, tokens in (
            ("add", 3, ["cc", "sat"]), ("addc", 3, ["cc", "sat"]), ("sub", 3, ["cc", "sat"]), ("subc", 3, ["cc", "sat"]),
            ("mad", 4, ["hi", "lo", "wide", "cc", "sat"]), ("madc", 4, ["hi", "lo", "wide", "cc", "sat"]),
            ("mul", 3, ["hi", "lo", "cc"]), ("mulc", 3, ["lo", "cc"]), ("neg", 2, ["cc"])):
        for modifiers in subsets(tokens):
            if "." + "cc" not in modifiers and opcode in ("add", "sub", "mul", "mad", "neg"):
                continue
            for name in INTEGER_TYPES:
                yield inst(f"{opcode}{modifiers}.{name}", *(sized(bits(name), i) for i in range(count)))
    yield inst("mad.cc.lo.u32", "%r0", "%r1", "%r2", "%r3")
    yield inst("madc.cc.u32.lo", "%r0", "%r1", "%r2", "%r3")
    yield from shapes([
        "add.cc.u32 %r0, %r1, %r2;", "addc.cc.s64 %rd0, %rd1, %rd2;", "addc.u16 %h0, %h1, %h2;", "sub.cc.s32 %r0, %r1, %r2;",
        "subc.u64 %rd0, %rd1, %rd2;", "mad.lo.cc.u32 %r0, %r1, %r2, %r3;", "madc.hi.cc.u64 %rd0, %rd1, %rd2, %rd3;",
        "madc.lo.s32 %r0, %r1, %r2, %r3;"])
    yield from orders(["add.cc.u32 %r0, %r1, %r2;", "mad.lo.cc.u32 %r0, %r1, %r2, %r3;", "madc.hi.cc.s64 %rd0, %rd1, %rd2, %rd3;",
                       "madc.hi.sat.s32 %r0, %r1, %r2, %r3;"])


if __name__ == "__main__":
    record("ptx_extended", lines(), TARGETS)
