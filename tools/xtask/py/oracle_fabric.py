"""Records ptxas's verdicts on what came with PTX 9.3 and 9.4 (tests/oracle/ptx_fabric.tsv.gz).

Requests to a fabric; tensor maps with parts replaced, reports and wide masks in bulk and tensor copies; layouts, phases
and multicast of barriers; the fences, prefetches and priorities of the same age. Environment: see ptxas_batch.py.
"""
from itertools import product

from ptxas_batch import record, thin

TARGETS = ["sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103f", "sm_107", "sm_107f", "sm_107a", "sm_110a", "sm_120", "sm_120a"]
TYPES = "b32 b64 b128 u32 s32 u64 s64 f16 bf16 f16x2 bf16x2 f32 f64 b16".split()
OPERATIONS = "and or xor add min max inc exch cas".split()
PUSH = "shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric"
PULL = "shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric"
REPORTS = ["", "disabled", "validity::per_16bytes::80000000", "validity::per_16bytes::8000", "validity::per_16bytes::80",
           "validity::per_16bytes::8", "validity::per_element::ff", "validity::per_element::80", "fabric"]
REPORTS = [f".mbarrier::report::{r}" if r else "" for r in REPORTS]
MASKS = [("", ""), (".multicast::cluster", ", %h9"), (".multicast::cluster::32b", ", %r9")]
HINTS = [("", ""), (".L2::cache_hint", ", %rd9")]


def vector(prefix, count, first):
    return "{" + ", ".join(f"%{prefix}{first + i}" for i in range(count)) + "}"


def overrides(n):
    """Modifiers and the operands between the map and the coordinates."""
    dims, strides = vector("h", n, 1), vector("r", max(n - 1, 1), 20)
    address = ".override::global_address"
    return [("", ""), (address, "%rd2, "), (address + ".override::global_dim", f"%rd2, {dims}, "),
            (address + ".override::global_dim_stride", f"%rd2, {dims}, {strides}, %h9, "),
            (".override::global_dim", f"{dims}, ")]


def requests():
    for op, ty in product(OPERATIONS, TYPES):
        yield f"fabric.try_atom.async.{PUSH}.relaxed.sys.{op}.{ty} [%r1, %rd2], [%r3], [%r4], [%r5];"
        yield f"fabric.try_red.async.{PUSH}.relaxed.sys.{op}.{ty} [%r1, %rd2], [%r3], %r4, [%r5];"
        for acc in ["", ".acc::f32"]:
            yield f"fabric.try_pullred.async.multimem.{PULL}.relaxed.sys.{op}{acc}.{ty}.sync [%r1], [%r2, %rd3], %r4, [%r5], %r9;"
    for order, multimem, (mask, m), (counted, c), (hint, h) in product(
            ["", ".relaxed", ".sys", ".relaxed.sys", ".relaxed.gpu", ".release.sys"], ["", ".multimem"],
            [("", ""), (".cp_mask", ", %h9")], [("", ""), (".counted::bytes", ", %rd8")], HINTS):
        rest = f"{mask}{counted}{hint}{order}"
        yield f"fabric.try_put.async{multimem}.{PUSH}{rest}.b128 [%r1, %rd2{c}], [%r3], %r4, [%r5]{m}{h};"
        yield f"fabric.try_get.async{multimem}.{PULL}{rest}.b128 [%r1], [%r2, %rd3{c}], %r4, [%r5]{m}{h};"
        yield f"fabric.try_red.async{multimem}.{PUSH}{rest}.and.b32 [%r1, %rd2{c}], [%r3], %r4, [%r5]{m}{h};"
        yield f"fabric.try_atom.async{multimem}.{PUSH}{rest}.and.b32 [%r1, %rd2{c}], [%r3], [%r4], [%r5]{m}{h};"
        yield f"fabric.try_pullred.async{multimem}.{PULL}{rest}.and.b32.sync [%r1], [%r2, %rd3{c}], %r4, [%r5], %r9{m}{h};"
    for n, tile, multimem, (hint, h) in product(range(1, 6), ["", ".tile", ".im2col"], ["", ".multimem"], HINTS):
        for (modifiers, operands), order in product(overrides(n), [".relaxed.sys", ".sys", ".relaxed"]):
            coordinates = vector("r", n, 30)
            yield (f"fabric.try_put.async.tensor{multimem}.{n}d{'.' + PUSH}{tile}{hint}{modifiers}{order}.b128 "
                   f"[%rd1, %r2, {operands}{coordinates}], [%r3], %r4, [%r5]{h};")
            yield (f"fabric.try_get.async.tensor{multimem}.{n}d{'.' + PULL}{tile}{hint}{modifiers}{order}.b128 "
                   f"[%r8], [%rd1, %r2, {operands}{coordinates}], [%r5]{h};")
            if operands.startswith("%rd2"):
                counted = operands.replace("%rd2, ", "%rd2, %rd8, ")
                yield (f"fabric.try_put.async.tensor{multimem}.{n}d{'.' + PUSH}{tile}.counted::bytes{hint}{modifiers}{order}.b128 "
                       f"[%rd1, %r2, {counted}{coordinates}], [%r3], %r4, [%r5]{h};")
    put = f"fabric.try_put.async.{PUSH}.relaxed.sys.b128"
    for handle in ["%r1", "%rd1", "%f1", "7", "svar"]:
        yield f"{put} [{handle}, %rd2], [%r3], %r4, [%r5];"
    for address in ["%rd2", "%r2", "%fd2", "7", "gvar"]:
        yield f"{put} [%r1, {address}], [%r3], %r4, [%r5];"
    for place in ["%r3", "%rd3", "%r3+16", "svar", "svar+16", "gvar", "%f3"]:
        yield f"{put} [%r1, %rd2], [{place}], %r4, [%r5];"
        yield f"{put} [%r1, %rd2], [%r3], %r4, [{place}];"
    for size in ["%r4", "%rd4", "%f4", "0", "7", "16", "-16", "1048576"]:
        yield f"{put} [%r1, %rd2], [%r3], {size}, [%r5];"
    for mask in ["%r9", "%rd9", "0xffffffff", "-1", "0", "0xf"]:
        yield f"fabric.try_pullred.async.multimem.{PULL}.and.b32.sync [%r1], [%r2, %rd3], %r4, [%r5], {mask};"
    for word in ["submit", "submit.op_restrict::fetching", "submit.op_restrict::reads", "submit.commit_group", "wait",
                 "wait.sync_restrict::reads", "wait.sync_restrict::read", "wait.sync_restrict::writes", "commit"]:
        yield f"fabric.{word};"
        yield f"fabric.{word} 0;"


def copies():
    for (mask, m), report, (hint, h), to in product(MASKS, REPORTS, HINTS, ["shared::cta", "shared::cluster"]):
        yield f"cp.async.bulk.{to}.global.mbarrier::complete_tx::bytes{mask}{report}{hint} [%r1], [%rd1], %r2, [%r3]{m}{h};"
    for report in REPORTS[:3]:
        yield f"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob{report} [%r1], [%rd1], %r2, %r4, %r5, [%r3];"
        yield f"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes{report} [%r1], [%r11], %r2, [%r3];"
        yield f"cp.async.bulk.global.shared::cta.bulk_group{report} [%rd1], [%r11], %r2;"
        yield f"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes{report}.u32 [%r1], %r2, [%r3];"
    for mask in ["%h9", "3", "0x1ffff", "-1", "%rd1", "0x1ffffffff"]:
        yield f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::32b [%r1], [%rd1], %r2, [%r3], {mask};"
    for n, mode in product(range(1, 6), ["", ".tile", ".tile::gather4", ".im2col", ".im2col::w", ".tile::scatter4", ".im2col_no_offs"]):
        if (mode.endswith("4") and n != 2) or ("im2col" in mode and n < 3):
            continue
        coordinates = vector("r", 5 if mode.endswith("4") else n, 30)
        info = {".im2col": ", " + vector("h", n - 2, 11), ".im2col::w": ", " + vector("h", 2, 11)}.get(mode, "")
        for modifiers, operands in overrides(n):
            place = f"[%rd1, {operands}{coordinates}]"
            for report, (mask, m), (hint, h), to in product([REPORTS[0], REPORTS[1], REPORTS[5], REPORTS[6]], MASKS, HINTS,
                                                           ["shared::cta", "shared::cluster"]):
                if (hint and (report or mask == ".multicast::cluster")) or (to == "shared::cta" and mask and n != 2):
                    continue
                yield (f"cp.async.bulk.tensor.{n}d.{to}.global{mode}.mbarrier::complete_tx::bytes{mask}{report}{hint}{modifiers} "
                       f"[%r1], {place}, [%r3]{info}{m}{h};")
            for hint, h in HINTS + [(".L2::evict_last", ""), (".L2::evict_normal", ""), (".L2::evict_last.L2::cache_hint", ", %rd9")]:
                yield f"cp.async.bulk.prefetch.tensor.{n}d.L2.global{mode}{hint}{modifiers} {place}{info}{h};"
            for hint, h in HINTS:
                yield f"cp.async.bulk.tensor.{n}d.global.shared::cta{mode}.bulk_group{hint}{modifiers} {place}, [%r3]{h};"
                yield f"cp.reduce.async.bulk.tensor.{n}d.global.shared::cta.add{mode}.bulk_group{hint}{modifiers} {place}, [%r3]{h};"
    for space, group, priority, size in product(["", ".global"], ["", ".bulk_group"], [".L2::evict_normal", ".L2::evict_last"],
                                                ["%r1", "128", "17", "%rd2", "1048560", "1048576"]):
        yield f"applypriority.async.bulk{space}{group}{priority} [%rd1], {size};"
    for space, level, valid, place in product(["", ".global", ".local"], [".L1", ".L1::32B", ".L1::64B", ".L2::32B"],
                                              ["", ".valid_addr"], ["[%rd1]", "[gvar]"]):
        yield f"prefetch{space}{level}{valid} {place};"


def barriers():
    for noinc, space, place in product(["", ".noinc"], ["", ".shared", ".shared::cta"], ["[%r1]", "[%rd1]", "[%r1+8]", "[svar]"]):
        yield f"cp.async.mbarrier.arrive{noinc}{space}.b64 {place};"
    spaces = ["", ".shared", ".shared::cta", ".shared::cluster"]
    for layout, space, place in product(["", ".layout::v0", ".layout::v1", ".layout::v2"], spaces, ["[%r1]", "[%rd1]", "[svar]"]):
        yield f"mbarrier.init{layout}{space}.b64 {place}, 1;"
        yield f"mbarrier.inval{layout}{space}.b64 {place};"
        for d in ["%p1", "%r1", "_"]:
            yield f"mbarrier.check_layout{layout}{space}.b64 {d}, {place};"
    for wait, phase, order, space, d, limit in product(
            ["test_wait", "test_wait.parity", "try_wait", "try_wait.parity"],
            ["", ".phase_type::primary", ".phase_type::conditional", ".phase_type::secondary"],
            ["", ".acquire.cta", ".relaxed.cluster", ".acquire"], [".shared", ".shared::cta", ".shared::cluster"],
            ["%p1", "%p1|%p2", "%p1|%p2, %b1", "%p1, %b1"], ["", ", %r8"]):
        state = "%r9" if "parity" in wait else "%rd9"
        if not (limit and space == ".shared"):
            yield f"mbarrier.{wait}{phase}{order}{space}.b64 {d}, [%r5], {state}{limit};"
    for d in ["%p1|_", "_|%p1", "_", "%p1|%p2, _", "%p1|%p2, %h1", "%p1|%p2, %r1", "%p1|%p2, 1", "%r1|%p2"]:
        yield f"mbarrier.test_wait.phase_type::primary.shared::cta.b64 {d}, [%r5], %rd9;"
    for op, order, space, mask in product(["arrive", "arrive_drop", "arrive.expect_tx", "arrive_drop.expect_tx", "expect_tx", "complete_tx"],
                                          ["", ".release.cluster", ".relaxed.cluster", ".relaxed.cta"], spaces,
                                          [".multicast::cluster::32b", ".multicast::cluster"]):
        for state, rest in product([""] if op[-2:] == "tx" and op[0] != "a" else ["_, ", "%rd7, "],
                                   ["[%r1], %r2, %r3", "[%r1], %r3", "[%rd1], %r2, %r3", "[%rd1], %r3", "[%r1], %r2, %h3", "[%r1], 4, 3"]):
            yield f"mbarrier.{op}{order}{space}{mask}.b64 {state}{rest};"
    for proxy, order, scope in product(["fabric::fabric", "fabric::generic", "generic::fabric", "fabric"], ["", ".acquire", ".release", ".sc"],
                                       ["", ".sys", ".gpu", ".cluster"]):
        yield f"fence.proxy.{proxy}.alias{order}{scope};"
        yield f"fence.proxy.{proxy}{order}{scope};"
    for order, space, scope in product([".acquire", ".release"], ["shared::cta", "shared::cluster", "shared::cluster::read", "shared::cta::read", "read"],
                                       ["", ".cta", ".cluster", ".gpu", ".sys"]):
        yield f"fence{order}.sync_restrict::{space}{scope};"
        yield f"fence.proxy.async::generic{order}.sync_restrict::{space}{scope};"


if __name__ == "__main__":
    lines = list(requests()) + list(copies()) + list(barriers())
    record("ptx_fabric", thin(lines, ["sm_107a"], 6), TARGETS)
