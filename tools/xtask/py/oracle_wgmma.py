"""Asks ptxas about `wgmma` and writes tests/oracle/ptx_wgmma.tsv.gz."""
from matrix_shapes import vector
from ptxas_batch import record

TARGETS = ["sm_80", "sm_90", "sm_90a", "sm_100a", "sm_120a"]
TYPES = "f16 bf16 tf32 e4m3 e5m2 s8 u8 b1 f32 s4".split()
DEPTH = dict(f16=16, bf16=16, tf32=8, e4m3=32, e5m2=32, s8=32, u8=32, b1=256, f32=8, s4=64)


def shape(n, k):
    return ".m64n%dk%d" % (n, k)


def length(n, ty):
    return max(1, n // 4 if ty == "f16" else n // 2)


def mma(n, k, d, a, b, registers=False, sparse="", after="", before="", count=None, a_count=None, tail=None, scale="%p1", sync=".sync.aligned",
        metadata="%r200, 0", a_text=None, b_text="%rd2"):
    """`tail`: the immediates behind scale-d; by default those that the types want."""
    d_regs = vector("f" if d == "f32" else "r", count or length(n, d))
    a_text = a_text or (vector("r", a_count or 4, 140) if registers else "%rd1")
    if tail is None:
        tail = "" if a in ("s8", "u8", "b1", "s4") else ", 1, 1"
        if a in ("f16", "bf16"):
            tail += ", 0" if registers else ", 0, 0"
    meta = ", " + metadata if sparse else ""
    return "wgmma.mma_async%s%s%s%s.%s.%s.%s%s %s, %s, %s%s, %s%s;" % (
        sparse, sync, shape(n, k), before, d, a, b, after, d_regs, a_text, b_text, meta, scale, tail)


def all_lines():
    for word in ["fence", "commit_group", "wait_group"]:
        for sync in [".sync.aligned", ".sync", ".aligned", "", ".aligned.sync"]:
            for operand in ["", " 0", " 1", " 7", " 8", " -1", " %r1", " 100000", " 1.0", " 0, 1"]:
                yield "wgmma." + word + sync + operand + ";"
    for sparse in ["", ".sp", ".sp::ordered_metadata"]:
        twice = 2 if sparse else 1
        for d in ["f16", "f32", "s32", "bf16"]:
            for a in TYPES:
                for b in {a, {"e4m3": "e5m2", "e5m2": "e4m3", "s8": "u8", "u8": "s8", "f16": "bf16"}.get(a, "f16")}:
                    after = ".and.popc" if a == "b1" else ""
                    for k in {DEPTH[a] * twice, 16 * twice}:
                        for registers in (False, True):
                            yield mma(16, k, d, a, b, registers, sparse, after)
        good = [("f16", "f16"), ("f32", "f16"), ("f32", "bf16"), ("f32", "tf32"), ("f32", "e4m3"), ("f16", "e5m2"), ("s32", "s8"), ("s32", "u8"), ("s32", "b1")]
        for d, a in good:
            k = DEPTH[a] * twice
            after = ".and.popc" if a == "b1" else ""
            for n in range(4, 268, 4):
                if n <= 250 or d != "f32":
                    yield mma(n, k, d, a, a, False, sparse, after, count=min(length(n, d), 128))
            yield mma(256, k, d, a, a, True, sparse, after)
            for registers in (False, True):
                for tail in ["", ", 1", ", 1, 1", ", 1, 1, 0", ", 1, 1, 0, 0", ", 1, 1, 0, 0, 0", ", -1, 1", ", 1, -1", ", 0, 1", ", 2, 1", ", 1, 0", ", -1, -1, 1, 1", ", 1, 1, 2, 0", ", 1, 1, 0, 2",
                             ", 1, 1, -1, 0", ", 1, 1, 1", ", 1, -1, 1", ", 1, 1, 2", ", %r1, 1, 0, 0", ", 1, 1, %r1, 0", ", %r1, 1"]:
                    yield mma(16, k, d, a, a, registers, sparse, after, tail=tail)
                for before in [".satfinite", ".rn", ".sp", ".trans"]:
                    yield mma(16, k, d, a, a, registers, sparse, after, before=before)
                for scale in ["1", "0", "2", "-1", "!%p1", "%r1", "1.0", "_", "true"]:
                    yield mma(16, k, d, a, a, registers, sparse, after, scale=scale)
                for count in (1, 2, 3, 4, 5, 8, 16):
                    yield mma(16, k, d, a, a, registers, sparse, after, count=count)
                    yield mma(16, k, d, a, a, True, sparse, after, a_count=count)
                for sync in ["", ".sync", ".aligned"]:
                    yield mma(16, k, d, a, a, registers, sparse, after, sync=sync)
                for metadata in ["%r200, 0", "%r200, 1", "%r200, 2", "%r200, 3", "%r200, 4", "%r200, -1", "%r200, %r1", "%r200", "0, 0", "%f1, 0", "%rd1, 0"]:
                    yield mma(16, k, d, a, a, registers, sparse, after, metadata=metadata)
            for text in ["%r1", "%fd1", "5", "{%rd1}", "%h1", "[%rd1]", "%q1"]:
                yield mma(16, k, d, a, a, False, sparse, after, a_text=text)
                yield mma(16, k, d, a, a, False, sparse, after, b_text=text)
            for after2 in ["", ".and", ".popc", ".xor.popc", ".and.popc", ".or.popc"]:
                yield mma(16, k, d, a, a, False, sparse, after2)
    yield "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, {%r1,%r2,%r3,0}, %rd2, 1, 1, 1, 0;"
    yield "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, {%f1,%f2,%f3,%f4}, %rd2, 1, 1, 1, 0;"
    yield "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r0,%r1,%r2,%r3}, {%f1,%f2,%f3,%f4}, %rd2, 1;"
    yield "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,_}, %rd1, %rd2, 1, 1, 1, 0, 0;"
    yield "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0,%r1,%r2,%r3}, %rd1, %rd2, 1, 1, 1, 0, 0;"
    yield "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%f0,%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;"
    yield "wgmma.sync.mma_async.aligned.m64n8k16.f16.f16.f16 {%r0,%r1}, %rd1, %rd2, 1, 1, 1, 0, 0;"
    yield "wgmma.mma_async.m64n8k16.sync.aligned.f16.f16.f16 {%r0,%r1}, %rd1, %rd2, 1, 1, 1, 0, 0;"
    yield "wgmma.mma_async.f16.f16.f16.m64n8k16.aligned.sync {%r0,%r1}, %rd1, %rd2, 1, 1, 1, 0, 0;"
    yield "wgmma.sync.aligned.fence;"


def lines():
    return all_lines()


if __name__ == "__main__":
    record("ptx_wgmma", lines(), TARGETS)
