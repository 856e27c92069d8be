//! What is said to the caches: fetching ahead, forgetting, policies; and addresses of other blocks of a cluster.

use super::number;
use super::one_by_one::prefetch_map;
use crate::build::special;
use crate::code::{Code, address, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_model::Scope;

/// A fence between two addresses of the same memory: whether the memory of another device can be meant is known at run time.
/// ptxas tests that in a uniform predicate, which it saves. Lanes that have parted would overwrite each other's between the
/// two branches, so here it is one of the lane.
pub(super) fn fence_aliases(code: &mut Code) {
    let (flags, narrow) = (code.word(), code.flag());
    let (wide, end) = (code.label(), code.label());
    code.step("LDC R0, c[0x0][0x18c]", &[flags]);
    let text = "LOP3.LUT R0, R0, 0x1, RZ, 0xc0, !PT";
    code.step(text, &[flags, flags]);
    let text = "ISETP.NE.U32.AND P0, PT, R0, RZ, PT";
    code.step(text, &[narrow, flags]);
    code.branch(Some((narrow, true)), wide);
    code.fence("SC", Scope::Gpu);
    code.place(wide);
    code.branch(Some((narrow, false)), end);
    code.fence("SC", Scope::Sys);
    code.place(end);
    code.step("CCTL.IVALL", &[]);
}

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    match source.opcode() {
        "prefetch" | "prefetchu" | "applypriority" | "discard" => hint(source, code),
        "createpolicy" => policy(source, code),
        "mapa" => {
            let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
            let wide = source.ty_of(&["type"])?.bits() == 64;
            // The block's number is the highest byte.
            let low = |operand: Operand| match wide {
                true => operand.register(0),
                false => operand,
            };
            code.step("PRMT R0, R0, 0x654, R0", &[low(d), b, low(a)]);
            if wide {
                code.copy(d.register(1), a.register(1));
            }
            Some(())
        }
        "getctarank" => {
            let from = match source.ty_of(&["type"])?.bits() {
                64 => ptx("a").register(0),
                _ => ptx("a"),
            };
            code.step("SHF.R.U32.HI R0, RZ, 0x18, R0", &[ptx("d"), from]);
            Some(())
        }
        _ => None,
    }
}

fn hint(source: &Source, code: &mut Code) -> Option<()> {
    let has = |word: &str| source.has_word(word);
    if has("tensormap") {
        let space = match (has("const"), has("param")) {
            (true, _) => Some(special::constant_window(code.chip.0)?),
            (_, true) => Some(special::parameter_window(code.chip.0)?),
            _ => None,
        };
        prefetch_map(code, space);
        return Some(());
    }
    if has("valid_addr") {
        // A load of which nothing is kept. Source: ptxas 13.4.
        code.step("LDG.E.U8 RZ, [R0.64+URZ]", &[address("a")]);
        return Some(());
    }
    if has("async") {
        return None;
    }
    if has("local") {
        // Nobody has to fetch ahead.
        return Some(());
    }
    let what = match source.opcode() {
        "discard" => "RML2",
        "applypriority" => "DML2",
        _ if has("L1") => "PF1",
        _ if has("L2::evict_last") => "PML2",
        _ if has("L2") || has("L2::evict_normal") => "PF2",
        _ => return None,
    };
    code.step(format!("CCTL.E.{what} [R0]"), &[address("a")]);
    Some(())
}

/// The bits of a policy above its fraction, by the first and the second priority. Source: ptxas 13.4.
const POLICIES: [(&str, u32); 4] = [
    (".L2::evict_unchanged", 0x100),
    (".L2::evict_first", 0x120),
    (".L2::evict_last", 0x140),
    (".L2::evict_normal", 0x160),
];
const SECOND_FIRST: u32 = 0x10;

/// What says that a policy is for a range, and one for nothing.
const OF_RANGE: u32 = 0x80;
const OF_NOTHING: u32 = 0x180 << 20;

/// Ranges are counted in pieces whose sizes are powers of two, of 4096 bytes at least, 128 of the whole.
const LEAST_PIECE: u32 = 12;

/// A fraction is multiplied by this and cut off. Source: ptxas 13.4.
const STEPS: &str = "15.989999771118164062";

/// A policy for a fraction of the accesses, in sixteenths.
fn policy(source: &Source, code: &mut Code) -> Option<()> {
    let d = ptx("cache_policy");
    if source.has_word("cvt") {
        let from = ptx("access_property");
        code.copy(d.register(0), from.register(0));
        code.copy(d.register(1), from.register(1));
        return Some(());
    }
    let choice = source.choice();
    let first = choice.token("level::primary_priority")?;
    let mut bits = POLICIES.iter().find(|row| row.0 == first)?.1;
    if choice.token("level::secondary_priority") == Some(".L2::evict_first") {
        bits |= SECOND_FIRST;
    }
    if source.has_word("range") {
        range(code, bits | OF_RANGE);
        return Some(());
    }
    code.copy(d.register(0), number(0));
    if source.operand("fraction").is_none() {
        code.copy(d.register(1), number(i64::from((bits | 0xf) << 20)));
        return Some(());
    }
    let (scaled, steps) = (code.word(), code.word());
    code.step(format!("FMUL R0, R0, {STEPS}"), &[scaled, ptx("fraction")]);
    code.step("F2I.U32.TRUNC.NTZ R0, R0", &[steps, scaled]);
    let text = "LOP3.LUT R0, R0, 0xf, R0, 0xea, !PT";
    code.step(text, &[steps, steps, number(bits.into())]);
    let text = "SHF.L.U32 R0, R0, 0x14, RZ";
    code.step(text, &[d.register(1), steps]);
    Some(())
}

/// A policy for the beginning of a range: the size of a piece in four bits above the low 12, then seven bits of the number
/// of the first piece and seven of how many there are. Source: ptxas 13.4; the logarithm is exact here.
fn range(code: &mut Code, bits: u32) {
    let d = ptx("cache_policy");
    let (total, primary, from) = (ptx("total_size"), ptx("primary_size"), ptx("a"));
    let (less, log, piece) = (code.word(), code.word(), code.word());
    code.step("IADD3 R0, R0, -0x1, RZ", &[less, total]);
    code.step("FLO.U32 R0, R0", &[log, less]);
    // One more than the highest bit is the logarithm, rounded up; seven less of it.
    code.step("IADD3 R0, R0, -0x6, RZ", &[log, log]);
    let text = format!("IMNMX R0, R0, {LEAST_PIECE:#x}, !PT");
    code.step(text.replace("IMNMX", code.chip.min_max()), &[piece, log]);
    let (one, last) = (code.word(), code.word());
    code.copy(one, number(1));
    code.step("SHF.L.U32 R0, R0, R0, RZ", &[last, one, piece]);
    code.step("IADD3 R0, R0, -0x1, R0", &[last, primary, last]);
    let (begin, wide, end) = (code.double(), code.double(), code.double());
    for half in [0, 1] {
        code.copy(begin.register(half), from.register(half));
    }
    code.copy(wide.register(0), last);
    code.copy(wide.register(1), number(0));
    code.add_64(end, begin, wide);
    let (first, behind) = (code.double(), code.double());
    for (to, of) in [(first, begin), (behind, end)] {
        let words = [to.register(0), of.register(0), piece, of.register(1)];
        code.step("SHF.R.U64 R0, R0, R0, R0", &words);
        let words = [to.register(1), piece, of.register(1)];
        code.step("SHF.R.U32.HI R0, RZ, R0, R0", &words);
    }
    let (count, most) = (code.double(), code.double());
    code.sub_64(count, behind, first);
    code.copy(most.register(0), number(0x7f));
    code.copy(most.register(1), number(0));
    let few = code.less_64(count, most, false);
    let pieces = code.word();
    let words = [pieces, count.register(0), most.register(0), few];
    code.step("SEL R0, R0, R0, P0", &words);
    let (high, empty) = (code.word(), code.flag());
    code.step(
        format!("IADD3 R0, R0, -{LEAST_PIECE:#x}, RZ"),
        &[high, piece],
    );
    let text = "LOP3.LUT R0, R0, 0xf, R0, 0xea, !PT";
    code.step(text, &[high, high, number(bits.into())]);
    for (left, part, mask) in [(8, first.register(0), 0x7f), (7, pieces, 0x7f)] {
        code.step(format!("SHF.L.U32 R0, R0, {left:#x}, RZ"), &[high, high]);
        let text = format!("LOP3.LUT R0, R0, {mask:#x}, R0, 0xea, !PT");
        code.step(text, &[high, part, high]);
    }
    code.step("SHF.L.U32 R0, R0, 0x5, RZ", &[high, high]);
    code.step("ISETP.EQ.U32.AND P0, PT, R0, RZ, PT", &[empty, total]);
    let nothing = code.word();
    code.copy(nothing, number(OF_NOTHING.into()));
    let words = [d.register(1), nothing, high, empty];
    code.step("SEL R0, R0, R0, P0", &words);
    code.copy(d.register(0), number(0));
}
