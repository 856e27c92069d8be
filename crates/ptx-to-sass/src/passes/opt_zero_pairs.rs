//! Zeros of two neighbouring lanes of a register are written by one instruction.
//!
//! ```text
//!   MOV %r4.0, RZ
//!   MOV %r4.1, RZ        ─►    CS2R %r4.0, SRZ
//! ```
//!
//! The sums of matrix products begin so. The pair begins at an even lane of a register that lies at an even number, and nothing
//! between the two touches it. Where registers do not last for all values, pairs are written one by one again ([`part`]): lanes of
//! their own can be spilled, and made again, as they are needed.

use super::Pass;
use super::assign_registers::Limits;
use crate::ir::{File, Function, Inst, Op, Reg};
use crate::pattern;
use rustc_hash::FxHashMap;
use warpc_sass::{Marks, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_zero_pairs",
    run,
};

/// Wider registers, the sums of warpgroups, are spilled lane by lane, and their zeros are made again then: they stay apart.
const WIDEST: u8 = 4;

fn run(function: &mut Function, _: &Limits) {
    let Some(pair) = pattern::find(function.sm, "CS2R R0, SRZ") else {
        return;
    };
    for block in 0..function.blocks.len() {
        // For each pair the zero that one half of it was written with last, if nothing has touched the pair since.
        let mut halves: FxHashMap<(Reg, u8), (usize, u8)> = FxHashMap::default();
        let mut found: Vec<(usize, usize, Op)> = Vec::new();
        for (at, inst) in function.blocks[block].insts.iter().enumerate() {
            let zero = zero(function, inst);
            let before = zero.and_then(|(reg, lane)| halves.get(&(reg, lane & !1)).copied());
            for (reg, first, count) in inst.reads().chain(inst.writes()) {
                if function.data(reg).lanes > 1 {
                    for lane in first..first + count {
                        halves.remove(&(reg, lane & !1));
                    }
                }
            }
            let Some((reg, lane)) = zero else { continue };
            match before {
                Some((first, other)) if other != lane => {
                    found.push((first, at, Op::Reg(reg, lane & !1)));
                }
                _ => {
                    halves.insert((reg, lane & !1), (at, lane));
                }
            }
        }
        if found.is_empty() {
            continue;
        }
        let insts = &mut function.blocks[block].insts;
        let mut gone = vec![false; insts.len()];
        for (first, second, to) in found {
            // The later place: fewer lanes are live in between.
            insts[second] = pair.filled(&[to], None, insts[second].span);
            gone[first] = true;
        }
        let mut gone = gone.into_iter();
        insts.retain(|_| gone.next() != Some(true));
    }
}

/// Writes the zeros of pairs one by one again; whether there were any.
pub(crate) fn part(function: &mut Function) -> bool {
    let Some(single) = pattern::find(function.sm, "MOV R0, RZ") else {
        return false;
    };
    let mut parted = false;
    for block in &mut function.blocks {
        if !block.insts.iter().any(is_pair) {
            continue;
        }
        parted = true;
        let insts = std::mem::take(&mut block.insts);
        for inst in insts {
            match inst.operands.first().map(|to| to.op) {
                Some(Op::Reg(reg, lane)) if is_pair(&inst) => {
                    let half = |lane| single.filled(&[Op::Reg(reg, lane)], None, inst.span);
                    block.insts.extend([half(lane), half(lane + 1)]);
                }
                _ => block.insts.push(inst),
            }
        }
    }
    parted
}

/// The number of `SRZ` among the special registers.
const ZERO: u8 = u8::MAX;

/// Whether an instruction writes the zeros of a pair. PTX has no register that is read so.
fn is_pair(inst: &Inst) -> bool {
    let from = inst.operands.get(1).map(|from| from.op);
    inst.shape.name() == "CS2R"
        && inst.guard.is_none()
        && from == Some(Op::Value(Value::Special(ZERO)))
}

/// The lane that an instruction writes zero to, if it may be half of a pair.
fn zero(function: &Function, inst: &Inst) -> Option<(Reg, u8)> {
    if inst.shape.name() != "MOV" || inst.guard.is_some() {
        return None;
    }
    let [to, from, ..] = &inst.operands[..] else {
        return None;
    };
    let is_zero = matches!(from.op, Op::Value(Value::ZERO | Value::Number(0)));
    let Op::Reg(reg, lane) = to.op else {
        return None;
    };
    let data = function.data(reg);
    let fits = data.file == File::Register
        && data.alignment().is_multiple_of(2)
        && data.lanes <= WIDEST
        && lane | 1 < data.lanes;
    (is_zero && from.marks == Marks::NONE && fits).then_some((reg, lane))
}
