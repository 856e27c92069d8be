"""Asks ptxas about the stack and everything else: writes tests/oracle/ptx_stack.tsv.gz and ptx_misc.tsv.gz
(PTXAS, PTXAS_12: see ptxas_batch)."""
from instruction_lines import TARGETS, inst, orders, shapes
from ptxas_batch import record


def stack():
    for kind in (".u32", ".u64", ".b32", ".b64", ".s32", ".s64", ".u16", ""):
        for opcode in ("stacksave", "stackrestore"):
            for operand in ("%r0", "%rd0", "%h0", "%f0", "5", "_"):
                yield inst(opcode + kind, operand)
        for operands in (["%r0", "%r1"], ["%rd0", "%rd1"], ["%r0", "%rd1"], ["%rd0", "%r1"], ["%r0", "8"], ["%rd0", "8"]):
            for align in ([], ["8"], ["%r2"]):
                yield inst("alloca" + kind, *operands, *align)
    for align in (0, 1, 2, 3, 4, 6, 7, 8, 16, 24, 1024, 8388608, 8388609, 16777216, 2147483648, 4294967296, -1, -8, "1.0", "WARP_SZ"):
        yield inst("alloca.u64", "%rd0", "%rd1", str(align))
        yield inst("alloca.u32", "%r0", "64", str(align))
    yield from shapes(["stacksave.u64 %rd0;", "stackrestore.u32 %r0;", "alloca.u64 %rd0, %rd1, 8;", "alloca.u32 %r0, %r1;"])


def misc():
    for opcode in ("brkpt", "trap", "nop", "halt"):
        yield inst(opcode)
        yield inst(opcode + ".u32")
        yield inst(opcode, "5")
    for kind in ("", ".u32", ".u64", ".b32", ".s32", ".sync.u32"):
        for operand in ("%r0", "%rd0", "5", "-1", "4294967296", "1.0", "_"):
            yield inst("nanosleep" + kind, operand)
    for mask in ("", ".mask", ".u32"):
        for event in ("0", "1", "15", "16", "255", "65535", "65536", "-1", "%r0", "1.0", "WARP_SZ", "_"):
            yield inst("pmevent" + mask, event)
        yield inst("pmevent" + mask)
    for action in (".inc", ".dec", ".set", ""):
        for how in (".sync.aligned", ".sync", ".aligned", ""):
            for kind in (".u32", "", ".b32"):
                yield inst(f"setmaxnreg{action}{how}{kind}", "64")
    for count in (-8, 0, 8, 16, 20, 24, 25, 32, 63, 64, 168, 232, 240, 248, 255, 256, 264, "%r0", "1.0", "WARP_SZ"):
        yield inst("setmaxnreg.inc.sync.aligned.u32", str(count))
        yield inst("setmaxnreg.dec.sync.aligned.u32", str(count))
    yield inst("setmaxnreg.inc.u32.aligned.sync", "64")
    yield inst("setmaxnreg.sync.inc.aligned.u32", "64")
    for kind in (".texref", ".samplerref", ".surfref", ".u64", ".global", ""):
        for operand in ("%rd0", "%r0", "tref", "sref", "gvar", "5", "%fd0", "[%rd0]", "_"):
            yield inst("istypep" + kind, "%p0", operand)
            yield inst("istypep" + kind, "%r0", operand)
    yield from shapes(["nanosleep.u32 %r0;", "pmevent 1;", "istypep.texref %p0, %rd1;"])
    yield from orders(["setmaxnreg.dec.sync.aligned.u32 64;"])


if __name__ == "__main__":
    targets = sorted(set(TARGETS) | {"sm_61", "sm_100f", "sm_103", "sm_103f", "sm_107f", "sm_110", "sm_110f", "sm_121a", "sm_121f"},
                     key=lambda t: (int(t[3:].rstrip("af")), t))
    record("ptx_stack", stack(), TARGETS)
    record("ptx_misc", misc(), targets)
