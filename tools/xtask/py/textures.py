"""Asks ptxas what instructions on textures and surfaces become on sm_90.

usage: textures.py PTXAS NVDISASM OUT.tsv.gz

A line has whether samplers are apart (`unified` or `independent`), an instruction of PTX with what uses its results, the
opcode with its modifiers and the geometry in ptxas's code, and the handles in the bank of parameters with their places.
Where ptxas calls the system the opcode is `CALL.ABS.NOINC` and the geometry the function; where it reads a table of the
driver they are `LDG.E.CONSTANT`, and the symbol of the size of an entry, the place of the word in it and that of the table's
address; of a test of a handle `LOP3.LUT` and the bit.
"""

import gzip
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """.version 8.5
.target TARGET
.address_size 64
.global .texref t1, t2;
.global .surfref s1, s2;
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

QUERIES = ("width height depth channel_data_type channel_order array_size num_mipmap_levels num_samples normalized_coords "
           "addr_mode_0 addr_mode_1 addr_mode_2 filter_mode force_unnormalized_coords")
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
    for count in [1, 2]:
        offsets = ",".join(["%r5", "%r6"][:count])
        array, flat = FLOATS[f"a{count}d"], FLOATS[f"{count}d"]
        yield f"tex.grad.{count}d.v4.f32.f32 {D}, [%rd1, {flat}], {GRADIENTS[f'{count}d']}, {{{offsets}}};{STORE}"
        yield f"tex.grad.a{count}d.v4.f32.f32 {D}, [%rd1, {array}], {GRADIENTS[f'{count}d']}, {{{offsets}}};{STORE}"
    for g in ["2dms", "a2dms"]:
        yield f"tex.{g}.v4.f32.s32 {D}, [%rd1, {INTEGERS[g]}], {{%r5,%r6}};{STORE}"
    yield f"tex.grad.2d.v4.f32.s32 {D}, [%rd1, {INTEGERS['2d']}], {GRADIENTS['2d']};{STORE}"
    yield f"tex.2d.v4.f32.f32 {D}, [t1, {{%f1,%f2}}];{STORE}"
    yield f"tex.2d.v4.f32.f32 {D}, [t2, {{%f1,%f2}}];{STORE} mov.u64 %rd9, t1; st.global.u64 [%rd3+32], %rd9;"
    for ty in ["u32", "s32"]:
        yield f"tex.grad.3d.v4.{ty}.f32 {words}, [%rd1, {FOUR}], {LONG}; st.global.v4.u32 [%rd3], {words};"
        yield f"tex.grad.cube.v4.{ty}.f32 {words}, [t1, {FOUR}], {LONG}; st.global.v4.u32 [%rd3], {words};"
    yield f"tex.grad.3d.v4.f16.f32 {halves}, [%rd1, {FOUR}], {LONG}; st.global.v4.b16 [%rd3], {halves};"
    yield f"tex.grad.3d.v4.f32.s32 {D}, [%rd1, {INTEGERS['3d']}], {LONG};{STORE}"
    yield f"tex.grad.3d.v4.f32.f32 {D}, [%rd1, {FOUR}], {LONG}, {OFFSETS['3d']};{STORE}"
    for g, c in FLOATS.items():
        p = "selp.f32 %f20, %f20, 0f00000000, %p1;"
        yield f"tex.grad.{g}.v4.f32.f32 {D}|%p1, [%rd1, {c}], {GRADIENTS[g]};{p}{STORE}"
        yield f"tex.grad.{g}.v4.f32.f32 {D}, [%rd1, {c}], {GRADIENTS[g]}, %f9;{STORE}"
        if g in OFFSETS:
            yield f"tex.grad.{g}.v4.f32.f32 {D}, [%rd1, {c}], {GRADIENTS[g]}, {OFFSETS[g]}, %f9;{STORE}"
    for query in QUERIES.split():
        for opcode, variable in [("txq", "t1"), ("suq", "s1")]:
            for handle in ["%rd1", variable]:
                yield f"{opcode}.{query}.b32 %r20, [{handle}]; st.global.u32 [%rd3], %r20;"
    yield "suq.memory_layout.b32 %r20, [%rd1]; st.global.u32 [%rd3], %r20;"
    yield "suq.memory_layout.b32 %r20, [s1]; st.global.u32 [%rd3], %r20;"
    yield "txq.level.height.b32 %r20, [%rd1], %r1; st.global.u32 [%rd3], %r20;"
    for kind in ["texref", "samplerref", "surfref"]:
        yield f"istypep.{kind} %p1, %rd1; selp.u32 %r20, 1, 2, %p1; st.global.u32 [%rd3], %r20;"


def samplers():
    """Instructions with a sampler that is apart from the texture."""
    for a, b in [("%rd1", "%rd2"), ("t1", "m1"), ("t1", "%rd2"), ("%rd1", "m2")]:
        for g, c in FLOATS.items():
            yield f"tex.{g}.v4.f32.f32 {D}, [{a}, {b}, {c}];{STORE}"
            yield f"tex.grad.{g}.v4.f32.f32 {D}, [{a}, {b}, {c}], {GRADIENTS[g]};{STORE}"
            yield f"tex.grad.{g}.v4.f32.f32 {D}, [{a}, {b}, {c}], {GRADIENTS[g]}, %f9;{STORE}"
        for g in ["1d", "2d", "3d", "a1d", "a2d"]:
            yield f"tex.{g}.v4.f32.s32 {D}, [{a}, {b}, {INTEGERS[g]}];{STORE}"
        yield f"tex.level.2d.v4.f32.s32 {D}, [{a}, {b}, {{%r1,%r2}}], %r3;{STORE}"
        yield f"tex.1d.v4.f32.f32 {D}, [{a}, {b}, {{%f1}}], {{%r5}};{STORE}"
        yield f"tex.grad.1d.v4.f32.f32 {D}, [{a}, {b}, {{%f1}}], {{%f5}},{{%f6}}, {{%r5}};{STORE}"
        yield f"tld4.g.2d.v4.f32.f32 {D}, [{a}, {b}, {{%f1,%f2}}];{STORE}"
    yield f"suld.b.2d.b32.trap {{%r20}}, [s2, {{%r1,%r2}}]; st.global.b32 [%rd3], %r20;"
    for query in QUERIES.split():
        for handle in ["%rd1", "t2", "m1"]:
            yield f"txq.{query}.b32 %r20, [{handle}]; st.global.u32 [%rd3], %r20;"


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
    yield f"suld.b.2d.b32.trap {{%r20}}, [s1, {{%r1,%r2}}]; st.global.b32 [%rd3], %r20;"
    yield f"suld.b.2d.b32.trap {{%rd20}}, {two}; st.global.b64 [%rd3], %rd20;"
    yield f"sust.b.2d.b32.trap [s2, {{%r1,%r2}}], {{%r5}};"
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


TARGETS = {"unified": "sm_90", "independent": "sm_90, texmode_independent"}
HANDLE = re.compile(r"/\*(\w+)\*/\s+\.(?:word|short)\s+\[\d+@lo\(0x0\)=(?:fun@\w+\()?(\w+)\)?\]")
FUNCTION = re.compile(r"__cuda_syscall_\w+")
SIZE = re.compile(r"MOV U?R\d+, `\((\S+)\)")
WORD = re.compile(r"IMAD U?R\d+, U?R\d+, U?R\d+, (\w+)")
TABLE = re.compile(r"c\[0x0\]\[(0xf0|0xf8|0x100)\]")
BIT = re.compile(r"LOP3\.LUT R\d+, R\d+, (0x\w+), RZ, 0xc0")


def what(listing):
    """The opcode and the geometry, or what takes their place."""
    code = [line for line in listing.splitlines() if re.search(r"/\*\w{4}\*/", line)]
    code = "\n".join(code)
    if "CALL.ABS" in code:
        return "CALL.ABS.NOINC", FUNCTION.search(listing)[0]
    if found := UNIT.search(code):
        shapes = [one for one in re.split(r",\s*", found[2].strip()) if SHAPE.match(one)]
        return found[1], shapes[0] if shapes else "-"
    if size := SIZE.search(code):
        word = WORD.search(code)[1]
        return "LDG.E.CONSTANT", f"{size[1]} {'0x0' if word.endswith('RZ') else word} {TABLE.search(code)[1]}"
    return "LOP3.LUT", BIT.search(code)[1]


def main():
    ptxas, nvdisasm, out = sys.argv[1:]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        unified = [("unified", code) for code in [*textures(), *surfaces()]]
        for mode, code in unified + [("independent", code) for code in samplers()]:
            head = HEAD.replace("TARGET", TARGETS[mode])
            if mode == "independent":
                head = head.replace(".global .surfref", ".global .samplerref m1, m2;\n.global .surfref")
            source.write_text(head + code + TAIL)
            made = subprocess.run([ptxas, "-arch", "sm_90", source, "-o", cubin], capture_output=True)
            if made.returncode != 0:
                continue
            listing = subprocess.run([nvdisasm, cubin], capture_output=True, text=True, check=True).stdout
            opcode, shape = what(listing)
            handles = " ".join(f"{at}:{name}" for at, name in HANDLE.findall(listing)) or "-"
            rows.append(f"{mode}\t{code}\t{opcode}\t{shape}\t{handles}\n")
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write("".join(rows).encode())
    print(f"{len(rows)} instructions")


main()
