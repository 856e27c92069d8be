"""Makes the oracle files of control flow, synchronisation, tensor copies, textures and surfaces.

    PTXAS=... PTXAS_12=... python3 crates/xtask/py/oracle_sync.py [SECTION...]

Each function below yields the instructions of one section: the product of the modifiers an opcode could take, wrong ones
among them, and, for a form of each shape, everything that could stand in each operand position (`vary`). What is right
is for ptxas to say; the answers go to tests/oracle/ptx_SECTION.tsv.gz.
"""
import itertools
import sys

from ptxas_batch import record

# What may be tried for an operand: registers of every size and kind, constants, names, sinks.
OPERANDS = ("%h1 %r1 %rd1 %f1 %fd1 %p1 !%p1 0 1 -1 15 16 31 32 64 128 0x100000000 1.0 0f3f800000 _ svar gvar k LABEL nothing "
            "%tid.x %laneid %clock64 %envreg0 WARP_SZ {%r1} {%r1,%r2} -%r1 %r1|%p1 [%r1] [%rd1] [svar] [gvar] [svar+4] [4] []").split()


def vary(mnemonic, *operands, values=OPERANDS):
    """The instruction, and each of its operands replaced by everything there is, taken away and repeated."""
    def text(list_):
        return f"{mnemonic} {', '.join(list_)};" if list_ else f"{mnemonic};"
    yield text(operands)
    for i in range(len(operands)):
        for value in values:
            yield text([*operands[:i], value, *operands[i + 1:]])
        yield text([*operands[:i], *operands[i + 1:]])
        yield text([*operands[:i + 1], *operands[i:]])


def product(*parts):
    """Texts glued together in every combination."""
    return ("".join(p) for p in itertools.product(*parts))


OLD = ["sm_60", "sm_70"]
PLAIN = ["sm_75", "sm_80", "sm_90", "sm_100a", "sm_120"]


def barrier():
    for form in product(["bar", "barrier"], ["", ".cta"], ["", ".aligned"]):
        stem, _, aligned = form.partition(".aligned")
        aligned = ".aligned" if "aligned" in form else ""
        for phase in ("sync", "arrive", "red", "wait"):
            for operands in ("", " 0", " 0, 64", " %r1", " %r1, %r2", " 0, %r2", " 0, 63", " 0, 0", " 16", " 16, 32", " %p1, 0, %p2", " 0, 0, 0"):
                yield f"{stem}.{phase}{aligned}{operands};"
        for op, ty in itertools.product((".and", ".or", ".xor", ".popc", ""), (".pred", ".u32", ".s32", ".b32", "")):
            d = "%p1" if ty == ".pred" else "%r1"
            for operands in (f"{d}, 0, %p2", f"{d}, %r2, 64, !%p2", f"{d}, 0, %r3, %p2"):
                yield f"{stem}.red{op}{aligned}{ty} {operands};"
    for mnemonic in ("bar.sync", "barrier.cta.sync"):
        yield from vary(mnemonic, "1")
        yield from vary(mnemonic, "1", "64")
    yield from vary("barrier.arrive", "1", "64")
    yield from vary("bar.red.popc.u32", "%r1", "1", "%p2")
    yield from vary("barrier.red.and.aligned.pred", "%p1", "1", "64", "%p2")
    for count in (-32, 32, 96, 1024, 1056, 2048, 8192, 65536, 1 << 32, (1 << 32) + 32, 33):
        yield f"bar.sync 0, {count};"
        yield f"bar.arrive 0, {count};"
        yield f"barrier.red.popc.u32 %r1, 0, {count}, %p1;"
    for form in product(["bar", "barrier"], [".warp"], ["", ".sync", ".arrive"], ["", ".aligned"], [" -1", " %r1", ""]):
        yield form + ";"
    yield from vary("bar.warp.sync", "-1")
    for form in product(["bar", "barrier"], [".cluster"], [".arrive", ".wait", ".sync", ""],
                        ["", ".release", ".relaxed", ".acquire", ".acq_rel", ".sc"], ["", ".aligned"], ["", ".cta"]):
        yield form + ";"
    yield "barrier.cluster.arrive 0;"
    yield "barrier.cluster.wait %r1;"
    for form in product(["griddepcontrol"], ["", ".wait", ".launch_dependents", ".launch"], ["", ".aligned", ".cta"], ["", " 0"]):
        yield form + ";"


SECTIONS = {
    "barrier": (barrier, OLD + PLAIN),
}


def main():
    for name in sys.argv[1:] or SECTIONS:
        generate, targets = SECTIONS[name]
        record("ptx_" + name, generate(), targets)


if __name__ == "__main__":
    main()
