"""Asks ptxas about `tcgen05` and writes tests/oracle/ptx_tcgen05.tsv.gz."""
from matrix_shapes import vector
from ptxas_batch import record

TARGETS = ["sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_107a", "sm_110a", "sm_110f", "sm_120a"]
GROUPS = [".cta_group::1", ".cta_group::2"]
SYNC = ".sync.aligned"
NUMS = [1, 2, 4, 8, 16, 32, 64, 128]
# Registers of one lane for `.x1`.
SHAPES = {".16x64b": 1, ".16x128b": 2, ".16x256b": 4, ".32x32b": 1, ".16x32bx2": 1}
KINDS = [".kind::f16", ".kind::tf32", ".kind::f8f6f4", ".kind::i8", ".kind::mxf8f6f4", ".kind::mxf4", ".kind::mxf4nvf4"]
SCALES = ["", ".scale_vec::1X", ".scale_vec::2X", ".scale_vec::4X", ".block16", ".block32"]
COLLECTORS = ["", ".collector::a::fill", ".collector::a::use", ".collector::a::lastuse", ".collector::a::discard", ".collector::a", ".collector::b0::fill", ".collector::b3::use",
              ".collector::b1::lastuse", ".collector::b2::discard", ".collector::b4::fill"]


def allocation():
    for group in ["", *GROUPS, ".cta_group::4"]:
        for sync in [SYNC, ".sync", ".aligned", ""]:
            for space in ["", ".shared::cta", ".shared", ".shared::cluster", ".global"]:
                yield "tcgen05.alloc" + group + sync + space + ".b32 [%sa], 32;"
            yield "tcgen05.dealloc" + group + sync + ".b32 %r1, 32;"
            yield "tcgen05.relinquish_alloc_permit" + group + sync + ";"
    for columns in ["32", "64", "512", "%r1", "0", "16", "48", "33", "1024", "-32", "%rd1", "%h1", "%f1", "1.0", "_"]:
        yield "tcgen05.alloc.cta_group::1" + SYNC + ".shared::cta.b32 [%sa], " + columns + ";"
        yield "tcgen05.dealloc.cta_group::1" + SYNC + ".b32 %r1, " + columns + ";"
    for address in ["[%sa]", "[%ga]", "[svar]", "[gvar]", "[%sa+4]", "[svar+2]", "[%h1]", "[64]", "%r1"]:
        for space in ["", ".shared::cta"]:
            yield "tcgen05.alloc.cta_group::1" + SYNC + space + ".b32 " + address + ", 32;"
    for address in ["%r1", "%f1", "%rd1", "5", "[%r1]", "%h1"]:
        yield "tcgen05.dealloc.cta_group::2" + SYNC + ".b32 " + address + ", 64;"
    for ty in ["", ".b64", ".u32", ".f32"]:
        yield "tcgen05.alloc.cta_group::1" + SYNC + ty + " [%sa], 32;"
        yield "tcgen05.dealloc.cta_group::1" + SYNC + ty + " %r1, 32;"


def loads():
    for shape, registers in SHAPES.items():
        split = ", 8" if shape == ".16x32bx2" else ""
        for num in NUMS + [256]:
            for pack in ["", "pack::16b"]:
                count = registers * num
                for n in {count, count // 2 if pack else count + 1}:
                    if 1 <= n <= 130:
                        p = "." + pack if pack else ""
                        u = ".un" + pack if pack else ""
                        yield "tcgen05.ld" + SYNC + shape + ".x%d" % num + p + ".b32 " + vector("r", n) + ", [%r200]" + split + ";"
                        yield "tcgen05.st" + SYNC + shape + ".x%d" % num + u + ".b32 [%r200]" + split + ", " + vector("r", n) + ";"
                if num <= 4 or registers * num == 128:
                    for op in [".min", ".max", ".add"]:
                        for extra in ["", ".abs", ".NaN", ".abs.NaN"]:
                            for ty in [".f32", ".u32", ".s32", ".b32", ".f16"]:
                                kind = "f" if ty == ".f32" else "r"
                                if not pack and registers * num <= 128:
                                    yield ("tcgen05.ld.red" + SYNC + shape + ".x%d" % num + op + extra + ty + " " + vector(kind, registers * num) + ", %" + kind + "200, [%r200]"
                                           + split + ";")
    for shape in [".16x32bx2", ".32x32b"]:
        for split in ["", ", 0", ", 1", ", 16", ", -1", ", 100000", ", %r1", ", 1.0"]:
            yield "tcgen05.ld" + SYNC + shape + ".x2.b32 {%r0,%r1}, [%r200]" + split + ";"
            yield "tcgen05.st" + SYNC + shape + ".x2.b32 [%r200]" + split + ", {%r0,%r1};"
            yield "tcgen05.ld.red" + SYNC + shape + ".x2.min.u32 {%r0,%r1}, %r2, [%r200]" + split + ";"
    for address in ["[%r200]", "[%f1]", "[%rd1]", "[%r200+4]", "[%r200-4]", "[8]", "[svar]", "%r200", "[%h1]"]:
        yield "tcgen05.ld" + SYNC + ".32x32b.x2.b32 {%r0,%r1}, " + address + ";"
        yield "tcgen05.st" + SYNC + ".32x32b.x2.b32 " + address + ", {%r0,%r1};"
    for data in ["{%f0,%f1}", "{%rd0,%rd1}", "{%r0,_}", "{_,_}", "{%r0,1}", "{%f0,%r0}", "%r0", "{%r0,%r1,%r2}", "{%r0}", "{0,0}"]:
        yield "tcgen05.ld" + SYNC + ".32x32b.x2.b32 " + data + ", [%r200];"
        yield "tcgen05.st" + SYNC + ".32x32b.x2.b32 [%r200], " + data + ";"
    for data in ["%r0", "{%r0}", "{%f0}"]:
        yield "tcgen05.ld" + SYNC + ".32x32b.x1.b32 " + data + ", [%r200];"
        yield "tcgen05.st" + SYNC + ".32x32b.x1.b32 [%r200], " + data + ";"
    for op, results in [("min.f32", ["{%f0,%f1}, %f2", "{%r0,%r1}, %r2", "{%f0,%f1}, {%f2}", "{%f0,%f1}, _", "{%f0,_}, %f2", "{%f0,%f1}", "{%f0,%f1}, %rd2", "{%rd0,%rd1}, %rd2"]),
                        ("max.s32", ["{%r0,%r1}, %r2", "{%f0,%f1}, %f2", "{%r0,%r1}, 5", "{%r0,%r1,%r2}, %r3"])]:
        for result in results:
            yield "tcgen05.ld.red" + SYNC + ".32x32b.x2." + op + " " + result + ", [%r200];"
    for sync in ["", ".sync", ".aligned"]:
        yield "tcgen05.ld" + sync + ".32x32b.x1.b32 {%r0}, [%r200];"
        yield "tcgen05.st" + sync + ".32x32b.x1.b32 [%r200], {%r0};"
        yield "tcgen05.wait::ld" + sync + ";"
        yield "tcgen05.wait::st" + sync + ";"
        yield "tcgen05.ld.red" + sync + ".32x32b.x1.min.u32 {%r0}, %r1, [%r200];"
    for word in ["ld", "st", "mma", "cp"]:
        yield "tcgen05.wait::" + word + SYNC + ";"
        yield "tcgen05.wait." + word + SYNC + ";"
    yield "tcgen05.wait" + SYNC + ";"
    for ty in ["", ".f32", ".u32", ".b64", ".s32"]:
        yield "tcgen05.ld" + SYNC + ".32x32b.x1" + ty + " {%r0}, [%r200];"
        yield "tcgen05.st" + SYNC + ".32x32b.x1" + ty + " [%r200], {%r0};"
    yield "tcgen05.sync.ld.aligned.32x32b.x1.b32 {%r0}, [%r200];"
    yield "tcgen05.ld.x1.b32.32x32b.sync.aligned {%r0}, [%r200];"


def copies():
    for group in ["", *GROUPS]:
        for shape in [".128x256b", ".4x256b", ".128x128b", ".64x128b", ".32x128b", ".32x256b", ""]:
            for multicast in ["", ".warpx2::02_13", ".warpx2::01_23", ".warpx4", ".warpx2"]:
                for form in ["", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64", ".b8x16", ".b6x16_p32.b8x16", ".b4x16_p64", ".b8x16.b8x16"]:
                    yield "tcgen05.cp" + group + shape + multicast + form + " [%r200], %rd1;"
        for direction in ["", ".down", ".up"]:
            yield "tcgen05.shift" + group + direction + " [%r200];"
    for operands in ["[%r200], 5", "[%r200], %r1", "[%r200], {%rd1}", "[%r200+4], %rd1", "%r200, %rd1", "[%rd200], %rd1", "[%f1], %rd1", "[8], %rd1", "[%r200]", "[%r200], %fd1"]:
        yield "tcgen05.cp.cta_group::1.128x256b " + operands + ";"
    for operands in ["[%r200+4]", "%r200", "[%rd200]", "[8]", "[%f1]", "[svar]", ""]:
        yield "tcgen05.shift.cta_group::1.down " + operands + ";"


def products():
    for group in ["", *GROUPS]:
        for kind in KINDS + ["", ".kind::f4"]:
            for a in ["%rd1", "[%r201]"]:
                for ashift in ["", ".ashift"]:
                    for collector in COLLECTORS:
                        yield "tcgen05.mma" + group + kind + ashift + collector + " [%r200], " + a + ", %rd2, %r1, %p1;"
                        if group:
                            yield "tcgen05.mma.sp" + group + kind + ashift + collector + " [%r200], " + a + ", %rd2, [%r202], %r1, %p1;"
                for collector in COLLECTORS:
                    yield "tcgen05.mma.ws" + group + kind + collector + " [%r200], " + a + ", %rd2, %r1, %p1;"
                    yield "tcgen05.mma.ws.sp" + group + kind + collector + " [%r200], " + a + ", %rd2, [%r202], %r1, %p1;"
    for group in GROUPS:
        for kind in KINDS:
            for scale in SCALES:
                for block in [".block_scale", ""]:
                    for collector in COLLECTORS[:6:2] if scale else COLLECTORS:
                        for a in ["%rd1", "[%r201]"]:
                            yield "tcgen05.mma" + group + kind + block + scale + collector + " [%r200], " + a + ", %rd2, %r1, [%r203], [%r204], %p1;"
                            yield "tcgen05.mma.sp" + group + kind + block + scale + collector + " [%r200], " + a + ", %rd2, [%r202], %r1, [%r203], [%r204], %p1;"
    # Masks of output lanes, scaling of the input.
    for group in GROUPS:
        for sparse, meta in [("", ""), (".sp", "[%r202], ")]:
            for kind in KINDS[:4]:
                for lanes in [0, 3, 4, 5, 8, 7]:
                    mask = ", " + vector("r", lanes, 10) if lanes else ""
                    for scale in ["", ", 0", ", 1", ", 15", ", 16", ", -1", ", %r1"]:
                        if not scale or lanes in (0, 4, 8):
                            for a in ["%rd1", "[%r201]"]:
                                yield "tcgen05.mma" + sparse + group + kind + " [%r200], " + a + ", %rd2, " + meta + "%r1" + mask + ", %p1" + scale + ";"
    for sparse, meta in [("", ""), (".sp", "[%r202], ")]:
        for kind in KINDS[:4]:
            for zero in ["", ", %rd3", ", 0", ", %r3", ", {%r1,%r2,%r3,%r4}"]:
                for a in ["%rd1", "[%r201]"]:
                    yield "tcgen05.mma.ws" + sparse + ".cta_group::1" + kind + " [%r200], " + a + ", %rd2, " + meta + "%r1, %p1" + zero + ";"
    # Operands.
    h = "tcgen05.mma.cta_group::1.kind::f16 "
    for d in ["[%r200]", "%r200", "[%rd200]", "[%f1]", "[%r200+4]", "[8]", "[svar]"]:
        yield h + d + ", %rd1, %rd2, %r1, %p1;"
        yield h + "[%r200], " + d + ", %rd2, %r1, %p1;"
        yield "tcgen05.mma.sp.cta_group::1.kind::f16 [%r200], %rd1, %rd2, " + d + ", %r1, %p1;"
        yield "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%r200], %rd1, %rd2, %r1, " + d + ", [%r204], %p1;"
    for x in ["5", "%r1", "%fd1", "{%rd1}", "_"]:
        yield h + "[%r200], " + x + ", %rd2, %r1, %p1;"
        yield h + "[%r200], %rd1, " + x + ", %r1, %p1;"
    for x in ["5", "%f1", "%rd1", "%h1"]:
        yield h + "[%r200], %rd1, %rd2, " + x + ", %p1;"
    for x in ["1", "0", "2", "!%p1", "%r1", "-1", "_"]:
        yield h + "[%r200], %rd1, %rd2, %r1, " + x + ";"
        yield "tcgen05.mma.ws.cta_group::1.kind::f16 [%r200], %rd1, %rd2, %r1, " + x + ";"
    for x in ["{%r1,%r2,%r3,0}", "{%f1,%f2,%f3,%f4}", "{0,0,0,0}", "{%rd1,%rd2,%rd3,%rd4}", "{%r1,%r2,%r3,_}"]:
        yield h + "[%r200], %rd1, %rd2, %r1, " + x + ", %p1;"
    yield h + "[%r200], %rd1, %rd2, %r1;"
    yield h + "[%r200], %rd1, %rd2, %p1;"
    yield "tcgen05.kind::f16.mma.cta_group::1 [%r200], %rd1, %rd2, %r1, %p1;"
    yield "tcgen05.mma.kind::f16.cta_group::1 [%r200], %rd1, %rd2, %r1, %p1;"
    yield "tcgen05.mma.cta_group::1.sp.kind::f16 [%r200], %rd1, %rd2, [%r202], %r1, %p1;"
    yield "tcgen05.mma.sp.ws.cta_group::1.kind::f16 [%r200], %rd1, %rd2, [%r202], %r1, %p1;"


def synchronisation():
    for group in ["", *GROUPS]:
        for mechanism in [".mbarrier::arrive::one", ".mbarrier::arrive", ""]:
            for space in ["", ".shared::cluster", ".shared::cta", ".shared", ".global"]:
                for multicast, masks in [("", ["", ", %h1"]), (".multicast::cluster", ["", ", %h1", ", 3", ", %r1", ", 65536", ", -1", ", %f1"])]:
                    for mask in masks:
                        for ty in [".b64", ".b32", ""] if mask in ("", ", %h1") else [".b64"]:
                            yield "tcgen05.commit" + group + mechanism + space + multicast + ty + " [%sa]" + mask + ";"
    for address in ["[%ga]", "[svar]", "[gvar]", "[%sa+8]", "[%h1]", "[64]", "%r1", "[%f1]"]:
        for space in ["", ".shared::cluster"]:
            yield "tcgen05.commit.cta_group::1.mbarrier::arrive::one" + space + ".b64 " + address + ";"
    for word in ["fence::before_thread_sync", "fence::after_thread_sync", "fence", "fence::thread_sync", "fence.before_thread_sync", "fence::before_thread_sync.sync.aligned"]:
        yield "tcgen05." + word + ";"
    yield "tcgen05.fence::before_thread_sync %r1;"


def undefined(line):
    """What ptxas takes though it means nothing (docs/deviations.md)."""
    return (".kind::i8 " in line and "%p1, " in line and ".ws" not in line) or "{%f2}," in line


def lines():
    for part in (allocation, loads, copies, products, synchronisation):
        for line in part():
            if not undefined(line):
                yield line


if __name__ == "__main__":
    record("ptx_tcgen05", lines(), TARGETS)
