"""Asks ptxas about `wmma` and writes tests/oracle/ptx_wmma.tsv.gz."""
from matrix_shapes import dims, fragment, register, vector
from ptxas_batch import record

TARGETS = ["sm_60", "sm_70", "sm_72", "sm_75", "sm_80", "sm_90", "sm_100a", "sm_120"]
SHAPES = "m16n16k16 m8n32k16 m32n8k16 m16n16k8 m8n8k4 m8n8k32 m8n8k128 m16n8k8".split()
TYPES = "f16 f32 f64 bf16 tf32 s8 u8 s4 u4 b1 s32 b32 e4m3".split()
LAYOUTS = [".row", ".col"]


def lengths(matrix, shape, ty):
    """The number of registers of a fragment: f16 multiplicands lie in twice as many."""
    m, n, k = dims(shape)
    if ty == "f16" and matrix in "ab":
        return 8
    if ty not in ("f16", "f32", "f64", "bf16", "tf32", "s8", "u8", "s4", "u4", "b1", "s32"):
        return 4
    return min(fragment(ty, *{"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[matrix]), 8)


def regs(matrix, shape, ty, start=0, change=0):
    kind = register(ty) if matrix in "cd" or ty == "f64" else "r"
    return vector(kind, max(1, lengths(matrix, shape, ty) + change), start)


def mma(shape, types, a, b, d, c, layout=".row.col", before="", after="", op="", change=(0, 0, 0, 0), sync=".sync.aligned"):
    operands = ", ".join([regs("d", shape, d, 0, change[0]), regs("a", shape, a, 20, change[1]), regs("b", shape, b, 40, change[2]), regs("c", shape, c, 60, change[3])])
    return "wmma.mma" + op + sync + layout + "." + shape + before + types + after + " " + operands + ";"


GOOD = [("m16n16k16", ".f16.f16", "f16", "f16", "f16", "f16"), ("m16n16k16", ".f32.f32", "f16", "f16", "f32", "f32"), ("m8n32k16", ".f16.f32", "f16", "f16", "f16", "f32"),
        ("m32n8k16", ".f32.f16", "f16", "f16", "f32", "f16"), ("m16n16k16", ".s32.s8.s8.s32", "s8", "s8", "s32", "s32"), ("m8n32k16", ".s32.u8.u8.s32", "u8", "u8", "s32", "s32"),
        ("m16n16k16", ".f32.bf16.bf16.f32", "bf16", "bf16", "f32", "f32"), ("m16n16k8", ".f32.tf32.tf32.f32", "tf32", "tf32", "f32", "f32"),
        ("m8n8k4", ".f64.f64.f64.f64", "f64", "f64", "f64", "f64"), ("m8n8k32", ".s32.s4.s4.s32", "s4", "s4", "s32", "s32"), ("m8n8k128", ".s32.b1.b1.s32", "b1", "b1", "s32", "s32")]


def all_lines():
    for matrix in "abcd":
        for shape in SHAPES:
            for ty in TYPES:
                for layout in LAYOUTS:
                    for stride in ["", ", %r1"]:
                        for space in ["", ".shared"] if stride else [".global"]:
                            address = "[%sa]" if space == ".shared" else "[%ga]"
                            tail = " " + regs(matrix, shape, ty) + ", " + address + stride + ";"
                            yield "wmma.load." + matrix + ".sync.aligned" + layout + "." + shape + space + "." + ty + tail
                            if matrix in "cd":
                                yield "wmma.store." + matrix + ".sync.aligned" + layout + "." + shape + space + "." + ty + " " + address + ", " + regs(matrix, shape, ty) + stride + ";"
    # Products.
    for shape in SHAPES:
        for d in ["f16", "f32", "s32", "bf16"]:
            for c in ["f16", "f32", "s32", "bf16"]:
                yield mma(shape, "." + d + "." + c, "f16", "f16", d, c)
                yield mma(shape, "." + d + ".f16.f16." + c, "f16", "f16", d, c)
        for d in ["f16", "f32", "f64", "s32"]:
            for a in TYPES:
                for b in {a, {"s8": "u8", "u8": "s8", "s4": "u4", "u4": "s4"}.get(a, "f16")}:
                    yield mma(shape, "." + d + "." + a + "." + b + "." + d, a, b, d, d, op=".xor.popc" if a == "b1" else "")
    for shape, types, a, b, d, c in GOOD:
        op = ".xor.popc" if a == "b1" else ""
        for layout in ["", ".row", ".col", ".row.row", ".row.col", ".col.row", ".col.col"]:
            yield mma(shape, types, a, b, d, c, layout=layout, op=op)
        for extra in [".satfinite", ".rn", ".rz", ".rm", ".rp", ".relu", ".xor.popc", ".and.popc"]:
            yield mma(shape, types, a, b, d, c, before=extra, op=op)
            yield mma(shape, types, a, b, d, c, after=extra, op=op)
        for operation in ["", ".xor.popc", ".and.popc", ".or.popc", ".popc", ".xor"]:
            yield mma(shape, types, a, b, d, c, op=operation)
        for sync in ["", ".sync", ".aligned"]:
            yield mma(shape, types, a, b, d, c, op=op, sync=sync)
        for i in range(4):
            for by in (1, -1, 2):
                change = [0, 0, 0, 0]
                change[i] = by
                yield mma(shape, types, a, b, d, c, op=op, change=change)
        for matrix, ty in [("a", a), ("b", b), ("c", c)]:
            layout = ".row" if matrix != "b" else ".col"
            for by in (1, -1, 4, -2):
                yield "wmma.load." + matrix + ".sync.aligned" + layout + "." + shape + ".shared." + ty + " " + regs(matrix, shape, ty, 0, by) + ", [%sa];"
    # Spaces, addresses, strides, other operands.
    for space in ["", ".shared", ".shared::cta", ".shared::cluster", ".global", ".const", ".local", ".param"]:
        for address in ["[%sa]", "[%ga]", "[svar]", "[gvar+32]", "[%ga+32]", "[%sa+1]", "[%h1]", "[%f1]", "[64]"]:
            yield "wmma.load.c.sync.aligned.row.m16n16k16" + space + ".f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, " + address + ", %r1;"
            yield "wmma.store.d.sync.aligned.row.m16n16k16" + space + ".f32 " + address + ", {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, %r1;"
    for stride in ["%r1", "16", "0", "-1", "3", "%rd1", "%h1", "%f1", "16.0", "_", "{%r1}", "%r1, %r2", "0x100000000"]:
        yield "wmma.load.a.sync.aligned.row.m8n32k16.shared.u8 {%r0}, [%sa], " + stride + ";"
        yield "wmma.store.d.sync.aligned.col.m16n16k16.shared.f16 [%sa], {%r0,%r1,%r2,%r3}, " + stride + ";"
    for data in ["%r0", "{%f0}", "{%h0}", "{%rd0}", "{_}", "{0}"]:
        yield "wmma.load.a.sync.aligned.row.m8n32k16.shared.u8 " + data + ", [%sa];"
        yield "wmma.load.a.sync.aligned.row.m8n8k32.shared.u4 " + data + ", [%sa];"
        yield "wmma.load.a.sync.aligned.row.m8n8k128.shared.b1 " + data + ", [%sa];"
        yield "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%r0,%r1}, " + data + ", {%r3}, {%r4,%r5};"
    for data in ["{%rd0,%rd1}", "{%fd0,%fd1}", "{%f0,%f1}", "{%fd0,0d0000000000000000}", "{%fd0,0}"]:
        yield "wmma.store.d.sync.aligned.row.m8n8k4.shared.f64 [%sa], " + data + ";"
    yield "wmma.load.c.sync.aligned.row.m8n8k4.shared.f64 {%fd0,_}, [%sa];"
    # Orders.
    for words in ["wmma.load.sync.aligned.a.row.m8n32k16.shared.u8", "wmma.load.a.row.sync.aligned.m8n32k16.shared.u8", "wmma.load.a.m8n32k16.row.sync.aligned.shared.u8",
                  "wmma.load.a.sync.aligned.u8.m8n32k16.shared.row", "wmma.a.load.sync.aligned.row.m8n32k16.shared.u8", "wmma.load.sync.a.aligned.row.m8n32k16.shared.u8"]:
        yield words + " {%r0}, [%sa], %r1;"
    for words in ["wmma.mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32", "wmma.mma.sync.aligned.s32.s4.s4.s32.row.col.m8n8k32", "wmma.sync.mma.aligned.row.col.m8n8k32.s32.s4.s4.s32",
                  "wmma.mma.sync.aligned.col.row.m8n8k32.s32.s4.s4.s32", "wmma.mma.sync.aligned.row.col.m8n8k32.s4.s32.s4.s32"]:
        yield words + " {%r0,%r1}, {%r2}, {%r3}, {%r4,%r5};"
    for words in ["wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32.xor.popc", "wmma.xor.mma.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "wmma.mma.popc.xor.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32"]:
        yield words + " {%r0,%r1}, {%r2}, {%r3}, {%r4,%r5};"


def undefined(line):
    """What ptxas takes though it means nothing (docs/deviations.md)."""
    return ((".f32 " in line and (".m8n8k32" in line or ".m8n8k128" in line)) or (".f64 " in line and ".m8n8k4" not in line)
            or ".s4.s4.s32 {%r0,%r1}, {0}" in line)


def only_once(line):
    """What only versions before 6.3 (no `.aligned`) or 6.5 (`.satfinite` on floats) have: tested in the crate itself."""
    words = line.split(" ")[0]
    half = words.split(".m")[-1].count(".f") == 2 and ".bf16" not in words and ".tf32" not in words
    return words.startswith("wmma.mma") and half and (".aligned" not in words or ".satfinite" in words)


def lines():
    return (line for line in all_lines() if not undefined(line) and not only_once(line))


if __name__ == "__main__":
    record("ptx_wmma", lines(), TARGETS)
