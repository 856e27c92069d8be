//! What is said to the caches: fetching ahead, forgetting, policies; and addresses of other blocks of a cluster.

use super::number;
use crate::code::{Code, address, ptx};
use crate::source::Source;
use crate::wired::Operand;

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
    if has("tensormap") || has("local") || has("async") || has("valid_addr") {
        return None;
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
    if !source.has_word("fractional") {
        return None;
    }
    let choice = source.choice();
    let first = choice.token("level::primary_priority")?;
    let mut bits = POLICIES.iter().find(|row| row.0 == first)?.1;
    if choice.token("level::secondary_priority") == Some(".L2::evict_first") {
        bits |= SECOND_FIRST;
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
