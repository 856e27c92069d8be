"""Asks ptxas about mov, prmt, shfl and special registers: writes tests/oracle/ptx_shuffle.tsv.gz and ptx_sreg.tsv.gz
(PTXAS, PTXAS_12: see ptxas_batch)."""
from instruction_lines import FLOAT_TYPES, INTEGER_TYPES, STAND_INS, TARGETS, inst, orders, reg, shapes
from ptxas_batch import record

TYPES = INTEGER_TYPES + FLOAT_TYPES
VECTORS = "tid ntid ctaid nctaid clusterid nclusterid cluster_ctaid cluster_nctaid".split()
SCALARS = """laneid warpid nwarpid smid nsmid gridid is_explicit_cluster cluster_ctarank cluster_nctarank lanemask_eq lanemask_le
lanemask_lt lanemask_ge lanemask_gt clock clock_hi clock64 globaltimer globaltimer_lo globaltimer_hi
reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap reserved_smem_offset_0 reserved_smem_offset_1
reserved_smem_offset_2 total_smem_size aggr_smem_size dynamic_smem_size current_graph_exec pm0 pm7 pm8 pm00 pm0_64 pm7_64 pm8_64
envreg0 envreg31 envreg32 envreg00 stackptr warpsize WARP_SZ lanemask laneid.x clock64.x""".split()


def braces(prefix, count, first=0):
    return "{" + ", ".join(f"{prefix}{first + i}" for i in range(count)) + "}"


def special_registers():
    names = [f"%{name}.{part}" for name in VECTORS for part in "xyzwrv"] + [f"%{name}" for name in VECTORS + SCALARS]
    for name in names:
        for kind in "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64 pred b128".split():
            yield inst(f"mov.{kind}", reg(kind, 0), name)
        if "." not in name and name[1:] in VECTORS:
            for kind in ("u16", "u32", "b32", "u64", "f32"):
                yield inst(f"mov.v4.{kind}", braces(reg(kind, ""), 4), name)
        if name not in ("%gridid", "%is_explicit_cluster"):
            yield inst("mov.b64", "%rd0", f"{{{name}, %r1}}")
        yield inst("mov.b64", "{%r0, %r1}", name)
        yield inst("cvt.u64.u32", "%rd0", name)
        yield inst("cvt.u32.u64", "%r0", name)
        yield inst("cvt.u16.s32", "%h0", name)
        yield inst("add.u32", "%r0", name, "1")
        yield inst("add.u64", "%rd0", "%rd1", name)
        yield inst("setp.eq.u32", "%p0", name, "0")
        yield inst("st.global.u32", "[%ga]", name)
        yield inst("and.pred", "%p0", name, "%p1")
        yield inst("mov.u32", name, "%r0")
    for line in ("cvt.u32.u16 %r0, {};", "cvt.u32.u8 %r0, {};", "cvt.sat.u16.u32 %h0, {};", "cvt.rn.f32.u32 %f0, {};",
                 "cvt.rzi.u32.f32 %r0, {};", "shfl.sync.idx.b32 %r0, {}, 0, 31, -1;", "selp.u32 %r0, {}, 1, %p0;",
                 "atom.global.add.u32 %r0, [%ga], {};", "red.global.add.u32 [%ga], {};", "popc.b32 %r0, {};", "bar.sync {};",
                 "vote.sync.ballot.b32 %r0, %p0, {};", "prmt.b32 %r0, %r1, {}, 5;", "nanosleep.u32 {};", "mad.lo.u32 %r0, %r1, {}, %r2;",
                 "@{} mov.u32 %r0, %r1;"):
        for name in ("%tid.x", "%laneid", "%clock64", "%is_explicit_cluster"):
            yield line.format(name)


def moves():
    for kind in TYPES:
        yield inst(f"mov.{kind}", reg(kind, 0), reg(kind, 1))
        for modifier in (".v2", ".v4", ".v8", ".sat", ".cc"):
            yield inst(f"mov{modifier}.{kind}", reg(kind, 0), reg(kind, 1))
        for prefix in ("%b", "%h", "%r", "%rd", "%f", "%fd", "%p", "%q"):
            for count in (2, 3, 4, 8):
                yield inst(f"mov.{kind}", braces(prefix, count), reg(kind, 9))
                yield inst(f"mov.{kind}", reg(kind, 9), braces(prefix, count))
            for count in (2, 4):
                yield inst(f"mov.v{count}.{kind}", braces(prefix, count), braces(prefix, count, 10))
                yield inst(f"mov.v{count}.{kind}", braces(prefix, count), "{" + ", ".join("7" * count) + "}")
    for vector in ("{%h0, _}", "{_, %h0}", "{_, _}", "{%h0, %h0}", "{%h0, 5}", "{%h0, %r0}", "{%h0, %f0}"):
        yield inst("mov.b32", vector, "%r1")
        if "_" not in vector:
            yield inst("mov.b32", "%r1", vector)
    for vector in ("{%r0, _}", "{%r0, 5}", "{5, 5}", "{%r0, %f1}", "{%r0, 0f3f800000}", "{%h0, _, _, %h1}", "{_, _, _, _}",
                   "{1, 2, 3, 4}", "{%h0, %h1, %h2}"):
        yield inst("mov.b64", vector, "%rd1")
        yield inst("mov.b64", "%rd1", vector)
        yield inst("mov.b64", "%fd1", vector)
        yield inst("mov.b128", vector, "%q1")
        yield inst("mov.v2.b32", vector, "{%r8, %r9}")
        if "0f" not in vector:
            yield inst("mov.v2.u32", "{%r8, %r9}", vector)
    for vector in ("{%rd0, _}", "{%rd0, 5}", "{%r0, _, _, _}", "{%r0, %r1, 5, 6}"):
        yield inst("mov.b128", vector, "%q1")
        yield inst("mov.b128", "%q1", vector)
    for vector in ("{1.0, 2.0}", "{1, 2}", "{0f3f800000, 1.5}"):
        yield inst("mov.v2.f32", "{%f0, %f1}", vector)
        yield inst("mov.v2.f64", "{%fd0, %fd1}", vector)
    for constant in ("0", "-1", "65536", "4294967296", "1.5", "0f3f800000", "0d3ff0000000000000", "WARP_SZ", "0xffffffffffffffff"):
        for kind in TYPES:
            yield inst(f"mov.{kind}", reg(kind, 0), constant)
        yield inst("mov.b64", "{%r0, %r1}", constant)
    for address in ("gvar", "svar", "cvar", "k", "LABEL", "p0", "p1", "nowhere"):
        for kind in ("b32", "u32", "s32", "f32", "b64", "u64", "s64", "pred"):
            # The address of a function passes for every type; 32 bits of a global address, if it is the first address
            # of the module, make ptxas believe in 32-bit addresses, which it then refuses.
            if address == "k" and kind in ("f32", "pred") or address == "gvar" and kind in ("b32", "u32", "s32"):
                continue
            yield inst(f"mov.{kind}", reg(kind, 0), address)
            if address not in ("k", "LABEL", "nowhere"):
                yield inst(f"mov.{kind}", reg(kind, 0), address + "+4")
                yield inst(f"mov.{kind}", reg(kind, 0), address + "+-4")
    for name, kinds in (("gvar[4]", ("u64", "b64", "s64")), ("svar[4]", ("u32", "b32", "u64"))):
        for kind in kinds:
            yield inst(f"mov.{kind}", reg(kind, 0), name)
    for handle in ("tref", "sref"):
        yield inst("mov.u64", "%rd0", handle)


def others():
    for kind in TYPES:
        for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16", ".rc32", ".f4e.b4e"):
            yield inst(f"prmt.{kind}{mode}", *(reg(kind, i) for i in range(4)))
    for sync in ("", ".sync"):
        for mode in ("", ".up", ".down", ".bfly", ".idx", ".xor", ".up.down"):
            for kind in ("b32", "u32", "s32", "f32", "b64", "b16"):
                for d in ("%r0", "%r0|%p0", "_|%p0", "%r0|_", "_", "%f0|%p0", "%p0"):
                    for mask in ([], ["-1"], ["%r4"], ["%p4"]):
                        yield inst(f"shfl{sync}{mode}.{kind}", d, "%r1", "%r2", "%r3", *mask)
    yield inst("shfl.up.sync.b32", "%r0", "%r1", "1", "0", "-1")
    yield from shapes(["mov.u32 %r0, %r1;", "mov.f32 %f0, %f1;", "mov.b16 %h0, %h1;", "mov.u64 %rd0, %rd1;", "mov.f64 %fd0, %fd1;",
                       "mov.pred %p0, %p1;", "mov.b128 %q0, %q1;", "prmt.b32 %r0, %r1, %r2, %r3;",
                       "shfl.sync.up.b32 %r0|%p0, %r1, %r2, %r3, %r4;", "shfl.sync.idx.b32 %r0, %r1, %r2, %r3, -1;"],
                      # `mov.b32 d, {a}`, a vector of one, is taken by ptxas alone.
                      [s for s in STAND_INS if s not in ("{%r9}", "%tid.x")])
    yield from orders(["prmt.b32.f4e %r0, %r1, %r2, %r3;", "shfl.sync.up.b32 %r0|%p0, %r1, %r2, %r3, %r4;",
                       "mov.v2.u32 {%r0, %r1}, {%r2, %r3};"])


if __name__ == "__main__":
    record("ptx_shuffle", [*moves(), *others()], TARGETS)
    record("ptx_sreg", special_registers(), ["sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100a", "sm_120"])
