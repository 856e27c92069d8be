"""Makes the oracle files of control flow, synchronisation, tensor copies, textures and surfaces.

    PTXAS=... PTXAS_12=... python3 tools/xtask/py/oracle_sync.py [SECTION...]

Each function below yields the instructions of one section: the product of the modifiers an opcode could take, wrong ones
among them, and, for a form of each shape, everything that could stand in each operand position (`vary`). What is right
is for ptxas to say; the answers go to tests/oracle/ptx_SECTION.tsv.gz.
"""
import itertools
import sys

from ptxas_batch import record

# What may be tried for an operand: registers of every size and kind, constants, names, sinks.
OPERANDS = ("%h1 %r1 %rd1 %f1 %fd1 %p1 !%p1 0 1 -1 15 16 31 32 64 128 0x100000000 1.0 0f3f800000 _ svar gvar LABEL nothing "
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


SCOPES = ["", ".cta", ".cluster", ".gpu", ".sys"]
ORDERS = ["", ".relaxed", ".acquire", ".release", ".acq_rel", ".sc", ".weak"]
RESTRICT = ["", ".sync_restrict::shared::cta", ".sync_restrict::shared::cluster", ".sync_restrict::shared", ".sync_restrict::global"]
SHARED = ["", ".shared", ".shared::cta", ".shared::cluster", ".global"]


def address(space):
    return "[%sa]" if ".shared" in space else "[%ga]"


def control():
    """`f` calls need functions; what is asked here has none but what the line itself declares."""
    for opcode in ("bra", "brx.idx", "brx", "ret", "exit", "call"):
        for modifier in ("", ".uni", ".div", ".idx"):
            for operands in ("", " LABEL", " %r1", " %r1, LABEL", " 5", " _", " nothing", " svar", " LABEL, LABEL", " %rd1", " %rd1, LABEL", " %rd1, (%r1), LABEL"):
                yield f"{opcode}{modifier}{operands};"
    for index in "%r1 %rd1 %h1 %f1 %p1 1 -1 0x100000000 1.0 _ %tid.x svar LABEL {%r1} [%r1]".split():
        for uni in ("", ".uni"):
            yield "{ ts: .branchtargets LABEL; brx.idx" + f"{uni} {index}, ts; }}"
    for tail in ("brx.idx %r1, LABEL;", "brx.idx ts, %r1;", "brx.idx %r1, ts, ts;", "brx.idx %r1;", "bra ts;", "call %rd1, ts;"):
        yield "{ ts: .branchtargets LABEL; " + tail + " }"
    for guard in ("@%p1", "@!%p1", "@%r1", "@1", "@%p1 @%p2", "@-%p1", "@nothing", "@svar", "@ %p1", "@!!%p1", "@LABEL"):
        for inst in ("bra LABEL", "ret", "exit"):
            yield f"{guard} {inst};"
    proto = "{ pr: .callprototype (.param .b32 _) _ (.param .b32 _); .param .b32 a; .param .b32 r; "
    for call in ("call (r), %rd1, (a), pr;", "call.uni (r), %rd1, (a), pr;", "call (r), %r1, (a), pr;", "call (r), %h1, (a), pr;", "call (r), %fd1, (a), pr;",
                 "call %rd1, (a), pr;", "call (r), %rd1, pr;", "call (r), %rd1, (a);", "call (r), %rd1, (a), LABEL;", "call (r), 5, (a), pr;", "call (r), svar, (a), pr;",
                 "call (_), %rd1, (a), pr;", "call (r), %rd1, (5), pr;", "call (r), %rd1, (1.0), pr;", "call (r), %rd1, (0f3f800000), pr;", "call (%r1), %rd1, (%r2), pr;",
                 "call (r), %rd1, (%rd2), pr;", "call (r), %rd1, (%f2), pr;", "call (r), %rd1, (a, a), pr;", "call (r, r), %rd1, (a), pr;", "call (r), %rd1, (), pr;",
                 "call r, %rd1, (a), pr;", "call (r), %rd1, a, pr;", "call (r) %rd1, (a), pr;", "call (r), %rd1, (a), pr, pr;", "call pr, (r), %rd1, (a);",
                 "call (r), pr, (a);", "call (r), _, (a), pr;", "call (a), %rd1, (r), pr;", "call (r), %rd1, (_), pr;", "call (r), %rd1, (svar), pr;", "call (r), %rd1, ({%r1}), pr;"):
        yield proto + call + " }"


def fence():
    for form in product(["fence"], ORDERS + [".seq_cst", ".volatile"], RESTRICT, SCOPES + [".gl"]):
        yield form + ";"
    for form in product(["membar"], ["", ".cta", ".gl", ".sys", ".gpu", ".cluster", ".proxy"], ["", ".acq_rel", ".sc", ".alias", ".async", ".async.global", ".tensormap"]):
        yield form + ";"
    for form in product(["fence", "membar"], [".mbarrier_init"], ORDERS, SCOPES):
        yield form + ";"
    for form in product(["fence", "membar"], [".proxy"], ["", ".alias", ".async", ".async.global", ".async.shared::cta", ".async.shared::cluster", ".async.shared", ".tensormap",
                        ".generic", ".async.local", ".async.const"], SCOPES, ["", ".acquire", ".release"]):
        yield form + ";"
    for kind in (".tensormap::generic", ".generic::tensormap", ".async::generic", ".generic::async", ".alias::generic", ".tensormap::async"):
        for order, restrict, scope in itertools.product(ORDERS, RESTRICT, SCOPES):
            if order in ("", ".relaxed", ".sc", ".weak") and restrict:
                continue
            # Not in the manual, though ptxas takes it: see docs/deviations.md.
            if order == ".acq_rel" or (kind, order) == (".tensormap::generic", ".release") and restrict:
                continue
            for operands in ("", " [%ga], 128", " [%ga]", " 128") if not restrict else ("", " [%ga], 128"):
                yield f"fence.proxy{kind}{order}{restrict}{scope}{operands};"
    yield "fence.tensormap::generic.proxy.release.cta;"
    yield "fence.sc.gpu 0;"
    yield "fence.sc.gpu [%ga];"
    yield from vary("fence.proxy.tensormap::generic.acquire.gpu", "[%rd1]", "128")
    for a in ("[%rd1+128]", "[%rd1+4]", "[%rd1+-1]", "[%fd1]", "[%h1]", "[%q1]", "[cvar]", "[k]", "[1.0]", "[-1]", "[%rd1,%rd2]"):
        yield f"fence.proxy.tensormap::generic.acquire.gpu {a}, 128;"


def warp():
    for form in product(["vote"], ["", ".sync"], [".all", ".any", ".uni", ".ballot", ".none"], ["", ".pred", ".b32", ".u32", ".b64"]):
        for d, rest in itertools.product(("%p1", "%r1", "%rd1"), (", %p2", ", %p2, -1", ", %p2, %r5", ", !%p2, -1")):
            yield f"{form} {d}{rest};"
    yield from vary("vote.sync.any.pred", "%p1", "%p2", "%r1")
    yield from vary("vote.sync.ballot.b32", "%r1", "%p2", "-1")
    yield from vary("vote.all.pred", "%p1", "%p2")
    for form in product(["match"], ["", ".sync"], ["", ".any", ".all"], ["", ".b32", ".b64", ".u32", ".s32", ".f32", ".b16", ".b128", ".f64"]):
        for d, a in itertools.product(("%r1", "%r1|%p1", "_|%p1", "%rd1"), ("%r2", "%rd2", "5")):
            yield f"{form} {d}, {a}, -1;"
    yield from vary("match.any.sync.b32", "%r1", "%r2", "-1")
    yield from vary("match.all.sync.b32", "%r1|%p1", "%r2", "%r3")
    yield from vary("match.any.sync.b64", "%r1", "%rd2", "-1")
    for form in product(["activemask"], ["", ".b32", ".u32", ".s32", ".b64"], ["", ".sync"], [" %r1", " %rd1", ""]):
        yield form + ";"
    yield from vary("activemask.b32", "%r1")
    for form in product(["redux"], ["", ".sync"], ["", ".add", ".min", ".max", ".and", ".or", ".xor", ".inc"], ["", ".abs", ".NaN", ".abs.NaN", ".ftz"],
                        [".s32 %r1, %r2", ".u32 %r1, %r2", ".b32 %r1, %r2", ".f32 %f1, %f2", ".u64 %rd1, %rd2", ".b64 %rd1, %rd2", ".f16x2 %r1, %r2", ".f64 %fd1, %fd2", " %r1, %r2"]):
        yield f"{form}, -1;"
    for mnemonic, d, a in (("add.s32", "%r1", "%r2"), ("and.b32", "%r1", "%r2"), ("max.NaN.f32", "%f1", "%f2")):
        yield from vary("redux.sync." + mnemonic, d, a, "%r3")
    yield "redux.sync.add.u32.s32 %r1, %r2, -1;"
    for form in product(["elect"], ["", ".sync"], ["", ".b32", ".pred", ".aligned"], [" %r1|%p1", " _|%p1", " %p1", " %r1"], [", -1", ", %r5", ""]):
        yield form + ";"
    for value in ("%rd1|%p1", "%r1|_", "_|_", "%r1|%r2", "%p1|%p1", "%h1|%p1", "%f1|%p1", "{%r1}|%p1", "%r1|!%p1", "1|%p1", "_"):
        yield f"elect.sync {value}, -1;"
        yield f"match.all.sync.b32 {value}, %r2, -1;"
    yield from vary("elect.sync", "_|%p1", "-1")


def mbarrier():
    for space in SHARED:
        a = address(space)
        for form in product(["mbarrier"], [".init", ".inval", ".pending_count", ".invalidate"], [space], ["", ".b64", ".b32"]):
            for operands in (a, f"{a}, 1", f"{a}, %r1", "%r1, %rd2", f"%r1, {a}"):
                yield f"{form} {operands};"
        for op, tx, order, scope in itertools.product((".arrive", ".arrive_drop"), ("", ".noComplete", ".expect_tx", ".complete_tx"), ORDERS, SCOPES):
            if (order in (".sc", ".weak", ".acq_rel", ".acquire") or scope in (".gpu", ".sys")) and (op == ".arrive_drop" or tx):
                continue
            for d, count in itertools.product(("%rd1", "_"), ("", ", 2", ", %r2")):
                yield f"mbarrier{op}{tx}{order}{scope}{space}.b64 {d}, {a}{count};"
        for op, parity, order, scope in itertools.product((".test_wait", ".try_wait"), ("", ".parity"), ORDERS, SCOPES):
            for state in ("%rd2", "%r2", "%rd2, %r3", "%r2, 100"):
                yield f"mbarrier{op}{parity}{order}{scope}{space}.b64 %p1, {a}, {state};"
        for op, order, scope in itertools.product((".expect_tx", ".complete_tx"), ORDERS, SCOPES):
            yield f"mbarrier{op}{order}{scope}{space}.b64 {a}, 16;"
            yield f"mbarrier{op}{order}{scope}{space}.b64 {a};"
    yield "mbarrier.arrive.shared::cta.expect_tx.b64 %rd1, [%sa], %r2;"
    yield "mbarrier.arrive.shared.noComplete.b64 %rd1, [%sa], 2;"
    yield "mbarrier.test_wait.shared.parity.b64 %p1, [%sa], %r2;"
    yield "mbarrier.shared.test_wait.b64 %p1, [%sa], %rd2;"
    yield "mbarrier.test_wait.b64.shared %p1, [%sa], %rd2;"
    yield "mbarrier.try_wait.b64.cta.shared.acquire.parity %p1, [%sa], %r2;"
    yield from vary("mbarrier.init.shared.b64", "[%sa]", "%r1")
    yield from vary("mbarrier.inval.shared.b64", "[%sa]")
    yield from vary("mbarrier.arrive.b64", "%rd1", "[%ga]")
    yield from vary("mbarrier.arrive.shared.b64", "%rd1", "[%sa]", "%r1")
    yield from vary("mbarrier.arrive.noComplete.shared.b64", "%rd1", "[%sa]", "%r1")
    yield from vary("mbarrier.arrive.expect_tx.shared::cluster.b64", "_", "[%sa]", "%r1")
    yield from vary("mbarrier.arrive.shared::cluster.b64", "_", "[%sa]", "%r1")
    yield from vary("mbarrier.test_wait.shared.b64", "%p1", "[%sa]", "%rd2")
    yield from vary("mbarrier.test_wait.parity.shared.b64", "%p1", "[%sa]", "%r2")
    yield from vary("mbarrier.try_wait.shared.b64", "%p1", "[%sa]", "%rd2", "%r3")
    yield from vary("mbarrier.try_wait.parity.shared::cta.b64", "%p1", "[%sa]", "%r2", "%r3")
    yield from vary("mbarrier.expect_tx.shared::cta.b64", "[%sa]", "%r3")
    yield from vary("mbarrier.pending_count.b64", "%r1", "%rd1")
    for a in ("[%sa+8]", "[%sa+4]", "[%sa+1]", "[svar+1]", "[svar+8]", "[%h1]", "[%f1]", "[%fd1]", "[1]", "[8]", "[gvar]", "[cvar]", "[%p1]", "[k]"):
        yield f"mbarrier.arrive.shared.b64 %rd1, {a};"
        yield f"mbarrier.arrive.b64 %rd1, {a};"
        yield f"mbarrier.arrive.shared::cluster.b64 _, {a};"


def coordinates(n, register="%r"):
    return "{" + ",".join(f"{register}{i}" for i in range(1, n + 1)) + "}"


BYTES = ".mbarrier::complete_tx::bytes"
MODES = ["", ".tile", ".tile::gather4", ".tile::scatter4", ".im2col", ".im2col::w", ".im2col::w::128", ".im2col_no_offs"]


def tensor_copy():
    # Every mode, dimension and number of coordinates.
    for mode, dim, more, info in itertools.product(MODES, range(1, 7), (-1, 0, 1, 3), range(5)):
        if info > 1 and more:
            continue
        at = f"[%rd1, {coordinates(max(dim + more, 1))}]"
        tail = ", " + coordinates(info, "%h") if info else ""
        yield f"cp.async.bulk.tensor.{dim}d.shared::cta.global{mode}{BYTES} [%sa], {at}, [%sb]{tail};"
        yield f"cp.async.bulk.tensor.{dim}d.shared::cluster.global{mode}{BYTES} [%sa], {at}, [%sb]{tail};"
        yield f"cp.async.bulk.prefetch.tensor.{dim}d.L2.global{mode} {at}{tail};"
        if info < 2:
            yield f"cp.async.bulk.tensor.{dim}d.global.shared::cta{mode}.bulk_group {at}, [%sa]{tail};"
            yield f"cp.reduce.async.bulk.tensor.{dim}d.global.shared::cta.add{mode}.bulk_group {at}, [%sa]{tail};"
    # Every other modifier, with what could follow.
    for mode, dim, info in ((".tile", 2, ""), ("", 1, ""), (".im2col", 3, "{%h1}"), (".im2col::w", 4, "{%h1,%h2}"), (".im2col::w::128", 4, "{%h1,%h2}"), (".tile::gather4", 2, "")):
        at = f"[%rd1, {coordinates(5 if 'gather' in mode else dim)}]"
        for space, multicast, group, hint in itertools.product((".shared::cta", ".shared::cluster"), ("", ".multicast::cluster", ".multicast::cta"),
                                                               ("", ".cta_group::1", ".cta_group::2", ".cta_group::4"), ("", ".L2::cache_hint")):
            for tail in itertools.product(*(("", ", " + t) for t in (info, "%h9", "%pol") if t)):
                yield f"cp.async.bulk.tensor.{dim}d{space}.global{mode}{BYTES}{multicast}{group}{hint} [%sa], {at}, [%sb]{''.join(tail)};"
        for hint, tail in itertools.product(("", ".L2::cache_hint", ".multicast::cluster"), ("", ", %pol", f", {info or '{%h1}'}", f", {info or '{%h1}'}, %pol")):
            for level in (".L2", "", ".L1"):
                yield f"cp.async.bulk.prefetch.tensor.{dim}d{level}.global{mode}{hint} {at}{tail};"
    for op, ty, mode, hint, tail in itertools.product(("", ".add", ".min", ".max", ".inc", ".dec", ".and", ".or", ".xor", ".exch"), ("", ".u32"),
                                                      (".tile", "", ".im2col_no_offs", ".tile::scatter4"), ("", ".L2::cache_hint", ".multicast::cluster"), ("", ", %pol", ", %h1")):
        if ty and (hint or tail):
            continue
        dim, at = (2, coordinates(5)) if "scatter" in mode else (3, coordinates(3))
        yield f"cp.reduce.async.bulk.tensor.{dim}d.global.shared::cta{op}{mode}.bulk_group{hint}{ty} [%rd1, {at}], [%sa]{tail};"
        if op in ("", ".add"):
            yield f"cp.async.bulk.tensor.{dim}d.global.shared::cta{op}{mode}.bulk_group{hint}{ty} [%rd1, {at}], [%sa]{tail};"
    spaces = (".shared::cta", ".shared::cluster", ".global", ".shared", "")
    for to, source, done in itertools.product(spaces, spaces, ("", ".bulk_group", BYTES)):
        yield f"cp.async.bulk.tensor.1d{to}{source}.tile{done} [%sa], [%rd1, {{%r1}}], [%sb];"
        yield f"cp.async.bulk.tensor.1d{to}{source}.tile{done} [%rd1, {{%r1}}], [%sa];"
        yield f"cp.reduce.async.bulk.tensor.1d{to}{source}.add.tile{done} [%rd1, {{%r1}}], [%sa];"
    yield f"cp.async.bulk.tensor{BYTES}.tile.shared::cta.1d.global [%sa], [%rd1, {{%r1}}], [%sb];"
    yield f"cp.async.bulk.1d.tensor.shared::cta.global.tile{BYTES} [%sa], [%rd1, {{%r1}}], [%sb];"
    # Operands. (ptxas also takes addresses without brackets, floating-point numbers among them.)
    plain = [o for o in OPERANDS if o[0] == "["] + "_ LABEL nothing %r1|%p1".split()
    groups = ("[%rd1,{%r1}] [%rd1,{%rd1}] [%rd1,{%h1}] [%rd1,{%f1}] [%rd1,{0}] [%rd1,{-1}] [%rd1,{1.0}] [%rd1,%r1] [%rd1,0] [%rd1,{%r1,%r2}] [%rd1,{_}] [gvar,{%r1}] [svar,{%r1}] "
              "[cvar,{%r1}] [p0,{%r1}] [nothing,{%r1}] [%rd1,{nothing}] [%rd1+64,{%r1}] [gvar+64,{%r1}] [4,{%r1}] [%rd1,{%p1}] [%rd1]").split()
    masks = "%h1 0 1 -1 65535 65536 WARP_SZ %r1 %rd1 %f1 %p1 1.0 _ {%h1} svar nothing".split()
    load = f"cp.async.bulk.tensor.1d.shared::cluster.global.tile{BYTES}.multicast::cluster.L2::cache_hint"
    for value in plain:
        yield f"{load} {value}, [%rd1,{{%r1}}], [%sb], %h1, %pol;"
        yield f"{load} [%sa], [%rd1,{{%r1}}], {value}, %h1, %pol;"
        yield f"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1,{{%r1}}], {value};"
    for value in groups:
        yield f"{load} [%sa], {value}, [%sb], %h1, %pol;"
        yield f"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group {value}, [%sa];"
        yield f"cp.async.bulk.prefetch.tensor.1d.L2.global {value};"
    for value in masks:
        yield f"{load} [%sa], [%rd1,{{%r1}}], [%sb], {value}, %pol;"
        yield f"cp.async.bulk.tensor.3d.shared::cta.global.im2col{BYTES} [%sa], [%rd1,{{%r1,%r2,%r3}}], [%sb], {{{value}}};"
    for value in OPERANDS:
        yield f"{load} [%sa], [%rd1,{{%r1}}], [%sb], %h1, {value};"
    # Maps.
    fields = "global_address rank box_dim global_dim global_stride element_stride elemtype interleave_layout swizzle_mode swizzle_atomicity fill_mode oob".split()
    for field, ty, mode, space in itertools.product(fields, ("b32", "b64"), (".tile", ".im2col", ""), ("", ".global", ".shared::cta", ".shared", ".shared::cluster")):
        if mode != ".tile" and space:
            continue
        a, r = address(space), "%r2" if ty == "b32" else "%rd2"
        for operands in (f"{a}, {r}", f"{a}, 1", f"{a}, 1, {r}", f"{a}, 1, 1", f"{a}, {r}, {r}", a):
            yield f"tensormap.replace{mode}.{field}{space}.b1024.{ty} {operands};"
    for value in (*range(-1, 18), 1 << 32):
        for field in fields:
            yield f"tensormap.replace.tile.{field}.global.b1024.b32 [%ga], {value};"
            yield f"tensormap.replace.tile.{field}.global.b1024.b32 [%ga], {value}, 1;"
    yield from vary("tensormap.replace.tile.global_address.global.b1024.b64", "[%ga]", "%rd2")
    yield from vary("tensormap.replace.tile.box_dim.shared::cta.b1024.b32", "[%sa]", "1", "%r2")
    yield from vary("tensormap.replace.tile.elemtype.b1024.b32", "[%rd1]", "1")
    for spaces, scope, aligned in itertools.product((".global.shared::cta", ".global.shared", ".shared::cta.global", ""), SCOPES, (".sync.aligned", ".sync", ".aligned", "")):
        yield f"tensormap.cp_fenceproxy{spaces}.tensormap::generic.release{scope}{aligned} [%ga], [%sa], 128;"
    for order, kind in itertools.product(ORDERS, (".tensormap::generic", ".generic::tensormap", "")):
        yield f"tensormap.cp_fenceproxy.global.shared::cta{kind}{order}.gpu.sync.aligned [%ga], [%sa], 128;"
    yield from vary("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned", "[%ga]", "[%sa]", "128")
    # Launches.
    for space, done, multicast, ty in itertools.product(("", ".shared::cta", ".shared::cluster", ".shared"), ("", BYTES), ("", ".multicast::cluster::all", ".multicast::cluster"), ("", ".b128", ".b64")):
        yield f"clusterlaunchcontrol.try_cancel.async{space}{done}{multicast}{ty} {'[%sa], [%sb]' if space else '[%ga], [%ge]'};"
    yield f"clusterlaunchcontrol.try_cancel{BYTES}.b128 [%ga], [%ge];"
    yield from vary(f"clusterlaunchcontrol.try_cancel.async.shared::cta{BYTES}.b128", "[%sa]", "[%sb]")
    for query, ty, operands in itertools.product((".is_canceled", ".get_first_ctaid", ".get_first_ctaid::x", ".get_first_ctaid::y", ".get_first_ctaid::z", ".get_first_ctaid::w"),
                                                 (".pred.b128", ".b128", ".b32.b128", ".v4.b32.b128", ".v4.u32.b128", ".v3.b32.b128", ".b32.b64"),
                                                 ("%p1, %q1", "%r1, %q1", "{%r1,%r2,%r3,%r4}, %q1", "{%r1,_,_,_}, %q1", "{%f1,%f2,%f3,%f4}, %q1", "{%r1,%r2}, %q1", "_, %q1", "%r1, %rd1", "%r1, 1", "%p1, 1")):
        yield f"clusterlaunchcontrol.query_cancel{query}{ty} {operands};"


GEOMETRIES = {"1d": "{%f1}", "2d": "{%f1,%f2}", "3d": "{%f1,%f2,%f3,%f4}", "a1d": "{%r1,%f1}", "a2d": "{%r1,%f1,%f2,%f3}", "cube": "{%f1,%f2,%f3,%f4}",
              "acube": "{%r1,%f1,%f2,%f3}", "2dms": "{%r1,%r2,%r3,%r4}", "a2dms": "{%r1,%r2,%r3,%r4}", "a3d": "{%r1,%f1,%f2,%f3}"}
RESULTS = {"u32": "{%r20,%r21,%r22,%r23}", "s32": "{%r20,%r21,%r22,%r23}", "f32": "{%f20,%f21,%f22,%f23}", "f16": "{%h20,%h21,%h22,%h23}", "f16x2": "{%r20,%r21}",
           "b32": "{%r20,%r21,%r22,%r23}", "u64": "{%rd20,%rd21,%rd22,%rd23}", "bf16x2": "{%r20,%r21}", "u16": "{%h20,%h21,%h22,%h23}"}


def texture():
    """Left out, since ptxas takes them though the manual does not: a single register for the coordinates of more than one dimension or for
    offsets, gradients of cubes with fewer than four elements, the query for the memory layout."""
    result = RESULTS["s32"]
    for level, geometry in itertools.product(("", ".base", ".level", ".grad", ".lod"), GEOMETRIES):
        at = GEOMETRIES[geometry]
        more = {".level": ", %f10", ".lod": ", %f10"}.get(level, "")
        # Every type.
        for vector, dtype, ctype in itertools.product((".v4", ".v2", ""), RESULTS, ("f32", "s32", "u32")):
            c = at.replace("%f", "%r1") if ctype != "f32" else at
            gradient = ", {%f10,%f11}, {%f10,%f11}" if level == ".grad" and geometry in ("2d", "a2d") else ""
            yield f"tex{level}.{geometry}{vector}.{dtype}.{ctype} {RESULTS[dtype]}, [tref, {c}]{more.replace('%f10', '%r10') if ctype != 'f32' else more}{gradient};"
        # Every number of coordinates, as integers and floating-point numbers, with and without a sampler.
        ctype = "s32" if "ms" in geometry else "f32"
        for n, kinds, sampler in itertools.product((1, 2, 3, 4, 5), ("ff", "rr", "rf", "fr"), ("", "tref, ", "%rd2, ") if level in ("", ".base") else ("",)):
            c = "{" + ",".join("%" + (kinds[0] if i == 0 else kinds[1]) + str(i + 1) for i in range(n)) + "}"
            for ctype in ("s32", "f32"):
                yield f"tex{level}.{geometry}.v4.s32.{ctype} {result}, [tref, {sampler}{c}]{more.replace('%f10', '%r10') if ctype == 's32' else more};"
        # Offsets, depths, gradients, residency.
        ctype = "s32" if "ms" in geometry else "f32"
        gradients = [f", {g}, {g}" for g in ("{%f10}", "{%f10,%f11}", "{%f10,%f11,%f12,%f13}", "%f10")] if level == ".grad" else [""]
        for offset, depth, p, gradient in itertools.product(("", ", {%r5}", ", {%r5,%r6}", ", {%r5,%r6,%r7}", ", {%r5,%r6,%r7,%r8}"), ("", ", %f9"), ("", "|%p1"), gradients):
            if "cube" in geometry and gradient and gradient.count("%") < 8:
                continue
            yield f"tex{level}.{geometry}.v4.s32.{ctype} {result}{p}, [tref, {at}]{more}{gradient}{offset}{depth};"
    # Operands.
    form = "tex.2d.v4.f32.f32"
    for d in ("{%f20,%f21,%f22,%f23}", "{%r20,%r21,%r22,%r23}", "{%f20,_,_,_}", "{_,_,_,_}", "{%f20,%f21}", "{%f20,%f21,%f22,%f23}|%p1", "{%f20,%f21,%f22,%f23}|_", "{%f20,%f21,%f22,%f23}|%r1",
              "%f20", "_", "{%rd20,%rd21,%rd22,%rd23}", "{%f20,%f21,%f22,1.0}", "{%f20,%f21,%f22,%r23}", "[%rd1]"):
        yield f"{form} {d}, [tref, {{%f1,%f2}}];"
    for a in ("tref", "%rd1", "%r1", "%fd1", "sref", "gvar", "svar", "5", "nothing", "_", "k", "%h1", "p0"):
        yield f"{form} {RESULTS['f32']}, [{a}, {{%f1,%f2}}];"
        if a != "sref":
            yield f"{form} {RESULTS['f32']}, [tref, {a}, {{%f1,%f2}}];"
        yield f"txq.width.b32 %r1, [{a}];"
        yield f"txq.filter_mode.b32 %r1, [{a}];"
        yield f"istypep.texref %p1, {a};"
    for c in ("{1.0,2.0}", "{%f1,2.0}", "{%f1,2}", "{%f1,0f3f800000}", "{%f1,_}", "{%f1,%rd1}", "{%f1,%h1}", "{%f1,%p1}", "{%f1,nothing}", "{%f1,%tid.x}", "[%f1]"):
        yield f"{form} {RESULTS['f32']}, [tref, {c}];"
        yield f"tex.2d.v4.f32.s32 {RESULTS['f32']}, [tref, {c.replace('%f1', '%r1')}];"
        yield f"{form} {RESULTS['f32']}, [tref, {{%f1,%f2}}], {c};"
        yield f"{form} {RESULTS['f32']}, [tref, {{%f1,%f2}}], {c.replace('%f1', '%r1')};"
    for f in ("1.0", "0f3f800000", "%f1", "%r1", "%fd1", "%h1", "%p1", "nothing", "_", "%tid.x", "svar"):
        yield f"{form} {RESULTS['f32']}, [tref, {{%f1,%f2}}], {f};"
        yield f"tex.level.2d.v4.f32.f32 {RESULTS['f32']}, [tref, {{%f1,%f2}}], {f};"
        yield f"tex.level.2d.v4.f32.s32 {RESULTS['f32']}, [tref, {{%r1,%r2}}], {f};"
        yield f"tex.level.2d.v4.f32.f32 {RESULTS['f32']}, [tref, {{%f1,%f2}}], %f3, {f};"
    for text in ("tex.2d.f32.v4.f32", "tex.v4.2d.f32.f32", "tex.2d.base.v4.f32.f32", "tex.2d.2d.v4.f32.f32", "tex.2d.v4.f32", "tex.v4.f32.f32", "tex.2d.f32.f32.v4", "tex.2d.v8.f32.f32"):
        yield f"{text} {RESULTS['f32']}, [tref, {{%f1,%f2}}];"
    for tail in ("[tref]", "tref, {%f1,%f2}", "[tref, {%f1,%f2}], {%r1,%r2}, %f1, %f2", "[tref, %rd1, %rd1, {%f1,%f2}]", "[{%f1,%f2}, tref]"):
        yield f"{form} {RESULTS['f32']}, {tail};"
    # Gathering.
    for component, geometry, dtype, ctype in itertools.product((".r", ".g", ".b", ".a", ".x", ""), GEOMETRIES, ("u32", "s32", "f32", "f16", "f16x2"), ("f32", "s32")):
        if component not in (".r", ".g") and geometry not in ("2d", "cube"):
            continue
        c = GEOMETRIES[geometry].replace("%f", "%r1") if ctype == "s32" else GEOMETRIES[geometry]
        yield f"tld4{component}.{geometry}.{'v2' if dtype == 'f16x2' else 'v4'}.{dtype}.{ctype} {RESULTS[dtype]}, [tref, {c}];"
        if component == ".r" and dtype == "f32" and ctype == "f32":
            for tail, p, sampler in itertools.product(("", ", {%r1}", ", {%r1,%r2}", ", {%r1,%r2,%r3,%r4}", ", %f9", ", {%r1,%r2}, %f9"), ("", "|%p1"), ("", "%rd2, ")):
                yield f"tld4.r.{geometry}.v4.f32.f32 {RESULTS['f32']}{p}, [tref, {sampler}{c}]{tail};"
    # Queries.
    for query in ("width height depth channel_data_type channel_order normalized_coords array_size num_mipmap_levels num_samples force_unnormalized_coords filter_mode "
                  "addr_mode_0 addr_mode_1 addr_mode_2 addr_mode_3").split():
        for a, ty in itertools.product(("[tref]", "[sref]", "[%rd1]"), ("b32", "u32", "b64")):
            yield f"txq.{query}.{ty} %r1, {a};"
            yield f"txq.level.{query}.{ty} %r1, {a}, %r2;"
    for tail in ("%f1, [tref]", "%rd1, [tref]", "_, [tref]", "%r1, [tref+4]", "%r1, tref", "%r1, [tref], 1", "%r1", "%p1, [tref]", "%r1, [tref, {%r1}]"):
        yield f"txq.width.b32 {tail};"
    for lod in ("1", "%f1", "%rd1", "%h1", "1.0", "_", "%tid.x", "-1"):
        yield f"txq.level.width.b32 %r1, [tref], {lod};"
    yield "txq.width.level.b32 %r1, [tref], %r2;"
    for ty, p, a in itertools.product(("texref", "samplerref", "surfref", "u64"), ("%p1", "%r1", "_"), ("%rd1", "%r1", "%fd1", "[tref]", "5", "_", "%p1")):
        yield f"istypep.{ty} {p}, {a};"


def texture_independent():
    """The forms with and without a sampler, where samplers are apart. (There is no variable of that type in the common declarations.)"""
    for level, geometry in itertools.product(("", ".base", ".level"), GEOMETRIES):
        at, ctype = GEOMETRIES[geometry], "s32" if "ms" in geometry else "f32"
        for a, b, tail in itertools.product(("tref", "%rd1"), ("", "tref, ", "sref, ", "%rd2, ", "%r2, "), ("", ", {%r1,%r2}")):
            yield f"tex{level}.{geometry}.v4.f32.{ctype} {RESULTS['f32']}, [{a}, {b}{at}]{', %f9' if level == '.level' else ''}{tail};"
            if not level:
                yield f"tld4.r.{geometry}.v4.f32.f32 {RESULTS['f32']}, [{a}, {b}{at}]{tail};"
    for query in ("width height depth channel_data_type channel_order normalized_coords array_size num_mipmap_levels num_samples force_unnormalized_coords filter_mode "
                  "addr_mode_0 addr_mode_1 addr_mode_2").split():
        for a in ("[tref]", "[sref]", "[%rd1]"):
            yield f"txq.{query}.b32 %r1, {a};"
    for ty in ("texref", "samplerref", "surfref"):
        yield f"istypep.{ty} %p1, %rd1;"


def surface():
    """Left out, since ptxas takes them though they make no sense: a single register for the coordinates of more than one dimension, braces round a
    single result."""
    registers = {"b8": "%h", "b16": "%h", "b32": "%r", "b64": "%rd", "u32": "%r", "s32": "%r", "f32": "%f", "u64": "%rd", "s64": "%rd", "u8": "%h", "f16": "%h", "f64": "%fd", "b128": "%q"}
    places = {"1d": "{%r1}", "2d": "{%r1,%r2}", "3d": "{%r1,%r2,%r3,%r4}", "a1d": "{%r1,%r2}", "a2d": "{%r1,%r2,%r3,%r4}", "cube": "{%r1,%r2,%r3,%r4}", "2dms": "{%r1,%r2,%r3,%r4}"}

    def access(mnemonic, place, value):
        return f"{mnemonic} {value}, [sref, {place}];" if mnemonic.startswith("suld") else f"{mnemonic} [sref, {place}], {value};"

    for opcode in ("suld.b", "sust.b", "sust.p", "suld.p", "suld", "sust"):
        for n, ty in itertools.product((1, 2, 4, 8), registers):
            value = coordinates(n, registers[ty] + "2") if n > 1 else registers[ty] + "20"
            yield access(f"{opcode}.1d{f'.v{n}' if n > 1 else ''}.{ty}.trap", "{%r1}", value)
        for geometry, clamp in itertools.product(places, ("", ".trap", ".clamp", ".zero", ".wrap")):
            yield access(f"{opcode}.{geometry}.b32{clamp}", places[geometry], "%r20")
        for geometry, cache in itertools.product(("1d", "a2d"), "ca cg cs cv wb wt lu".split()):
            yield access(f"{opcode}.{geometry}.{cache}.b32.trap", places[geometry], "%r20")
        for geometry, place in itertools.product(places, ("{%r1}", "{%r1,%r2}", "{%r1,%r2,%r3}", "{%r1,%r2,%r3,%r4}", "{%f1}", "{%f1,%f2}", "{%rd1}", "{1}", "{1,2}", "{1,2,3,4}", "{%r1,_}", "{%r1,%tid.x}")):
            yield access(f"{opcode}.{geometry}.b32.trap", place, "%r20")
        yield access(f"{opcode}.1d.b32.trap", "%r1", "%r20")
        yield access(f"{opcode}.1d.b32.trap", "%f1", "%r20")
        for ty, value in itertools.product(("b8", "b32", "b64"), "%h1 %r1 %rd1 %f1 %fd1 %p1 5 -1 1.0 0f3f800000 _ svar nothing %tid.x".split()):
            yield access(f"{opcode}.1d.{ty}.trap", "{%r1}", value)
        for value in ("{%r1,_}", "{_,_}", "{%rd1,%rd2}", "{%h1,%h2}", "{%r1,5}", "{1,2}", "{%f1,%f2}", "{%r1,%f1}", "{%r1,%rd1}", "{%r1,%r2,%r3}"):
            yield access(f"{opcode}.1d.v2.b32.trap", "{%r1}", value)
    for a in ("%rd1", "%r1", "%fd1", "tref", "gvar", "5", "nothing", "_", "sref+4"):
        yield f"suld.b.1d.b32.trap %r1, [{a}, {{%r1}}];"
        yield f"sust.b.1d.b32.trap [{a}, {{%r1}}], %r1;"
        yield f"sured.b.add.1d.u32.trap [{a}, {{%r1}}], %r1;"
        yield f"suq.width.b32 %r1, [{a}];"
    for kind, op, ty in itertools.product((".b", ".p", ""), ("add", "min", "max", "and", "or", "xor", "inc", "exch"), ("u32", "s32", "b32", "u64", "s64", "b64", "f32")):
        yield f"sured{kind}.{op}.1d.{ty}.trap [sref, {{%r1}}], {registers.get(ty, '%rd')}20;"
    for kind, geometry, clamp, ty in itertools.product((".b", ".p"), places, ("", ".trap", ".clamp", ".zero", ".wrap"), ("b32", "u32")):
        yield f"sured{kind}.add.{geometry}.{ty}{clamp} [sref, {places[geometry]}], %r20;"
    for value in "%h1 %r1 %rd1 %f1 %fd1 %p1 5 -1 1.0 0f3f800000 _ svar {%r1,%r2} nothing".split():
        yield f"sured.b.add.1d.u32.trap [sref, {{%r1}}], {value};"
        yield f"sured.b.and.1d.b32.trap [sref, {{%r1}}], {value};"
        yield f"sured.p.min.1d.b64.trap [sref, {{%r1}}], {value};"
    for text in ("suld.1d.b.b32.trap", "suld.b.b32.1d.trap", "suld.b.trap.1d.b32", "suld.b.1d.b32.trap.trap", "suld.b.1d.2d.b32.trap", "suld.b.1d.b32.v2.trap"):
        yield f"{text} %r1, [sref, {{%r1}}];"
    yield "suld.b.1d.b32.trap %r1, [sref, {%r1}], %pol;"
    yield "suld.b.1d.b32.trap %r1, [sref];"
    for query in "width height depth channel_data_type channel_order normalized_coords array_size memory_layout num_samples".split():
        for a, ty in itertools.product(("[tref]", "[sref]", "[%rd1]"), ("b32", "u32", "b64")):
            yield f"suq.{query}.{ty} %r1, {a};"
    for d in ("%f1", "%rd1", "_", "%p1"):
        yield f"suq.width.b32 {d}, [sref];"


SECTIONS = {
    "control": (control, ["sm_60", "sm_75", "sm_90"]),
    "barrier": (barrier, OLD + PLAIN),
    # ptxas 12.9 takes one-way fences on sm_70 at any version, which 13.4 does not on sm_75: ask about sm_60 only.
    "fence": (fence, ["sm_60"] + PLAIN),
    "warp": (warp, OLD + PLAIN + ["sm_90a", "sm_100", "sm_100f", "sm_103a", "sm_110a", "sm_120a"]),
    "mbarrier": (mbarrier, ["sm_70"] + PLAIN),
    "tensor_copy": (tensor_copy, ["sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_103a", "sm_110f", "sm_120", "sm_120a", "sm_121f"]),
    "texture": (texture, ["sm_60", "sm_75", "sm_90", "sm_100a"]),
    "texture_independent": (texture_independent, ["sm_60,texmode_independent", "sm_90,texmode_independent"]),
    "surface": (surface, ["sm_60", "sm_75", "sm_90", "sm_100a"]),
}


def main():
    for name in sys.argv[1:] or SECTIONS:
        generate, targets = SECTIONS[name]
        record("ptx_" + name, generate(), targets)


if __name__ == "__main__":
    main()
