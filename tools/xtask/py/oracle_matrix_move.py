"""Asks ptxas about `ldmatrix`, `stmatrix` and `movmatrix` and writes tests/oracle/ptx_matrix_move.tsv.gz."""
from matrix_shapes import vector
from ptxas_batch import record

TARGETS = ["sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a", "sm_110f", "sm_120", "sm_120a", "sm_120f", "sm_121a"]
SPACES = ["", ".shared", ".shared::cta", ".shared::cluster", ".global", ".const"]
FORMATS = [".b16", ".b8", ".b32", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64", ".b8x16", ".b6x16_p32", ".b4x16_p64", ".b6x16_p32.b8x16", ".b8.b6x16_p32", ".s8.s4", ".u8.u4", ""]


def lines():
    for shape in [".m8n8", ".m16n16", ".m8n16", ".m16n8", ".m8n4", ""]:
        for num in [".x1", ".x2", ".x4", ""]:
            for trans in ["", ".trans"]:
                for form in FORMATS:
                    for count in (1, 2, 4, 8):
                        for space in SPACES[:2] if count != 2 else SPACES[:2] + SPACES[2:3]:
                            words = "ldmatrix.sync.aligned" + shape + num + trans + space + form
                            yield words + " " + vector("r", count) + ", [%sa];"
    for shape in [".m8n8", ".m16n8", ".m16n16", ".m8n16", ""]:
        for num in [".x1", ".x2", ".x4", ""]:
            for trans in ["", ".trans"]:
                for form in FORMATS[:5] + [""]:
                    for count in (1, 2, 4, 8):
                        for space in SPACES[:2] if count != 2 else SPACES[:3]:
                            yield "stmatrix.sync.aligned" + shape + num + trans + space + form + " [%sa], " + vector("r", count) + ";"
    for shape in [".m8n8", ".m16n8", ".m16n16", ""]:
        for trans in ["", ".trans"]:
            for form in [".b16", ".b8", ".b32", ""]:
                for sync in [".sync.aligned", ".sync", ".aligned", ""]:
                    yield "movmatrix" + sync + shape + trans + form + " %r0, %r1;"
    for space in SPACES:
        for base in ["[%sa]", "[%ga]", "[svar]", "[svar+16]", "[%ga+16]", "[gvar]", "[%sa+3]", "[0]", "[16]", "[%f1]", "%r1"]:
            yield "ldmatrix.sync.aligned.m8n8.x1" + space + ".b16 {%r0}, " + base + ";"
            yield "stmatrix.sync.aligned.m8n8.x1" + space + ".b16 " + base + ", {%r0};"
    for sync in [".sync", ".aligned", ""]:
        yield "ldmatrix" + sync + ".m8n8.x1.shared.b16 {%r0}, [%sa];"
        yield "stmatrix" + sync + ".m8n8.x1.shared.b16 [%sa], {%r0};"
    yield "ldmatrix.sync.aligned.m8n8.x1.shared.trans.b16 {%r0}, [%sa];"
    yield "ldmatrix.b16.shared.x1.m8n8.aligned.sync {%r0}, [%sa];"
    for data in ["%r0", "{%h0}", "{%rd0}", "{%f0}", "{_}", "{0}", "{%r0,%r1,%r2}"]:
        yield "ldmatrix.sync.aligned.m8n8.x1.shared.b16 " + data + ", [%sa];"
        yield "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%sa], " + data + ";"
    for data in ["{%r0,_}", "{_,_}", "{%r0,%f1}", "{%r0,0}", "{%f0,%f1}", "{%r0,%r0}", "{0,0}"]:
        yield "ldmatrix.sync.aligned.m8n8.x2.shared.b16 " + data + ", [%sa];"
        yield "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%sa], " + data + ";"
    for operands in ["{%r0}, {%r1}", "%r0, 0", "%f0, %f1", "%h0, %r1", "%rd0, %r1", "%r0", "%r0, %r1, %r2", "_, %r1", "%r0, _", "%r0, %h1", "%f0, %r1"]:
        yield "movmatrix.sync.aligned.m8n8.trans.b16 " + operands + ";"


if __name__ == "__main__":
    record("ptx_matrix_move", lines(), TARGETS)
