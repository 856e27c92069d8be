"""What ptxas records about kernels with one form of a collective or mbarrier each.

usage: kernel_facts.py PTXAS OUT.tsv.gz

A line has the chip, the form, the code of the kernel and those attributes of it that follow from the code, each as
number=bytes in hexadecimal.
"""

import gzip
import pathlib
import struct
import subprocess
import sys
import tempfile

# Exits, barriers, groups, warp-wide instructions, mbarriers and their number, places to meet.
ATTRIBUTES = {0x1C, 0x4C, 0x28, 0x31, 0x39, 0x38, 0x1E}

ANY = {
    "none": "",
    "bar.sync": "bar.sync 0;",
    "bar.sync 5": "bar.sync 5;",
    "bar.sync register": "bar.sync r;",
    "bar.red": "bar.red.popc.u32 r, 3, p;",
    "vote": "vote.sync.ballot.b32 r, p, 0xffffffff;",
    "vote.all": "vote.sync.all.pred p, p, 0xffffffff;",
    "vote register": "vote.sync.ballot.b32 r, p, lane;",
    "vote divergent": "? vote.sync.ballot.b32 r, p, 0xffffffff;",
    "activemask": "activemask.b32 r;",
    "match.any": "match.any.sync.b32 r, r, 0xffffffff;",
    "match.all": "match.all.sync.b32 r, r, 0xffffffff;",
    "shfl": "shfl.sync.bfly.b32 r, r, 1, 31, 0xffffffff;",
    "shfl register": "shfl.sync.bfly.b32 r, r, 1, 31, lane;",
    "shfl divergent": "? shfl.sync.bfly.b32 r, r, 1, 31, 0xffffffff;",
    "bar.warp": "bar.warp.sync 0xffffffff;",
    "bar.warp register": "bar.warp.sync lane;",
    "bar.warp divergent": "? bar.warp.sync 0xffffffff;",
    "atom of a warp": "atom.global.add.u32 r, [to], 1;",
    "red of a warp": "red.global.add.u32 [to], 1;",
}
FROM_80 = {
    "redux": "redux.sync.add.s32 r, r, 0xffffffff;",
    "redux register": "redux.sync.add.s32 r, r, lane;",
    "init": "mbarrier.init.shared.b64 [s], 7;",
    "inval": "mbarrier.inval.shared.b64 [s];",
    "arrive": "mbarrier.arrive.shared.b64 state, [s];",
    "arrive_drop": "mbarrier.arrive_drop.shared.b64 state, [s];",
    "arrive.noComplete": "mbarrier.arrive.noComplete.shared.b64 state, [s], 2;",
    "arrive_drop.noComplete": "mbarrier.arrive_drop.noComplete.shared.b64 state, [s], 2;",
    "test_wait": "mbarrier.test_wait.shared.b64 p, [s], state;",
    "cp.async arrive": "cp.async.mbarrier.arrive.shared.b64 [s];",
    "cp.async arrive.noinc": "cp.async.mbarrier.arrive.noinc.shared.b64 [s];",
    "pending_count": "mbarrier.pending_count.b64 r, state;",
    "life": "mbarrier.init.shared.b64 [s], 7; bar.sync 0; mbarrier.arrive.shared.b64 state, [s];"
    " mbarrier.test_wait.shared.b64 p, [s], state;",
    "two": "mbarrier.init.shared.b64 [s], 7; mbarrier.init.shared.b64 [s+8], 9; bar.sync 0;"
    " mbarrier.arrive.shared.b64 state, [s]; mbarrier.arrive_drop.shared.b64 state, [s+8];",
}
FROM_90 = {
    "arrive count": "mbarrier.arrive.shared.b64 state, [s], 3;",
    "arrive cluster": "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [base];",
    "arrive.expect_tx": "mbarrier.arrive.expect_tx.shared.b64 state, [s], 64;",
    "arrive.expect_tx register": "mbarrier.arrive.expect_tx.shared.b64 state, [s], r;",
    "arrive_drop.expect_tx": "mbarrier.arrive_drop.expect_tx.shared.b64 state, [s], 64;",
    "expect_tx": "mbarrier.expect_tx.relaxed.cta.shared.b64 [s], 64;",
    "complete_tx": "mbarrier.complete_tx.relaxed.cta.shared.b64 [s], 64;",
    "test_wait.parity": "mbarrier.test_wait.parity.shared.b64 p, [s], r;",
    "test_wait.parity 0": "mbarrier.test_wait.parity.shared.b64 p, [s], 0;",
    "test_wait.parity 1": "mbarrier.test_wait.parity.shared.b64 p, [s], 1;",
    "try_wait": "mbarrier.try_wait.shared.b64 p, [s], state;",
    "try_wait.parity": "mbarrier.try_wait.parity.shared.b64 p, [s], r;",
    "try_wait.parity time": "mbarrier.try_wait.parity.shared.b64 p, [s], r, 1000;",
    "cluster": "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
    "cluster not aligned": "barrier.cluster.arrive; barrier.cluster.wait;",
    "cluster arrive": "barrier.cluster.arrive.relaxed.aligned;",
    "cluster and bar.sync": "bar.sync 3; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
    "cluster divergent": "? barrier.cluster.arrive; barrier.cluster.wait;",
    "elect": "elect.sync _|p, 0xffffffff;",
}


def kernel(chip, code):
    if code.startswith("? "):
        code = f"setp.eq.u32 q, lane, 5;\n@q bra done;\n{code[2:]}\ndone:"
    return f""".version 8.7
.target sm_{chip}
.address_size 64
.entry k(.param .u64 a) {{
  .reg .b32 r, lane, base;
  .reg .b64 state, to;
  .reg .pred p, q;
  .shared .align 8 .b64 s[2];
  ld.param.u64 to, [a];
  mov.u32 lane, %tid.x;
  ld.global.u32 r, [to+8];
  mov.b64 state, {{r, lane}};
  setp.gt.u32 p, r, 3;
  mov.u32 base, s;
  {code}
  st.global.u32 [to+16], r;
  st.global.u64 [to+24], state;
  selp.u32 r, 1, 2, p;
  st.global.u32 [to+32], r;
  ret;
}}
"""


def sections(elf):
    start = struct.unpack_from("<Q", elf, 0x28)[0]
    count, names = struct.unpack_from("<HH", elf, 0x3C)
    heads = [struct.unpack_from("<IIQQQQ", elf, start + 64 * i) for i in range(count)]
    text = elf[heads[names][4] : heads[names][4] + heads[names][5]]
    for head in heads:
        name = text[head[0] : text.index(b"\0", head[0])].decode()
        yield name, elf[head[4] : head[4] + head[5]]


def records(data):
    at = 0
    while at < len(data):
        form, attribute, size = struct.unpack_from("<BBH", data, at)
        value = data[at + 4 : at + 4 + size] if form == 4 else data[at + 2 : at + 4]
        at += 4 + (size if form == 4 else 0)
        yield attribute, value


def main():
    ptxas, out = sys.argv[1:]
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder, "k.ptx"), pathlib.Path(folder, "k.cubin")
        for chip in (75, 80, 89, 90, 100, 120):
            forms = dict(ANY)
            forms.update(FROM_80 if chip >= 80 else {})
            forms.update(FROM_90 if chip >= 90 else {})
            for form, code in forms.items():
                source.write_text(kernel(chip, code))
                command = [ptxas, f"-arch=sm_{chip}", source, "-o", cubin]
                answer = subprocess.run(command, capture_output=True, text=True)
                if answer.returncode != 0:
                    print(f"sm_{chip} {form}: {answer.stderr.strip()}", file=sys.stderr)
                    continue
                found = dict(sections(cubin.read_bytes()))
                kept = [(a, v) for a, v in records(found[".nv.info.k"]) if a in ATTRIBUTES]
                shown = " ".join(f"{a:02x}={v.hex()}" for a, v in sorted(kept))
                lines.append(f"sm_{chip}\t{form}\t{found['.text.k'].hex()}\t{shown}\n")
    data = "".join(lines).encode()
    pathlib.Path(out).write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{len(lines)} kernels")


main()
