"""Asks ptxas about `mma` and writes tests/oracle/ptx_mma.tsv.gz."""
import sys

from matrix_shapes import dims, fragment, register, vector
from ptxas_batch import record

TARGETS = ["sm_70", "sm_75", "sm_80", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_103f", "sm_110a", "sm_120", "sm_120a", "sm_120f", "sm_121a"]
SHAPES = ("m8n8k4 m8n8k16 m8n8k32 m8n8k128 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256 m16n16k16").split()
TYPES = "f16 bf16 tf32 f32 f64 u8 s8 u4 s4 b1 e4m3 e5m2 e3m2 e2m3 e2m1".split()
F8 = "e4m3 e5m2".split()
F8F6F4 = "e4m3 e5m2 e3m2 e2m3 e2m1".split()
SPARSE = [".sp", ".sp::ordered_metadata"]
SELECTORS = ", %r60, {0, 0}, %r61, {0, 0}"


def mma(shape, d, a, b, c, layout=".row.col", before="", after="", sparse="", tail="", counts=None, prefix=".sync.aligned",
        packed=False, selector="0", copies=None, metadata="%r50"):
    m, n, k = dims(shape)
    if copies is None:
        copies = 4 if shape == "m8n8k4" and a in ("f16", "bf16", "tf32") else 1
    bits = 4 if packed else None
    ka = k // 2 if sparse else k
    lengths = [fragment(d, m, n, copies), fragment(a, m, ka, copies, bits), fragment(b, k, n, copies, bits), fragment(c, m, n, copies)]
    lengths = [min(x, 8) for x in (counts(lengths) if counts else lengths)]
    kinds = [register(d), "fd" if a == "f64" else "r", "fd" if b == "f64" else "r", register(c)]
    vectors = ", ".join(vector(kind, x, 10 * i) for i, (kind, x) in enumerate(zip(kinds, lengths)))
    meta = ", %s, %s" % (metadata, selector) if sparse else ""
    return "mma%s%s.%s%s%s.%s.%s.%s.%s%s %s%s%s;" % (sparse, prefix, shape, layout, before, d, a, b, c, after, vectors, meta, tail)


def dense_pairs():
    """Operand types: each with itself, and with its neighbours of the same and of another class."""
    for i, a in enumerate(TYPES):
        for b in {a, TYPES[(i + 1) % len(TYPES)], {"u8": "s8", "s8": "u8", "u4": "s4", "s4": "u4", "f16": "bf16"}.get(a, a)}:
            yield a, b


RESULTS = [("f16", "f16"), ("f32", "f32"), ("f32", "f16"), ("f16", "f32"), ("f64", "f64"), ("s32", "s32")]
GOOD = [("m8n8k4", "f16", "f16", "f16"), ("m8n8k4", "f32", "f16", "f16"), ("m8n8k4", "f32", "f16", "f32"), ("m8n8k4", "f64", "f64", "f64"),
        ("m8n8k16", "s32", "s8", "s32"), ("m8n8k32", "s32", "u4", "s32"), ("m8n8k128", "s32", "b1", "s32"), ("m16n8k4", "f32", "tf32", "f32"),
        ("m16n8k4", "f64", "f64", "f64"), ("m16n8k8", "f16", "f16", "f16"), ("m16n8k8", "f32", "bf16", "f32"), ("m16n8k8", "f32", "tf32", "f32"),
        ("m16n8k8", "f64", "f64", "f64"), ("m16n8k16", "f32", "f16", "f32"), ("m16n8k16", "f32", "bf16", "f32"), ("m16n8k16", "f64", "f64", "f64"),
        ("m16n8k16", "f16", "e4m3", "f16"), ("m16n8k16", "s32", "u8", "s32"), ("m16n8k32", "f32", "e5m2", "f32"), ("m16n8k32", "s32", "s8", "s32"),
        ("m16n8k32", "s32", "s4", "s32"), ("m16n8k64", "s32", "u4", "s32"), ("m16n8k128", "s32", "b1", "s32"), ("m16n8k256", "s32", "b1", "s32")]
GOOD_SPARSE = [("m16n8k8", "f32", "tf32", "f32"), ("m16n8k16", "f16", "f16", "f16"), ("m16n8k16", "f32", "bf16", "f32"), ("m16n8k16", "f32", "tf32", "f32"),
               ("m16n8k32", "f32", "f16", "f32"), ("m16n8k32", "f32", "bf16", "f32"), ("m16n8k32", "s32", "s8", "s32"), ("m16n8k64", "f32", "e4m3", "f32"),
               ("m16n8k64", "f16", "e4m3", "f16"), ("m16n8k64", "s32", "u8", "s32"), ("m16n8k64", "s32", "s4", "s32"), ("m16n8k128", "s32", "u4", "s32")]


def popc(a):
    return ".xor.popc" if a == "b1" else ""


def wrong_counts():
    """Each of the four fragments too long and too short."""
    for i in range(4):
        for change in (lambda x: x * 2, lambda x: x + 1, lambda x: max(1, x // 2)):
            yield lambda lengths, i=i, change=change: [change(x) if k == i else x for k, x in enumerate(lengths)]


def all_lines():
    # Shapes and types.
    for shape in SHAPES:
        for d, c in RESULTS:
            for a, b in sorted(dense_pairs()):
                yield mma(shape, d, a, b, c, after=popc(a))
    for shape in ["m16n8k16", "m16n8k32", "m16n8k64"]:
        for d, c in RESULTS[:4]:
            for kind in ["", ".kind::f8f6f4"]:
                for a in F8F6F4:
                    for b in F8F6F4:
                        yield mma(shape, d, a, b, c, before=kind)
    # Layouts, rounding, saturation, operations; lengths of the fragments.
    for shape, d, a, c in GOOD:
        for layout in ["", ".row", ".col", ".row.row", ".row.col", ".col.row", ".col.col"]:
            yield mma(shape, d, a, a, c, layout=layout, after=popc(a))
        for extra in [".satfinite", ".rn", ".rz", ".rm", ".rp", ".rna", ".relu", ".kind::f8f6f4", ".kind::mxf4", ".block_scale", ".sat", ".ftz"]:
            yield mma(shape, d, a, a, c, before=extra, after=popc(a))
        for operation in ["", ".xor", ".and", ".popc", ".xor.popc", ".and.popc", ".or.popc", ".xor.and.popc"]:
            yield mma(shape, d, a, a, c, after=operation)
        for prefix in ["", ".sync", ".aligned"]:
            yield mma(shape, d, a, a, c, prefix=prefix, after=popc(a))
        for counts in wrong_counts():
            yield mma(shape, d, a, a, c, counts=counts, after=popc(a))
        yield mma(shape, d, a, a, c, tail=", %r1", after=popc(a))
        yield mma(shape, d, a, a, c, tail=", %r1, 0", after=popc(a))
    # Sparse A.
    for sparse in SPARSE:
        for shape in SHAPES[4:11]:
            for d, c in RESULTS:
                for a, b in sorted(dense_pairs()):
                    yield mma(shape, d, a, b, c, sparse=sparse)
        for shape in ["m16n8k32", "m16n8k64", "m16n8k128"]:
            for d, c in RESULTS[:4]:
                for kind in ["", ".kind::f8f6f4"]:
                    for a in F8F6F4:
                        for b in F8F6F4:
                            yield mma(shape, d, a, b, c, before=kind, sparse=sparse)
        for shape, d, a, c in GOOD_SPARSE:
            for selector in ["0", "1", "2", "3", "4", "-1", "%r1", "0.0"]:
                yield mma(shape, d, a, a, c, sparse=sparse, selector=selector)
            for metadata in ["0", "7", "%rd1", "%h1", "%f1"]:
                yield mma(shape, d, a, a, c, sparse=sparse, metadata=metadata)
            for layout in ["", ".row.row", ".col.row", ".col.col"]:
                yield mma(shape, d, a, a, c, sparse=sparse, layout=layout)
            for extra in [".satfinite", ".rn"]:
                yield mma(shape, d, a, a, c, sparse=sparse, before=extra)
            for counts in wrong_counts():
                yield mma(shape, d, a, a, c, sparse=sparse, counts=counts)
    # Block scaling.
    for sparse in ["", ".sp::ordered_metadata", ".sp"]:
        for kind in [".kind::mxf8f6f4", ".kind::mxf4", ".kind::mxf4nvf4", ".kind::f8f6f4", ""]:
            for size in ["", ".scale_vec::1X", ".scale_vec::2X", ".scale_vec::4X"]:
                for stype in ["", ".ue8m0", ".ue4m3"]:
                    for shape in ["m16n8k32", "m16n8k64", "m16n8k128"]:
                        for a, b in [("e4m3", "e4m3"), ("e2m1", "e2m1"), ("e3m2", "e2m1")]:
                            yield mma(shape, "f32", a, b, "f32", before=kind + ".block_scale" + size, after=stype, sparse=sparse, tail=SELECTORS,
                                      packed=kind.startswith(".kind::mxf4"))
    scaled = [("", "m16n8k32", ".kind::mxf8f6f4.block_scale", "e4m3", "e2m3", ".ue8m0", False),
              ("", "m16n8k64", ".kind::mxf4.block_scale.scale_vec::2X", "e2m1", "e2m1", ".ue8m0", True),
              ("", "m16n8k64", ".kind::mxf4nvf4.block_scale.scale_vec::4X", "e2m1", "e2m1", ".ue4m3", True),
              (".sp::ordered_metadata", "m16n8k64", ".kind::mxf8f6f4.block_scale", "e4m3", "e2m3", ".ue8m0", False),
              (".sp::ordered_metadata", "m16n8k128", ".kind::mxf4nvf4.block_scale.scale_vec::4X", "e2m1", "e2m1", ".ue4m3", True)]
    for sparse, shape, before, a, b, stype, packed in scaled:
        for d, c in RESULTS[:4]:
            yield mma(shape, d, a, b, c, before=before, after=stype, sparse=sparse, tail=SELECTORS, packed=packed)
        if not packed:
            for a2 in F8F6F4:
                for b2 in F8F6F4:
                    yield mma(shape, "f32", a2, b2, "f32", before=before, after=stype, sparse=sparse, tail=SELECTORS)
        for ids in ["{0, 0}", "{1, 0}", "{2, 1}", "{3, 3}", "{4, 0}", "{0, 1}", "{0, 2}", "{0, 4}", "{-1, 0}", "0", "{0}", "{0, 0, 0}", "{%h1, %h2}",
                    "{%r1, %r2}", "{%h1, 0}", "{0, %h2}", "{0.0, 0}"]:
            yield mma(shape, "f32", a, b, "f32", before=before, after=stype, sparse=sparse, packed=packed, tail=", %r60, " + ids + ", %r61, {0, 0}")
            yield mma(shape, "f32", a, b, "f32", before=before, after=stype, sparse=sparse, packed=packed, tail=", %r60, {0, 0}, %r61, " + ids)
        for data in ["%h1", "%rd1", "%f1", "0"]:
            yield mma(shape, "f32", a, b, "f32", before=before, after=stype, sparse=sparse, packed=packed, tail=", " + data + ", {0, 0}, %r61, {0, 0}")
        for tail in ["", ", %r60, {0, 0}", ", %r60, %r61", ", {0, 0}, {0, 0}"]:
            yield mma(shape, "f32", a, b, "f32", before=before, after=stype, sparse=sparse, packed=packed, tail=tail)
        if sparse:
            for selector in ["0", "1", "2", "-1", "%r1"]:
                yield mma(shape, "f32", a, b, "f32", before=before, after=stype, sparse=sparse, packed=packed, tail=SELECTORS, selector=selector)
        for counts in wrong_counts():
            yield mma(shape, "f32", a, b, "f32", before=before, after=stype, sparse=sparse, packed=packed, tail=SELECTORS, counts=counts)
        yield mma(shape, "f32", a, b, "f32", before=before.replace(".block_scale", ""), after=stype, sparse=sparse, packed=packed, tail=SELECTORS)
        yield mma(shape, "f32", a, b, "f32", before=before, after=stype, sparse=sparse, packed=packed, tail=SELECTORS, layout=".row.row")
    # Orders.
    for words in ["m16n8k16.sync.aligned.row.col.s32.s8.u8.s32", "row.col.s32.sync.aligned.m16n8k16.s8.u8.s32", "sync.aligned.m16n8k16.s32.s8.s32.s8.row.col",
                  "sync.aligned.m16n8k16.s8.s32.u8.s32.row.col", "sync.aligned.m16n8k16.row.s32.s8.u8.s32.col", "aligned.sync.m16n8k16.col.row.s32.s8.u8.s32"]:
        yield "mma." + words + " {%r0,%r1,%r2,%r3}, {%r2,%r3}, {%r6}, {%r0,%r1,%r2,%r3};"
    # Operands: constants, sinks, scalars.
    h = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
    s = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    i = "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
    e = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
    yield h + "{%r0,%r1}, {%r2,%r3,%r4,0}, {%r6,%r7}, {%r0,%r1};"
    yield h + "{%r0,%r1}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, {%r0,1};"
    yield s + "{%f0,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, {0f00000000,%f1,%f2,%f3};"
    yield s + "{%f0,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, {%f0,%f1,%f2,0.0};"
    yield s + "{%f0,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, {%f0,%f1,%f2,1};"
    yield s + "{_,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, {%f0,%f1,%f2,%f3};"
    yield s + "{%f0,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, {%r6,_}, {%f0,%f1,%f2,%f3};"
    yield s + "{%f0,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, {%rd6,%rd7}, {%f0,%f1,%f2,%f3};"
    yield s + "{%f0,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, {%f6,%f7}, {%f0,%f1,%f2,%f3};"
    yield i + "{%r0,%r1,%r2,%r3}, {%r2,%r3}, {%f6}, {%r0,%r1,%r2,%r3};"
    yield i + "{%r0,%r1,%r2,%r3}, {%r2,%r3}, %r6, {%r0,%r1,%r2,%r3};"
    yield i + "{%r0,%r1,%r2,%r3}, {%r2,%r3}, 7, {%r0,%r1,%r2,%r3};"
    yield i + "{%r0,%r1,%r2,%r3}, {%r2,%r3}, {%r6}, {%r0,%r1,%r2,5};"
    yield i + "{%f0,%f1,%f2,%f3}, {%r2,%r3}, {%r6}, {%r0,%r1,%r2,%r3};"
    yield i + "{%r0,%r1,%r2,%r3}, {%r2,%r3}, {%r6}, {%f0,%f1,%f2,%f3};"
    yield e + "{%rd0,%rd1}, {%rd2}, {%rd3}, {%fd4,%fd5};"
    yield e + "{%fd0,%fd1}, %fd2, {%fd3}, {%fd4,%fd5};"
    yield e + "{%fd0,%fd1}, {%r2}, {%fd3}, {%fd4,%fd5};"
    yield e + "{%fd0,%fd1}, {%fd2}, {%fd3}, {%fd4,0d0000000000000000};"


def undefined(line):
    """What ptxas takes though it means nothing, or fails on in its builtin code (docs/deviations.md)."""
    words, operands = line.split(" ", 1)
    return (".m8n8k4." in words and ".f64." not in words and ".f16.f16" not in words
            or words.split(".")[-1] in ("xor", "and", "or", "popc") and (".u4.u4." in words or ".s4.s4." in words)
            or ".kind::mxf4." in words and ".block_scale" not in words
            or ".m16n8k32.row.col.f32.f16.f16.f32" in words and operands[-3:] in (" 2;", " 3;")
            or ".m16n8k64.row.col.f32.e4m3" in words and "%f1, 0;" in operands)


def lines():
    return (line for line in all_lines() if not undefined(line))


if __name__ == "__main__":
    record("ptx_mma", lines(), TARGETS)
