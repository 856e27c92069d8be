"""Makes tests/oracle/ptx_SECTION.tsv.gz for the sections about memory: what ptxas says about loads, stores, caches,
addresses, atomics, multimem and asynchronous copies.

usage: PTXAS=... PTXAS_12=... python3 oracle_memory.py [SECTION ...]

For each opcode the product of the modifiers it could take, wrong ones among them, and hand-picked operands.
"""
import itertools
import sys

from ptxas_batch import record

REGISTER = {"b8": "%h", "u8": "%h", "s8": "%h", "b16": "%h", "u16": "%h", "s16": "%h", "f16": "%h", "bf16": "%h",
            "b32": "%r", "u32": "%r", "s32": "%r", "f16x2": "%r", "bf16x2": "%r", "f32": "%f", "b64": "%rd",
            "u64": "%rd", "s64": "%rd", "f64": "%fd", "b128": "%q", "pred": "%p", "e4m3": "%h", "e5m2": "%h",
            "e4m3x2": "%h", "e5m2x2": "%h", "f32x2": "%rd"}
ADDRESS = {"": "[%ge]", ".global": "[%ga]", ".local": "[%rd9]", ".const": "[%rd8]", ".param": "[p0]",
           ".param::entry": "[p0]"}
SCOPES = ["", ".cta", ".cluster", ".gpu", ".sys"]
SPACES = ["", ".global", ".shared", ".shared::cta", ".shared::cluster", ".const", ".local", ".param", ".param::entry"]
TYPES = "b8 u8 s8 b16 u16 s16 f16 bf16 b32 u32 s32 f32 f16x2 bf16x2 b64 u64 s64 f64 b128".split()


def address(space):
    return ADDRESS.get(space, "[%sa]")


def register(ty, n=1):
    return REGISTER.get(ty, "%r") + str(n)


def operand(ty, vec="", first=1):
    """A register, or as many as `vec` says in braces."""
    if not vec:
        return register(ty, first)
    return "{" + ", ".join(register(ty, first + i) for i in range(int(vec[2:]))) + "}"


def some(groups, most):
    """Every way to take one value each from at most so many of the groups."""
    for n in range(most + 1):
        for chosen in itertools.combinations(groups, n):
            yield from itertools.product(*chosen)


def every(items, n, offset=0):
    """Every n-th of them: thins out regular products."""
    return list(items)[offset::n]


def load_store():
    policy = ", %pol"
    loads = [[".ca", ".cg", ".cs", ".lu", ".cv", ".wb"],
             [".L1::evict_normal", ".L1::evict_unchanged", ".L1::evict_first", ".L1::evict_last", ".L1::no_allocate"],
             [".L2::evict_normal", ".L2::evict_first", ".L2::evict_last", ".L2::evict_unchanged"],
             [".L2::cache_hint"], [".L2::64B", ".L2::128B", ".L2::256B", ".L2::32B"], [".nc"]]
    stores = [[".wb", ".cg", ".cs", ".wt", ".ca"], loads[1], loads[2], loads[3], [".L2::128B"]]
    shapes = [("", "b32"), (".v2", "u16"), (".v4", "f32"), (".v4", "b64"), (".v8", "b32")]
    for order in ("", ".weak", ".volatile", ".relaxed.gpu", ".acquire.sys", ".mmio.relaxed.sys"):
        for k, (space, extra, (vec, ty)) in enumerate(itertools.product(SPACES, some(loads, 2), shapes)):
            # Pairs of modifiers are regular (all were asked once): a part of them will do.
            if len(extra) == 2 and k % (5 if space in ("", ".global") else 23):
                continue
            hint = policy if ".L2::cache_hint" in extra else ""
            yield f"ld{order}{space}{''.join(extra)}{vec}.{ty} {operand(ty, vec)}, {address(space)}{hint};"
    for order in ("", ".weak", ".volatile", ".relaxed.gpu", ".release.sys", ".mmio.relaxed.sys"):
        for k, (space, extra, (vec, ty)) in enumerate(itertools.product(SPACES[:7], some(stores, 2), shapes)):
            if len(extra) == 2 and k % (5 if space in ("", ".global") else 23):
                continue
            hint = policy if ".L2::cache_hint" in extra else ""
            yield f"st{order}{space}{''.join(extra)}{vec}.{ty} {address(space)}, {operand(ty, vec)}{hint};"
    # Every type in every space and vector; `.v8` of 8 and 16 bits is left out, where ptxas stores one element.
    for space, vec, ty in itertools.product(SPACES, ("", ".v1", ".v2", ".v3", ".v4", ".v8", ".v16"), TYPES + ["pred", "e4m3"]):
        if vec == ".v8" and ty in ("b8", "u8", "s8", "b16", "u16", "s16"):
            continue
        yield f"ld{space}{vec}.{ty} {operand(ty, vec)}, {address(space)};"
        if "param" not in space:
            yield f"st{space}{vec}.{ty} {address(space)}, {operand(ty, vec)};"
        if space in ("", ".global", ".shared"):
            yield f"ldu{space}{vec}.{ty} {operand(ty, vec)}, {address(space)};"
            yield f"ld{space}.nc{vec}.{ty} {operand(ty, vec)}, {address(space)};"
            yield f"ld{space}.relaxed.cta{vec}.{ty} {operand(ty, vec)}, {address(space)};"
            yield f"st{space}.release.cluster{vec}.{ty} {address(space)}, {operand(ty, vec)};"
            yield f"ld{space}.mmio.acquire.sys{vec}.{ty} {operand(ty, vec)}, {address(space)};"
            yield f"st{space}.mmio.release.sys{vec}.{ty} {address(space)}, {operand(ty, vec)};"
    # Orders and scopes, with the types that have gates of their own.
    for order, scope, space, (vec, ty) in itertools.product(
            ("", ".weak", ".volatile", ".relaxed", ".acquire", ".release", ".acq_rel", ".sc", ".mmio", ".mmio.relaxed"),
            SCOPES, (".global", ".shared::cta", ".local"), (("", "b128"), ("", "u8"), (".v8", "f32"))):
        yield f"ld{order}{scope}{space}{vec}.{ty} {operand(ty, vec)}, {address(space)};"
        yield f"st{order}{scope}{space}{vec}.{ty} {address(space)}, {operand(ty, vec)};"
    for triple in (".L1::evict_last.L2::evict_first.L2::cache_hint.L2::128B", ".nc.L1::evict_last.L2::evict_first.L2::cache_hint.L2::64B",
                   ".nc.cg.L2::evict_last.L2::cache_hint.L2::128B", ".cv.L2::evict_last.L2::cache_hint.L2::256B",
                   ".cg.L1::evict_last.L2::evict_first.L2::cache_hint"):
        for order in ("", ".relaxed.sys", ".volatile"):
            yield f"ld{order}.global{triple}.v8.f32 {operand('f32', '.v8')}, [%ga], %pol;"
    yield from LOAD_STORE_OPERANDS.strip().splitlines()


LOAD_STORE_OPERANDS = """
ld.b32 _, [%ge];
ld.global.v2.b32 {%r1, _}, [%ga];
ld.global.v2.b32 {_, _}, [%ga];
ld.global.v4.b32 {%r1, _, %r2, %r3}, [%ga];
ld.global.v4.b64 {%rd1, _, %rd2, %rd3}, [%ga];
ld.global.v4.b64 {_, _, _, _}, [%ga];
ld.relaxed.gpu.v4.b64 {%rd1, _, %rd2, %rd3}, [%ge];
ld.volatile.v4.b64 {%rd1, _, %rd2, %rd3}, [%ge];
ld.global.nc.v8.f32 {%f1, _, %f2, %f3, %f4, %f5, %f6, _}, [%ga];
ld.shared.v2.b32 {%r1, _}, [%sa];
ld.const.v2.b32 {%r1, _}, [%rd8];
ldu.global.v2.b32 {%r1, _}, [%ga];
st.global.v2.b32 [%ga], {%r1, _};
st.global.v4.b64 [%ga], {%rd1, _, %rd2, %rd3};
st.v4.b64 [%ge], {%rd1, _, %rd2, %rd3};
st.global.v8.f32 [%ga], {%f1, _, %f2, %f3, %f4, %f5, %f6, _};
st.global.v4.f32 [%ga], {%f1, _, %f2, %f3};
st.b32 [%ge], _;
st.b32 [%ge], 5;
st.b8 [%ge], 500;
st.s8 [%ge], -1;
st.u64 [%ge], 0xffffffffffffffff;
st.f32 [%ge], 1.0;
st.f32 [%ge], 0f3f800000;
st.f32 [%ge], 0d3ff0000000000000;
st.f32 [%ge], 1;
st.f64 [%ge], 1.0;
st.f64 [%ge], 0f3f800000;
st.f64 [%ge], 1;
st.b32 [%ge], 1.0;
st.b32 [%ge], 0f3f800000;
st.b64 [%ge], 1.0;
st.b64 [%ge], 0d3ff0000000000000;
st.b64 [%ge], 0f3f800000;
st.u32 [%ge], 1.0;
st.b128 [%ge], 1;
st.b16 [%ge], 1;
st.v2.b32 [%ge], {1, 2};
st.v2.b32 [%ge], {%r1, 2};
st.v2.f32 [%ge], {%f1, 2.0};
st.v4.b8 [%ge], {1, 2, %h3, 4};
st.global.v4.b64 [%ga], {1, 2, %rd1, 3};
st.b32 [%ge], gvar;
st.b64 [%ge], gvar;
st.u32 [%ge], svar;
st.b32 [%ge], %tid.x;
st.b32 [%ge], %laneid;
st.b32 [%ge], WARP_SZ;
st.b32 [%ge], -%r1;
st.b32 [%ge], !%r1;
ld.b32 5, [%ge];
ld.b32 %r1, %ge;
ld.b32 %r1, [5];
ld.local.b32 %r1, [8];
ld.shared.b32 %r1, [8];
ld.global.b32 %r1, [gvar];
ld.global.b32 %r1, [gvar+4];
ld.global.b32 %r1, gvar;
ld.global.b32 %r1, gvar[4];
ld.global.b32 %r1, [gvar+2];
ld.global.b32 %r1, [%ga+2];
ld.global.b32 %r1, [%ga+-4];
ld.global.v2.b32 {%r1, %r2}, [gvar+4];
ld.shared.b32 %r1, [gvar];
ld.global.b32 %r1, [svar];
ld.b32 %r1, [gvar];
ld.b32 %r1, [svar];
ld.b32 %r1, [cvar];
ld.const.b32 %r1, [cvar];
ld.const.b32 %r1, [%r2];
ld.local.b32 %r1, [%r2];
ld.shared.b32 %r1, [%rd2];
ld.param.b32 %r1, [%rd2];
ld.param.b32 %r1, [%r2];
ld.param.b32 %r1, [p1];
ld.param.b64 %rd1, [p1];
ld.param.b32 %r1, [p1+4];
ld.param.v2.b32 {%r1, %r2}, [p0];
ld.param.b32 %r1, [svar];
ld.global.b32 %r1, [p0];
ld.global.b32 %r1, [%ga].unified;
ld.b32 %r1, [%ge].unified;
ld.weak.global.b32 %r1, [%ga].unified;
ld.relaxed.gpu.global.b32 %r1, [%ga].unified;
ld.volatile.global.b32 %r1, [%ga].unified;
ld.mmio.relaxed.sys.global.b32 %r1, [%ga].unified;
ld.shared.b32 %r1, [%sa].unified;
ld.const.b32 %r1, [cvar].unified;
ld.local.b32 %r1, [%rd9].unified;
ld.param.b32 %r1, [p0].unified;
ld.volatile.shared.b32 %r1, [%sa].unified;
ld.relaxed.gpu.shared.b32 %r1, [%sa].unified;
ld.global.nc.b32 %r1, [%ga].unified;
ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%ga].unified;
ld.global.L2::cache_hint.b32 %r1, [%ga].unified, %pol;
ld.global.ca.v2.b32 {%r1, %r2}, [%ga].unified;
st.global.b32 [%ga].unified, %r1;
ldu.global.b32 %r1, [%ga].unified;
ld.global.b32.unified %r1, [%ga];
ld.global.L2::cache_hint.b32 %r1, [%ga], 5;
ld.global.L2::cache_hint.b32 %r1, [%ga], %r3;
ld.global.L2::cache_hint.b32 %r1, [%ga], %fd3;
ld.global.L2::cache_hint.b32 %r1, [%ga];
ld.global.b32 %r1, [%ga], %pol;
st.global.L2::cache_hint.b32 [%ga], %r1, 5;
st.global.L2::cache_hint.b32 [%ga], %r1;
st.global.b32 [%ga], %r1, %pol;
ld.global.b32 %rd1, [%ga];
ld.global.b32 %fd1, [%ga];
ld.global.f32 %fd1, [%ga];
ld.global.f32 %rd1, [%ga];
ld.global.f32 %r1, [%ga];
ld.global.f64 %rd1, [%ga];
ld.global.u32 %f1, [%ga];
ld.global.u8 %r1, [%ga];
ld.global.u8 %f1, [%ga];
ld.global.b8 %f1, [%ga];
ld.global.b16 %f1, [%ga];
ld.global.b32 %h1, [%ga];
ld.global.b32 %p1, [%ga];
ld.global.v2.b32 {%r1, %rd2}, [%ga];
ld.global.v2.b32 {%r1, %f2}, [%ga];
ld.global.v2.b32 {%r1, %r1}, [%ga];
ld.global.v2.b32 {%r1, %r2, %r3}, [%ga];
ld.global.v2.b32 %r1, [%ga];
ld.global.b32 {%r1}, [%ga];
ld.global.b32 {%r1, %r2}, [%ga];
st.global.b32 [%ga], {%r1};
st.global.b32 [%ga], %rd1;
st.global.f32 [%ga], %fd1;
st.global.f32 [%ga], %r1;
st.global.b8 [%ga], %r1;
st.global.b32 [%ga], %h1;
st.const.b32 [%rd8], %r1;
st.param.b32 [p0], %r1;
st.param::entry.b32 [p0], %r1;
{ .param .b32 x; st.param.b32 [x], %r1; }
{ .param .b32 x; st.param::func.b32 [x], %r1; }
{ .param .align 16 .b8 x[16]; st.param.v4.b32 [x], {%r1, %r2, %r3, %r4}; }
{ .param .align 16 .b8 x[16]; ld.param.v4.b32 {%r1, %r2, %r3, %r4}, [x]; }
{ .param .b32 x; st.weak.param.b32 [x], 5; }
{ .param .b32 x; st.param.wb.b32 [x], 5; }
{ .param .b32 x; st.volatile.param.b32 [x], 5; }
{ .param .b32 x; st.param.L1::evict_first.b32 [x], 5; }
{ .local .b32 x; st.local.b32 [x], %r1; }
{ .local .b32 x; st.volatile.local.b32 [x], %r1; }
st.global.b128 [%ga], %q1;
ld.global.b128 %rd1, [%ga];
ld.global.b64 %q1, [%ga];
ld.generic.b32 %r1, [%ge];
ld.b32.global %r1, [%ga];
ld.v2.global.b32 {%r1, %r2}, [%ga];
ld.global.b32.v2 {%r1, %r2}, [%ga];
ld.global.gpu.relaxed.b32 %r1, [%ga];
ld.L2::128B.global.b32 %r1, [%ga];
ld.global.L2::128B.L2::cache_hint.b32 %r1, [%ga], %pol;
ld.global.b32.L2::128B %r1, [%ga];
ld.cg.global.b32 %r1, [%ga];
ld.global.b32.cg %r1, [%ga];
ld.sys.mmio.relaxed.b32 %r1, [%ga];
ld.L1::evict_last.global.nc.b32 %r1, [%ga];
ld.nc.global.b32 %r1, [%ga];
ld.global.global.b32 %r1, [%ga];
ld.global.b32.b32 %r1, [%ga];
ld.global %r1, [%ga];
ld.b32 %r1;
st.b32 [%ge];
st.b32 %r1, [%ge];
st.b32 [%ge], %r1, %r2;
"""

def addresses():
    for space in SPACES + [".param::func"]:
        for ty in ("u64", "b64", "s64", "u32", "s32", "b32", "f32"):
            r = register(ty)[:-1]
            if ty[1:] == "64":
                yield f"cvta{space}.{ty} {r}1, {r}2;"
                yield f"cvta.to{space}.{ty} {r}1, {r}2;"
            yield f"mapa{space}.{ty} {r}1, {r}2, %r3;"
            yield f"getctarank{space}.{ty} %r1, {r}2;"
        yield f"cvta{space} %rd1, %rd2;"
        yield f"cvta.to{space} %rd1, %rd2;"
        yield f"isspacep{space} %p1, %rd1;"
        yield f"isspacep{space} %p1, %r1;"
        for name in ("gvar", "svar", "cvar", "p0"):
            yield f"cvta{space}.u64 %rd1, {name};"
            yield f"cvta{space}.u64 %rd1, {name}+4;"
            yield f"cvta.to{space}.u64 %rd1, {name};"
    yield from ADDRESS_OPERANDS.strip().splitlines()


ADDRESS_OPERANDS = """
cvta.global.u64 %rd1, 5;
cvta.to.global.u64 %rd1, 5;
cvta.global.u64 %rd1, %r1;
cvta.global.u64 %r1, %rd1;
cvta.shared.u64 %rd1, %r1;
cvta.to.shared.u64 %r1, %rd1;
cvta.global.u64 %rd1, %fd1;
cvta.global.u64 %fd1, %rd1;
cvta.global.u64 _, %rd1;
cvta.global.u64 %rd1, gvar[4];
cvta.global.u64 %rd1, [gvar];
cvta.global.u64 %rd1, k;
cvta.u64.global %rd1, %rd2;
cvta.u64 %rd1, gvar;
cvta.global.u64 %rd1;
isspacep.global %p1, gvar;
isspacep.global %p1, 5;
isspacep.global %p1, %fd1;
isspacep.global %r1, %rd1;
isspacep.global _, %rd1;
isspacep.shared %p1, svar;
isspacep.global.u64 %p1, %rd1;
isspacep.global %p1, %h1;
isspacep.global %p1|%p2, %rd1;
mapa.shared::cluster.u32 %r1, svar, 3;
mapa.shared::cluster.u32 %r1, svar+4, 3;
mapa.shared::cluster.u64 %rd1, svar, 3;
mapa.shared::cluster.u64 %rd1, svar, %rd3;
mapa.shared::cluster.u64 %rd1, svar, %f3;
mapa.shared::cluster.u32 %r1, gvar, 3;
mapa.u64 %rd1, svar, 3;
mapa.u64 %rd1, 5, 3;
mapa.shared::cluster.u32 %r1, 5, 3;
mapa.shared::cluster.u32 %f1, %r2, 3;
mapa.shared::cluster.u32 %r1, %f2, 3;
mapa.shared::cluster.u32 _, %r2, 3;
mapa.shared::cluster.u32 %rd1, %r2, 3;
mapa.shared::cluster.u32 %r1, %rd2, 3;
mapa.shared::cluster.u32 %r1, %r2;
mapa.shared::cluster.u32 %r1, [%r2], 3;
mapa.shared::cluster.u32 %r1, %r2, -1;
getctarank.shared::cluster.u32 %r1, svar;
getctarank.shared::cluster.u64 %r1, svar+4;
getctarank.shared::cluster.u32 %rd1, %r2;
getctarank.shared::cluster.u32 %f1, %r2;
getctarank.shared::cluster.u32 %r1, gvar;
getctarank.u64 %r1, svar;
getctarank.u64 %r1, 5;
getctarank.shared::cluster.u32 %r1, 5;
getctarank.shared::cluster.u32 _, %r2;
"""

def atomics():
    """Scalar forms are in ptx_sync_accept.tsv.gz for five targets; this adds the old ones, vectors and operands."""
    scalar = [("add", t) for t in ("u32", "s32", "u64", "s64", "f32", "f64", "b32", "f16", "noftz.f32", "noftz.f64")]
    scalar += [("add", "noftz." + t) for t in ("f16", "f16x2", "bf16", "bf16x2")]
    scalar += [("min", t) for t in ("u32", "s32", "u64", "s64", "f32", "noftz.f16", "b32")] + [("max", "s64")]
    scalar += [("inc", "u32"), ("dec", "u32"), ("inc", "s32"), ("and", "b32"), ("or", "b64"), ("xor", "u32"), ("exch", "b32")]
    scalar += [("exch", "b64"), ("exch", "b128"), ("exch", "f32"), ("cas", "b16"), ("cas", "b32"), ("cas", "b64"), ("cas", "b128")]
    k = 0
    for (op, ty), order, scope, space, hint in itertools.product(
            scalar, ("", ".relaxed", ".acquire", ".release", ".acq_rel", ".sc"), SCOPES,
            ("", ".global", ".shared", ".shared::cta", ".shared::cluster", ".local", ".const"), ("", ".L2::cache_hint")):
        k += 1
        if k % 5:
            continue
        ftz, base = ("." + ty).rsplit(".", 1)
        policy = ", %pol" if hint else ""
        third = ", " + register(base, 3) if op == "cas" else ""
        yield f"atom{order}{scope}{space}.{op}{ftz}{hint}.{base} {register(base)}, {address(space)}, {register(base, 2)}{third}{policy};"
        if op != "cas":
            yield f"red{order}{scope}{space}.{op}{ftz}{hint}.{base} {address(space)}, {register(base, 2)}{policy};"
    for op, vec, ty, ftz, space, order, hint in itertools.product(
            ("add", "min", "max", "exch"), (".v2", ".v4", ".v8"), ("f32", "f16", "bf16", "f16x2", "bf16x2", "f64", "u32", "b32"),
            ("", ".noftz"), ("", ".global", ".shared"), ("", ".relaxed.sys", ".acquire.cluster"), ("", ".L2::cache_hint")):
        k += 1
        if k % 3:
            continue
        policy = ", %pol" if hint else ""
        yield f"atom{order}{space}.{op}{ftz}{hint}{vec}.{ty} {operand(ty, vec)}, {address(space)}, {operand(ty, vec, 20)}{policy};"
        yield f"red{order}{space}.{op}{ftz}{hint}{vec}.{ty} {address(space)}, {operand(ty, vec, 20)}{policy};"
    yield from ATOMIC_OPERANDS.strip().splitlines()


ATOMIC_OPERANDS = """
atom.global.add.u32 _, [%ga], %r2;
atom.add.u32 _, [%ge], %r2;
atom.shared.add.u32 _, [%sa], %r2;
atom.global.cas.b32 _, [%ga], %r2, %r3;
atom.global.cas.b16 _, [%ga], %h2, %h3;
atom.global.cas.b128 _, [%ga], %q2, %q3;
atom.global.exch.b32 _, [%ga], %r2;
atom.global.exch.b128 _, [%ga], %q2;
atom.global.add.noftz.f16 _, [%ga], %h2;
atom.global.add.noftz.bf16x2 _, [%ga], %r2;
atom.global.add.v2.f32 _, [%ga], {%f1,%f2};
atom.global.add.v2.f32 {_,%f1}, [%ga], {%f1,%f2};
atom.global.add.v2.f32 {_,_}, [%ga], {%f1,%f2};
atom.global.add.v2.f32 {%f1,%f2}, [%ga], {_,%f2};
atom.global.add.v2.f32 {%f1,%f2}, [%ga], {1.0,%f2};
atom.global.add.v2.f32 {%f1,%f2}, [%ga], {1.0,2.0};
atom.global.add.noftz.v2.f16 {%h1,%h2}, [%ga], {1,2};
atom.global.add.noftz.v2.f32 {%f1,%f2}, [%ga], {%f1,%f2};
atom.global.add.noftz.v4.f32 {%f1,%f2,%f3,%f4}, [%ga], {%f1,%f2,%f3,%f4};
atom.global.add.noftz.f32 %f1, [%ga], %f2;
atom.shared.add.noftz.f32 %f1, [%sa], %f2;
atom.add.noftz.L2::cache_hint.f32 %f1, [%ge], %f2, %pol;
red.global.add.noftz.f32 [%ga], %f2;
red.global.add.noftz.v4.f32 [%ga], {%f1,%f2,%f3,%f4};
red.shared.add.noftz.f32 [%sa], %f2;
atom.global.add.u32 %r1, [%ga], 5;
atom.global.add.f32 %f1, [%ga], 5;
atom.global.add.f32 %f1, [%ga], 5.0;
atom.global.add.f64 %fd1, [%ga], 5.0;
atom.global.add.noftz.f16 %h1, [%ga], 5;
atom.global.add.noftz.f16x2 %r1, [%ga], 5;
atom.global.add.noftz.bf16x2 %r1, [%ga], 5;
atom.global.cas.b32 %r1, [%ga], 0, 1;
atom.global.cas.b32 %r1, [%ga], %f2, %f3;
atom.global.cas.b64 %rd1, [%ga], 0, 1;
atom.global.cas.b128 %q1, [%ga], 0, 1;
atom.global.cas.b16 %h1, [%ga], 0, 1;
atom.global.exch.b32 %r1, [%ga], 1;
atom.global.exch.b32 %r1, [%ga], 0f3f800000;
atom.global.exch.b128 %q1, [%ga], 1;
atom.global.exch.b128 %rd1, [%ga], %q2;
atom.global.add.u32 %rd1, [%ga], %r2;
atom.global.add.u32 %r1, [%ga], %rd2;
atom.global.add.u32 %f1, [%ga], %r2;
atom.global.add.f32 %r1, [%ga], %r2;
atom.global.inc.u32 %r1, [%ga], 7;
atom.global.add.u32 %r1, [%ga+4], %r2;
atom.global.add.u32 %r1, [gvar+4], %r2;
atom.global.add.u32 %r1, [svar], %r2;
atom.shared.add.u32 %r1, [svar], %r2;
atom.global.add.u32 %r1, [%ga], %r2, %r3;
atom.global.add.u32 [%ga], %r2;
atom.global.cas.b32 %r1, [%ga], %r2;
red.global.add.u32 %r1, [%ga], %r2;
red.global.add.u32 [%ga], 5;
red.global.add.f32 [%ga], 5.0;
red.global.add.v2.f32 [%ga], {1.0,%f2};
red.global.add.v2.f32 [%ga], {_,%f2};
red.global.add.L2::cache_hint.u32 [%ga], %r2, 5;
atom.global.add.u32 %r1, [%ga].unified, %r2;
atom.global.cas.L2::cache_hint.b32 %r1, [%ga], %r2, %r3, %pol;
atom.const.add.u32 %r1, [%rd1], %r2;
atom.local.add.u32 %r1, [%rd1], %r2;
atom.param.add.u32 %r1, [%rd1], %r2;
atom.global.exch.f32 %f1, [%ga], %f2;
atom.global.exch.u32 %r1, [%ga], %r2;
atom.global.exch.s32 %r1, [%ga], %r2;
atom.global.min.f32 %f1, [%ga], %f2;
atom.global.min.noftz.f16 %h1, [%ga], %h2;
atom.global.min.noftz.f16x2 %r1, [%ga], %r2;
atom.global.v2.exch.b32 {%r1,%r2}, [%ga], {%r3,%r4};
atom.global.exch.v4.b32 {%r1,%r2,%r5,%r6}, [%ga], {%r3,%r4,%r7,%r8};
atom.global.add.v2.u32 {%r1,%r2}, [%ga], {%r3,%r4};
atom.global.add.v2.f64 {%fd1,%fd2}, [%ga], {%fd3,%fd4};
atom.global.add.v8.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, [%ga], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8};
atom.global.add.noftz.v2.f16x2 {%r1,%r2}, [%ga], {%r3,%r4};
atom.global.add.v2.f16x2 {%r1,%r2}, [%ga], {%r3,%r4};
atom.global.add.ftz.f32 %f1, [%ga], %f2;
atom.global.add.rn.f16 %h1, [%ga], %h2;
atom.global.mul.f32 %f1, [%ga], %f2;
atom.global.safeadd.u32 %r1, [%ga], %r2;
atom.global.add.f16x2 %r1, [%ga], %r2;
atom.global.add.bf16 %h1, [%ga], %h2;
atom.global.add.s64 %rd1, [%ga], %rd2;
atom.global.and.u32 %r1, [%ga], %r2;
atom.global.min.b32 %r1, [%ga], %r2;
atom.global.cas.u32 %r1, [%ga], %r2, %r3;
atom.global.cas.u64 %rd1, [%ga], %rd2, %rd3;
atom.global.min.s16 %h1, [%ga], %h2;
red.global.add.u32 [%ga].unified, %r2;
atom.shared.add.u32 %r1, [%sa].unified, %r2;
atom.add.u32 %r1, [%ge].unified, %r2;
atom.global.add.v2.f32 {%f1,%f2}, [%ga].unified, {%f3,%f4};
atom.global.cas.b32 %r1, [%ga].unified, %r2, %r3;
red.shared.add.u32 [%sa].unified, %r2;
atom.global.cas.b128 %q1, [%ga], %q2, 1;
atom.global.add.v2.f32 {%f1,%f2,%f3}, [%ga], {%f1,%f2};
atom.global.add.v2.f32 {%f1,%f2}, [%ga], {%f1,%f2,%f3};
atom.global.add.v2.f32 %f1, [%ga], {%f1,%f2};
atom.global.add.v2.f32 {%f1,%f2}, [%ga], %f2;
atom.global.gpu.relaxed.add.u32 %r1, [%ga], %r2;
atom.add.global.u32.sys %r1, [%ga], %r2;
atom.global.add.u32 5, [%ga], %r2;
atom.global.add.u32 %r1, %ga, %r2;
"""

def caches():
    levels = [".L1", ".L2", ".L3", ".L2::evict_last", ".L2::evict_normal", ".L2::evict_first", ".L2::evict_unchanged",
              ".L1::evict_last", ".tensormap", ""]
    for space, level in itertools.product(SPACES, levels):
        yield f"prefetch{space}{level} {address(space)};"
        yield f"prefetchu{space}{level} {address(space)};"
        for size in (", 128", ""):
            yield f"applypriority{space}{level} {address(space)}{size};"
            yield f"discard{space}{level} {address(space)}{size};"
    priorities = levels[3:8] + [""]
    for first, second, ty in itertools.product(priorities, priorities, (".b64", ".u64", "")):
        yield f"createpolicy.fractional{first}{second}{ty} %pol, 1.0;"
        yield f"createpolicy.fractional{first}{second}{ty} %pol;"
        for space in ("", ".global", ".shared"):
            yield f"createpolicy.range{space}{first}{second}{ty} %pol, {address(space)}, 0x100000, 0x200000;"
        yield f"createpolicy.cvt{first}{second}{ty} %pol, %rd1;"
    yield from CACHE_OPERANDS.strip().splitlines()


CACHE_OPERANDS = """
createpolicy.cvt.L2.b64 %pol, %rd1;
createpolicy.cvt.L2.b64 %pol, 5;
createpolicy.cvt.L2.u64 %pol, %rd1;
createpolicy.cvt.b64 %pol, %rd1;
createpolicy.cvt.L1.b64 %pol, %rd1;
createpolicy.cvt.L2.b64 %pol, %r1;
createpolicy.cvt.L2.b64 _, %rd1;
createpolicy.cvt.L2.b64 %fd1, %rd1;
createpolicy.fractional.L2::evict_last.b64 %pol, 0.5;
createpolicy.fractional.L2::evict_last.b64 %pol, 0f3f000000;
createpolicy.fractional.L2::evict_last.b64 %pol, 0d3fe0000000000000;
createpolicy.fractional.L2::evict_last.b64 %pol, 1;
createpolicy.fractional.L2::evict_last.b64 %pol, 0;
createpolicy.fractional.L2::evict_last.b64 %pol, 0.0;
createpolicy.fractional.L2::evict_last.b64 %pol, 1.5;
createpolicy.fractional.L2::evict_last.b64 %pol, -0.5;
createpolicy.fractional.L2::evict_last.b64 %pol, %f1;
createpolicy.fractional.L2::evict_last.b64 %pol, %r1;
createpolicy.fractional.L2::evict_last.b64 %pol, %fd1;
createpolicy.fractional.L2::evict_last.b64 %r1, 0.5;
createpolicy.range.L2::evict_last.b64 %pol, [%ge], %r1, %r2;
createpolicy.range.L2::evict_last.b64 %pol, [%ge], 1, %r2;
createpolicy.range.L2::evict_last.b64 %pol, [%ge], %rd1, %rd2;
createpolicy.range.L2::evict_last.b64 %pol, [%ge], %f1, %r2;
createpolicy.range.L2::evict_last.b64 %pol, [%ge], 2, 1;
createpolicy.range.L2::evict_last.b64 %pol, [%ge], 0, 0;
createpolicy.range.L2::evict_last.b64 %pol, [%ge], 1;
createpolicy.range.global.L2::evict_last.b64 %pol, [gvar], 1, 2;
createpolicy.range.L2::evict_last.b64 %pol, %ge, 1, 2;
createpolicy.L2::evict_last.fractional.b64 %pol, 1.0;
applypriority.global.L2::evict_normal [%ga], 64;
applypriority.global.L2::evict_normal [%ga], 127;
applypriority.global.L2::evict_normal [%ga], %r1;
applypriority.global.L2::evict_normal [gvar], 128;
applypriority.L2::evict_normal.global [%ga], 128;
discard.global.L2 [%ga], 64;
discard.global.L2 [%ga], %r1;
discard.L2.global [%ga], 128;
discard.global.L2 [gvar], 128;
prefetch.global.L1 [gvar];
prefetch.L1.global [%ga];
prefetch.global.L1 [%ga+4];
prefetch.global.L1 %ga;
prefetch.global.L1 [%ga].unified;
prefetch.tensormap [%ge+4];
prefetch.tensormap [gvar];
prefetch.const.tensormap [cvar];
prefetch.param.tensormap [%rd1];
"""

BYTES = ".mbarrier::complete_tx::bytes"


def multimems():
    types = ("b32 b64 u32 u64 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4 b16 f32x2 b128").split()
    for vec, ty in itertools.product(("", ".v2", ".v4", ".v8", ".v16"), types):
        value = operand(ty, vec).replace("%h", "%b") if ty in ("e5m2", "e4m3") else operand(ty, vec)
        for op in ("min", "max", "add", "and", "or", "xor", "exch", "inc"):
            for accumulator in ("", ".acc::f32", ".acc::f16", ".noftz"):
                yield f"multimem.ld_reduce.global.{op}{accumulator}{vec}.{ty} {value}, [%ga];"
            yield f"multimem.red.global.{op}{vec}.{ty} [%ga], {value};"
        yield f"multimem.st.global{vec}.{ty} [%ga], {value};"
    for order, scope, space in itertools.product(
            ("", ".weak", ".relaxed", ".acquire", ".release", ".acq_rel", ".volatile", ".mmio"), SCOPES, ("", ".global", ".shared")):
        yield f"multimem.ld_reduce{order}{scope}{space}.add.u32 %r1, {address(space)};"
        yield f"multimem.ld_reduce{order}{scope}{space}.add.acc::f32.v4.f16 {operand('f16', '.v4')}, {address(space)};"
        yield f"multimem.ld_reduce{order}{scope}{space}.min.v2.bf16x2 {operand('bf16x2', '.v2')}, {address(space)};"
        yield f"multimem.st{order}{scope}{space}.u32 {address(space)}, %r1;"
        yield f"multimem.st{order}{scope}{space}.v4.f32 {address(space)}, {operand('f32', '.v4')};"
        yield f"multimem.red{order}{scope}{space}.add.u32 {address(space)}, %r1;"
        yield f"multimem.red{order}{scope}{space}.max.v8.f16 {address(space)}, {operand('f16', '.v8')};"
    yield from MULTIMEM_OPERANDS.strip().splitlines()


def async_copies():
    """Left out: what ptxas takes though it is not defined (see docs/deviations.md)."""
    for cop, dst, src, hint, prefetch, size in itertools.product(
            (".ca", ".cg", ".cs", ""), (".shared", ".shared::cta", ".shared::cluster", ".global", ""), (".global", "", ".shared"),
            ("", ".L2::cache_hint"), ("", ".L2::64B", ".L2::128B", ".L2::256B"), ("4", "8", "16")):
        if (hint or prefetch) and (dst not in (".shared", ".shared::cta") or src != ".global"):
            continue
        yield f"cp.async{cop}{dst}{src}{hint}{prefetch} [%sa], [%ga], {size}{', %pol' if hint else ''};"
    for sem, space in itertools.product(
            ("", ".weak", ".relaxed", ".release", ".weak.cluster", ".relaxed.cluster", ".relaxed.cta", ".release.gpu", ".release.sys",
             ".release.cluster", ".mmio.release.sys", ".mmio.release.gpu", ".mmio.relaxed.sys"),
            ("", ".shared::cluster", ".shared", ".shared::cta", ".global")):
        yield f"st.async{sem}{space}{BYTES}.b32 {address(space)}, %r1, [%sb];"
        yield f"red.async{sem}{space}{BYTES}.add.u32 {address(space)}, %r1, [%sb];"
        if "release" in sem:
            yield f"st.async{sem}{space}.b32 {address(space)}, %r1;"
            yield f"red.async{sem}{space}.add.u32 {address(space)}, %r1;"
    types = "b8 u8 s8 b16 u16 s16 f16 b32 u32 s32 f32 b64 u64 s64 f64 b128".split()
    for vec, ty in itertools.product(("", ".v2", ".v4", ".v8"), types):
        value = operand(ty, vec).replace("%h", "%b") if ty[1:] == "8" else operand(ty, vec)
        for weak in ("", ".weak"):
            yield f"st.async{weak}.shared::cluster{BYTES}{vec}.{ty} [%sa], {value}, [%sb];"
        for mmio in ("", ".mmio"):
            yield f"st.async{mmio}.release.sys.global{vec}.{ty} [%ga], {value};"
    for op, ty in itertools.product("add min max inc dec and or xor exch cas".split(), types[7:]):
        yield f"red.async.relaxed.cluster.shared::cluster{BYTES}.{op}.{ty} [%sa], {register(ty)}, [%sb];"
        for sem in (".release.gpu", ".release.sys", ".mmio.release.gpu", ".mmio.release.sys"):
            yield f"red.async{sem}.global.{op}.{ty} [%ga], {register(ty)};"
    yield from ASYNC_OPERANDS.strip().splitlines()


def bulk_copies():
    where = {".shared::cta": "[%sa]", ".shared::cluster": "[%sa]", ".global": "[%ga]", ".shared": "[%sa]", "": "[%ge]"}
    for dst, src, (how, barrier) in itertools.product(where, where, ((BYTES, ", [%sb]"), (".bulk_group", ""), ("", ""))):
        yield f"cp.async.bulk{dst}{src}{how} {where[dst]}, {where[src]}, %r1{barrier};"
    for spaces, dst, src, barrier in ((".shared::cta.global" + BYTES, "[%sa]", "[%ga]", ", [%sb]"),
                                      (".shared::cluster.global" + BYTES, "[%sa]", "[%ga]", ", [%sb]"),
                                      (".shared::cluster.shared::cta" + BYTES, "[%sa]", "[%r9]", ", [%sb]"),
                                      (".global.shared::cta.bulk_group", "[%ga]", "[%sa]", "")):
        for more, operands in ((".L2::cache_hint", ", %pol"), (".multicast::cluster", ", %h1"),
                               (".multicast::cluster.L2::cache_hint", ", %h1, %pol"), (".multicast::cluster", ", %r1"),
                               (".multicast::cluster", ", 3"), (".multicast::cluster", ""), (".cp_mask", ", %h1"),
                               (".cp_mask.L2::cache_hint", ", %pol, %h1"), (".cp_mask.L2::cache_hint", ", %h1, %pol"),
                               (".cp_mask", ", 5"), (".ignore_oob", ""), ("", ", %pol")):
            yield f"cp.async.bulk{spaces}{more} {dst}, {src}, %r1{barrier}{operands};"
        yield f"cp.async.bulk{spaces}.ignore_oob {dst}, {src}, %r1, %r2, %r3{barrier};"
        yield f"cp.async.bulk{spaces}.ignore_oob.L2::cache_hint {dst}, {src}, %r1, %r2, %r3{barrier}, %pol;"
        for left, right in (("3", "5"), ("16", "5"), ("5", "16"), ("%rd1", "5")):
            yield f"cp.async.bulk{spaces}.ignore_oob {dst}, {src}, %r1, {left}, {right}{barrier};"
        for size in ("16", "15", "0", "-16", "%rd1", "%f1", "1048560", "1048576"):
            yield f"cp.async.bulk{spaces} {dst}, {src}, {size}{barrier};"
    types = "f16 bf16 b32 u32 s32 b64 u64 s64 f32 f64 f16x2 b16".split()
    for op, ftz, ty in itertools.product("and or xor add inc dec min max".split(), ("", ".noftz"), types):
        yield f"cp.reduce.async.bulk.shared::cluster.shared::cta{BYTES}.{op}{ftz}.{ty} [%sa], [%r9], %r1, [%sb];"
        yield f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}{ftz}.{ty} [%ga], [%sa], %r1;"
        yield f"cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.{op}{ftz}.{ty} [%ga], [%sa], %r1, %pol;"
    yield from BULK_OPERANDS.strip().splitlines()


MULTIMEM_OPERANDS = """
multimem.st.global.u32 [%ga], 5;
multimem.red.global.add.u32 [%ga], 5;
multimem.red.global.add.f32 [%ga], 1.0;
multimem.red.global.add.v2.f32 [%ga], {1.0, %f1};
multimem.ld_reduce.global.add.u32 _, [%ga];
multimem.ld_reduce.global.add.v2.f32 {_, %f1}, [%ga];
multimem.ld_reduce.global.add.u32 %rd1, [%ga];
multimem.ld_reduce.global.add.f32 %r1, [%ga];
multimem.ld_reduce.global.add.u32 %r1, [gvar];
multimem.ld_reduce.add.global.u32 %r1, [%ga];
multimem.global.ld_reduce.add.u32 %r1, [%ga];
multimem.st.global.u32 [%ga].unified, %r1;
multimem.st.L2::cache_hint.global.u32 [%ga], %r1, %pol;
multimem.st.global.u32 %r1, [%ga];
multimem.st.global.v2.u32 [%ga], {%r1,%r2};
multimem.st.global.v4.u32 [%ga], {%r1,%r2,%r3,%r4};
multimem.st.global.v2.f64 [%ga], {%fd1,%fd2};
multimem.st.global.v2.b64 [%ga], {%rd1,%rd2};
multimem.st.global.u32 [svar], %r1;
"""

ASYNC_OPERANDS = """
cp.async.ca.shared.global [%sa], [%ga], 1;
cp.async.ca.shared.global [%sa], [%ga], 32;
cp.async.ca.shared.global [%sa], [%ga], 0;
cp.async.ca.shared.global [%sa], [%ga], %r1;
cp.async.ca.shared.global [%sa], [%ga];
cp.async.ca.shared.global [%sa], [%ga], 4, 2;
cp.async.ca.shared.global [%sa], [%ga], 4, 4;
cp.async.ca.shared.global [%sa], [%ga], 4, 5;
cp.async.ca.shared.global [%sa], [%ga], 4, 0;
cp.async.ca.shared.global [%sa], [%ga], 4, -1;
cp.async.cg.shared.global [%sa], [%ga], 16, 17;
cp.async.cg.shared.global [%sa], [%ga], 16, 3;
cp.async.ca.shared.global [%sa], [%ga], 4, %r1;
cp.async.ca.shared.global [%sa], [%ga], 4, %rd1;
cp.async.ca.shared.global [%sa], [%ga], 4, %f1;
cp.async.ca.shared.global [%sa], [%ga], 4, %p1;
cp.async.ca.shared.global [%sa], [%ga], 4, !%p1;
cp.async.cg.shared.global [%sa], [%ga], 16, %p1;
cp.async.ca.shared.global [%sa], [%ga], 4, %r1, %p1;
cp.async.ca.shared.global.L2::cache_hint [%sa], [%ga], 4, %r1, %pol;
cp.async.ca.shared.global.L2::cache_hint [%sa], [%ga], 4, %p1, %pol;
cp.async.ca.shared.global.L2::cache_hint [%sa], [%ga], 4, 2, %pol;
cp.async.ca.shared.global.L2::cache_hint [%sa], [%ga], 4, %pol, %r1;
cp.async.ca.shared.global.L2::cache_hint [%sa], [%ga], 4;
cp.async.ca.shared.global [%sa], [%ga], 4, %pol;
cp.async.ca.shared.global [svar], [gvar], 4;
cp.async.ca.shared.global [svar+4], [gvar+4], 4;
cp.async.ca.shared.global [gvar], [gvar], 4;
cp.async.ca.shared.global [%rd1], [%ga], 4;
cp.async.shared.ca.global [%sa], [%ga], 4;
cp.async.ca.global.shared [%sa], [%ga], 4;
cp.ca.async.shared.global [%sa], [%ga], 4;
cp.async.commit_group;
cp.async.wait_group 0;
cp.async.wait_group 8;
cp.async.wait_group 100000;
cp.async.wait_group -1;
cp.async.wait_group %r1;
cp.async.wait_group;
cp.async.wait_all;
cp.async.commit_group 0;
cp.async.wait_all 0;
cp.async.mbarrier.arrive.b64 [%ge];
cp.async.mbarrier.arrive.noinc.b64 [%ge];
cp.async.mbarrier.arrive.shared.b64 [%sa];
cp.async.mbarrier.arrive.noinc.shared.b64 [%sa];
cp.async.mbarrier.arrive.shared::cta.b64 [%sa];
cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%sa];
cp.async.mbarrier.arrive.shared::cluster.b64 [%sa];
cp.async.mbarrier.arrive.shared.noinc.b64 [%sa];
cp.async.mbarrier.noinc.arrive.shared.b64 [%sa];
cp.async.mbarrier.arrive.shared [%sa];
cp.async.mbarrier.arrive.shared.b32 [%sa];
cp.async.mbarrier.arrive.shared.b64 %rd1, [%sa];
cp.async.mbarrier.arrive.shared.b64 [svar];
st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%sa], 5, [%sb];
st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%sa], 1.0, [%sb];
st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%sa], {5, %r1}, [%sb];
st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%sa], %r1, [%rd1];
st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%rd1], %r1, [%rd1];
st.async.mbarrier::complete_tx::bytes.b32 [%ge], %r1, [%ge];
st.async.mbarrier::complete_tx::bytes.b32 [%ge], %r1, [%sb];
st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%sa], %r1, %sb;
st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [svar], %r1, [svar];
st.async.b32.shared::cluster.mbarrier::complete_tx::bytes [%sa], %r1, [%sb];
st.shared::cluster.async.mbarrier::complete_tx::bytes.b32 [%sa], %r1, [%sb];
st.async.shared::cluster.mbarrier::complete_tx::bytes.L2::cache_hint.b32 [%sa], %r1, [%sb], %pol;
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%sa], 5, [%sb];
red.async.relaxed.cluster.mbarrier::complete_tx::bytes.add.u32 [%ge], %r1, [%ge];
red.relaxed.async.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%sa], 5, [%sb];
"""

BULK_OPERANDS = """
cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u32 [%ga], [%sa], %r1, %pol;
cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.L2::cache_hint.add.u32 [%sa], [%r9], %r1, [%sb], %pol;
cp.reduce.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.add.u32 [%sa], [%ga], %r1, [%sb];
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%ga], [%sa], 15;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%ga], [%sa], 16;
cp.async.bulk.prefetch.L2.global [%ga], %r1;
cp.async.bulk.prefetch.L2.global [%ga], 16;
cp.async.bulk.prefetch.L2.global [%ga], 15;
cp.async.bulk.prefetch.L2.global.L2::cache_hint [%ga], %r1, %pol;
cp.async.bulk.prefetch.L2 [%ge], %r1;
cp.async.bulk.prefetch.L1.global [%ga], %r1;
cp.async.bulk.prefetch.global [%ga], %r1;
cp.async.bulk.prefetch.L2.shared [%sa], %r1;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group 0;
cp.async.bulk.wait_group 7;
cp.async.bulk.wait_group -1;
cp.async.bulk.wait_group %r1;
cp.async.bulk.wait_group.read 0;
cp.async.bulk.read.wait_group 0;
cp.async.bulk.wait_all;
cp.async.bulk.commit_group.read;
cp.async.bulk.global.shared::cta.bulk_group [gvar], [svar], 16;
cp.async.bulk.bulk_group.global.shared::cta [%ga], [%sa], 16;
cp.async.global.bulk.shared::cta.bulk_group [%ga], [%sa], 16;
st.bulk [%ge], 8, 0;
st.bulk.weak [%ge], 8, 0;
st.bulk.shared::cta [%sa], 8, 0;
st.bulk.weak.shared::cta [%sa], 8, 0;
st.bulk.shared [%sa], 8, 0;
st.bulk.shared::cluster [%sa], 8, 0;
st.bulk.global [%ga], 8, 0;
st.bulk.weak.shared::cta [%sa], %rd1, 0;
st.bulk.weak.shared::cta [%sa], %r1, 0;
st.bulk.weak.shared::cta [%sa], 8, 1;
st.bulk.weak.shared::cta [%sa], 8, %r1;
st.bulk.weak.shared::cta [%sa], 8, %rd1;
st.bulk.weak.shared::cta [%sa], 7, 0;
st.bulk.weak.shared::cta [%sa], 0, 0;
st.bulk.weak.shared::cta [%sa], -8, 0;
st.bulk.weak.shared::cta [%sa], 8;
st.bulk.weak.shared::cta.b64 [%sa], 8, 0;
st.bulk.relaxed.shared::cta [%sa], 8, 0;
st.shared::cta.bulk [%sa], 8, 0;
st.bulk.weak.shared::cta [%sa], 16777216, 0;
st.bulk [%ge], -8, 0;
st.bulk [%ge], 16777224, 0;
cp.async.bulk.prefetch.L2.global.L2::evict_last [%ga], %r1;
cp.async.bulk.prefetch.L2.global.L2::evict_last [%ga], 15;
cp.async.bulk.prefetch.L2.global.L2::evict_normal [%ga], %r1;
cp.async.bulk.prefetch.L2.global.L2::cache_hint.L2::evict_last [%ga], %r1, %pol;
"""

SECTIONS = {
    "multimem": (multimems, ["sm_80", "sm_90", "sm_100", "sm_100a", "sm_100f", "sm_103a", "sm_110f", "sm_120", "sm_120a", "sm_121f"]),
    "async_copy": (async_copies, ["sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120"]),
    "bulk_copy": (bulk_copies, ["sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_107", "sm_107f", "sm_120"]),
    "cache": (caches, ["sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100", "sm_120"]),
    "atomic": (atomics, ["sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100", "sm_120"]),
    "address": (addresses, ["sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100", "sm_120"]),
    "load_store": (load_store, ["sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100", "sm_120"]),
}


def main():
    for name in sys.argv[1:] or SECTIONS:
        lines, targets = SECTIONS[name]
        record(f"ptx_{name}", lines(), targets)


if __name__ == "__main__":
    main()
