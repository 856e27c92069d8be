"""Asks ptxas what instructions on textures and surfaces become on sm_90.

usage: textures.py PTXAS NVDISASM OUT.tsv.gz

A line has an instruction of PTX with what uses its results, the opcode with its modifiers and the geometry in ptxas's
code, or `-` twice where ptxas calls the system or reads tables of the driver.
"""

import gzip
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 h, .param .u64 s, .param .u64 o)
{
 .reg .pred %p<4>;
 .reg .b16 %h<20>;
 .reg .b32 %r<60>;
 .reg .f32 %f<60>;
 .reg .b64 %rd<30>;
 ld.param.u64 %rd1, [h];
 ld.param.u64 %rd2, [s];
 ld.param.u64 %rd3, [o];
 ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd3];
 ld.global.v4.f32 {%f5,%f6,%f7,%f8}, [%rd3+16];
 ld.global.v4.f32 {%f9,%f10,%f11,%f12}, [%rd3+32];
 ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd3+48];
 ld.global.v4.u32 {%r5,%r6,%r7,%r8}, [%rd3+64];
"""
TAIL = "\n ret;\n}\n"
UNIT = re.compile(r"\*/\s+(?:@\S+ )?((?:TEX|TLD4|TLD|TXD|TXQ|SULD|SUST|SURED)\S*) (.*?);")
SHAPE = re.compile(r"(1D|2D|3D|CUBE|ARRAY_|TEX_HEADER)")

D = "{%f20,%f21,%f22,%f23}"
STORE = " st.global.v4.f32 [%rd3], {%f20,%f21,%f22,%f23};"
FOUR = "{%f1,%f2,%f3,%f4}"
FLOATS = {"1d": "{%f1}", "2d": "{%f1,%f2}", "3d": FOUR, "a1d": "{%r1,%f1}", "a2d": "{%r1,%f1,%f2,%f3}",
          "cube": FOUR, "acube": "{%r1,%f1,%f2,%f3}"}
INTEGERS = {"1d": "{%r2}", "2d": "{%r2,%r3}", "3d": "{%r2,%r3,%r4,%r5}", "a1d": "{%r1,%r2}",
            "a2d": "{%r1,%r2,%r3,%r4}", "2dms": "{%r1,%r2,%r3,%r4}", "a2dms": "{%r1,%r2,%r3,%r4}"}
LONG = "{%f5,%f6,%f7,%f8},{%f9,%f10,%f11,%f12}"
GRADIENTS = {"1d": "{%f5},{%f6}", "2d": "{%f5,%f6},{%f7,%f8}", "3d": LONG, "a1d": "{%f5},{%f6}",
             "a2d": "{%f5,%f6},{%f7,%f8}", "cube": LONG, "acube": LONG}
OFFSETS = {"1d": "{%r5}", "2d": "{%r5,%r6}", "3d": "{%r5,%r6,%r7,%r8}", "a1d": "{%r5}", "a2d": "{%r5,%r6}"}
SURFACES = {"1d": "{%r1}", "2d": "{%r1,%r2}", "3d": "{%r1,%r2,%r3,%r4}", "a1d": "{%r1,%r2}",
            "a2d": "{%r1,%r2,%r3,%r4}"}


def textures():
    """Instructions on textures."""
    for g, c in INTEGERS.items():
        yield f"tex.{g}.v4.f32.s32 {D}, [%rd1, {c}];{STORE}"
        yield f"tex.level.{g}.v4.f32.s32 {D}, [%rd1, {c}], %r8;{STORE}"
        if g in OFFSETS:
            yield f"tex.{g}.v4.f32.s32 {D}, [%rd1, {c}], {OFFSETS[g]};{STORE}"
            yield f"tex.level.{g}.v4.f32.s32 {D}, [%rd1, {c}], %r8, {OFFSETS[g]};{STORE}"
    for g, c in FLOATS.items():
        yield f"tex.{g}.v4.f32.f32 {D}, [%rd1, {c}];{STORE}"
        yield f"tex.base.{g}.v4.f32.f32 {D}, [%rd1, {c}];{STORE}"
        yield f"tex.level.{g}.v4.f32.f32 {D}, [%rd1, {c}], %f9;{STORE}"
        yield f"tex.grad.{g}.v4.f32.f32 {D}, [%rd1, {c}], {GRADIENTS[g]};{STORE}"
        if g in OFFSETS:
            yield f"tex.{g}.v4.f32.f32 {D}, [%rd1, {c}], {OFFSETS[g]};{STORE}"
            yield f"tex.level.{g}.v4.f32.f32 {D}, [%rd1, {c}], %f9, {OFFSETS[g]};{STORE}"
            yield f"tex.{g}.v4.f32.f32 {D}, [%rd1, {c}], {OFFSETS[g]}, %f10;{STORE}"
        yield f"tex.{g}.v4.f32.f32 {D}, [%rd1, {c}], %f9;{STORE}"
        yield f"tex.level.{g}.v4.f32.f32 {D}, [%rd1, {c}], %f9, %f10;{STORE}"
    for g in ["2d", "cube", "a2d", "acube"]:
        for component in "rgba":
            yield f"tld4.{component}.{g}.v4.f32.f32 {D}, [%rd1, {FLOATS[g]}];{STORE}"
        if g in OFFSETS:
            yield f"tld4.b.{g}.v4.f32.f32 {D}, [%rd1, {FLOATS[g]}], {OFFSETS[g]};{STORE}"
        yield f"tld4.a.{g}.v4.f32.f32 {D}, [%rd1, {FLOATS[g]}], %f9;{STORE}"
    two = "[%rd1, {%f1,%f2}];"
    yield f"tex.2d.v4.f32.f32 {D}|%p1, {two} selp.f32 %f20, %f20, 0f00000000, %p1;{STORE}"
    halves = "{%h1,%h2,%h3,%h4}"
    yield f"tex.2d.v4.f16.f32 {halves}, {two} st.global.v4.b16 [%rd3], {halves};"
    yield "tex.2d.v2.f16x2.f32 {%r20,%r21}, " + two + " st.global.v2.b32 [%rd3], {%r20,%r21};"
    words = "{%r20,%r21,%r22,%r23}"
    yield f"tex.2d.v4.u32.f32 {words}, {two} st.global.v4.u32 [%rd3], {words};"
    for query in "width height depth channel_data_type channel_order array_size".split():
        for opcode in ["txq", "suq"]:
            yield f"{opcode}.{query}.b32 %r20, [%rd1]; st.global.u32 [%rd3], %r20;"
    yield "txq.level.height.b32 %r20, [%rd1], %r1; st.global.u32 [%rd3], %r20;"


def data(ty, count):
    """Registers of a type, in braces and as loads and stores have them."""
    letter, first = {"b8": ("%h", 4), "b16": ("%h", 4), "b32": ("%r", 20), "b64": ("%rd", 20)}[ty]
    names = [f"{letter}{first + n}" for n in range(count)]
    braces = "{" + ",".join(names) + "}"
    return braces, names[0] if count == 1 else braces


def surfaces():
    """Instructions on surfaces."""
    for g, c in SURFACES.items():
        for mode in ["trap", "clamp", "zero"]:
            yield f"suld.b.{g}.b32.{mode} {{%r20}}, [%rd1, {c}]; st.global.b32 [%rd3], %r20;"
            yield f"sust.b.{g}.b32.{mode} [%rd1, {c}], {{%r5}};"
            yield f"sust.p.{g}.v4.b32.{mode} [%rd1, {c}], {{%r5,%r6,%r7,%r8}};"
            yield f"sured.b.min.{g}.s32.{mode} [%rd1, {c}], %r5;"
    two = "[%rd1, {%r1,%r2}]"
    for ty in ["b8", "b16", "b32", "b64"]:
        for count, vector in [(1, ""), (2, ".v2"), (4, ".v4")]:
            braces, plain = data(ty, count)
            yield f"suld.b.2d{vector}.{ty}.clamp {braces}, {two}; st.global{vector}.{ty} [%rd3], {plain};"
            yield f"ld.global{vector}.{ty} {plain}, [%rd3+256]; sust.b.2d{vector}.{ty}.zero {two}, {braces};"
    yield f"sust.p.2d.b32.trap {two}, {{%r5}};"
    yield f"sust.p.2d.v2.b32.trap {two}, {{%r5,%r6}};"
    wide = ["u32", "s32", "u64", "s64"]
    for op, types in [("add", wide[:3]), ("min", wide), ("max", wide), ("and", ["b32"]), ("or", ["b32"])]:
        for ty in types:
            register = "%rd5" if "64" in ty else "%r5"
            yield f"ld.global.u64 %rd5, [%rd3+512]; sured.b.{op}.2d.{ty}.trap {two}, {register};"
    for op in ["add", "and", "or", "min", "max"]:
        yield f"sured.p.{op}.2d.b32.trap {two}, %r5;"
    yield f"ld.global.u64 %rd5, [%rd3+512]; sured.p.min.2d.b64.trap {two}, %rd5;"
    for cop in ["ca", "cg", "cs", "cv"]:
        yield f"suld.b.2d.{cop}.b32.trap {{%r20}}, {two}; st.global.b32 [%rd3], %r20;"
    for cop in ["wb", "cg", "cs", "wt"]:
        yield f"sust.b.2d.{cop}.b32.trap {two}, {{%r5}};"


def main():
    ptxas, nvdisasm, out = sys.argv[1:]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        for code in [*textures(), *surfaces()]:
            source.write_text(HEAD + code + TAIL)
            made = subprocess.run([ptxas, "-arch", "sm_90", source, "-o", cubin], capture_output=True)
            if made.returncode != 0:
                continue
            listing = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout
            found = UNIT.search(listing)
            if "CALL" in listing or found is None:
                rows.append(f"{code}\t-\t-\n")
                continue
            shapes = [one for one in re.split(r",\s*", found[2].strip()) if SHAPE.match(one)]
            rows.append(f"{code}\t{found[1]}\t{shapes[0] if shapes else '-'}\n")
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write("".join(rows).encode())
    print(f"{len(rows)} instructions")


main()
