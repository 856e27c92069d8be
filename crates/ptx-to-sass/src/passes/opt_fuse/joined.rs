//! Halves that are packed where two ways meet are packed on each of them.
//!
//! ```text
//!   .L1:  F2FP %h0, RZ, %x               .L1:  F2FP %h2, RZ, %x
//!         F2FP %h1, RZ, %y                     F2FP %h3, RZ, %y
//!         BRA .L3                              PRMT %r1, %h2, 0x5410, %h3
//!   .L2:  MOV %h0, RZ             ──►          BRA .L3
//!         MOV %h1, RZ                    .L2:  MOV %h4, RZ
//!   .L3:  PRMT %r0, %h0, 0x5410, %h1           MOV %h5, RZ
//!                                              PRMT %r1, %h4, 0x5410, %h5
//!                                        .L3:  MOV %r0, %r1
//! ```
//!
//! Then each pack is one instruction with what makes the halves, or a number. Both halves must be written in the same blocks, once
//! in each, and read by the one who packs them: whichever block was executed last, both are from there.

use super::{is_zero, number, three};
use crate::immediate::sources;
use crate::ir::{File, Function, Inst, Op, Operand, Reg};
use crate::pattern;
use warpc_sass::Marks;

/// How a half is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    Rounded,
    Number,
}

/// A write of a half.
#[derive(Clone, Copy)]
struct Write {
    block: usize,
    at: usize,
    made: Made,
}

/// What is known of a register: its writes, as long as all of them are halves, and how often it is read.
#[derive(Clone, Default)]
struct Half {
    writes: Vec<Write>,
    is_other: bool,
    reads: u32,
}

/// Packs halves before ways meet.
pub(super) fn run(function: &mut Function) {
    let packs = || {
        let blocks = function.blocks.iter().enumerate();
        blocks.flat_map(|(block, code)| {
            let insts = code.insts.iter().enumerate();
            insts.filter_map(move |(at, inst)| packed(inst).map(|halves| (block, at, halves)))
        })
    };
    if packs().next().is_none() {
        return;
    }
    let known = halves(function);
    let found: Vec<_> = packs()
        .filter_map(|(block, at, (low, high))| {
            let (one, other) = (&known[low.0 as usize], &known[high.0 as usize]);
            (low != high && fits(one, other, block)).then(|| {
                let pairs = one.writes.iter().copied().zip(other.writes.iter().copied());
                (block, at, pairs.collect::<Vec<_>>())
            })
        })
        .collect();
    let Some(copy) = pattern::find(function.sm, "MOV R0, R0") else {
        return;
    };
    // What comes after an instruction.
    let mut more: Vec<(usize, usize, Inst)> = Vec::new();
    for (block, at, pairs) in found {
        let joined = Op::Reg(function.reg(File::Register, 1), 0);
        let pack = function.blocks[block].insts[at].clone();
        let (Some(to), Some([low, _, high])) = (slot_of_result(&pack), slots_of(&pack)) else {
            continue;
        };
        for (one, other) in pairs {
            let mut own = pack.clone();
            own.operands[to].op = joined;
            for (write, slot) in [(one, low), (other, high)] {
                let half = Op::Reg(function.reg(File::Register, 1), 0);
                let inst = &mut function.blocks[write.block].insts[write.at];
                if let Some(to) = slot_of_result(inst) {
                    inst.operands[to].op = half;
                }
                own.operands[slot].op = half;
            }
            more.push((one.block, one.at.max(other.at), own));
        }
        let to = pack.operands[to].op;
        function.blocks[block].insts[at] = copy.filled(&[to, joined], None, pack.span);
    }
    more.sort_by_key(|(block, at, _)| (*block, *at));
    for (block, at, inst) in more.into_iter().rev() {
        function.blocks[block].insts.insert(at + 1, inst);
    }
}

/// The two registers whose lower halves an instruction packs.
fn packed(inst: &Inst) -> Option<(Reg, Reg)> {
    if inst.shape.name() != "PRMT" {
        return None;
    }
    let [low, selector, high] = three(inst)?;
    let plain = low.marks == Marks::NONE && high.marks == Marks::NONE;
    match (low.op, high.op) {
        (Op::Reg(low, 0), Op::Reg(high, 0))
            if plain && number(selector) == Some(super::halves::LOWER_HALVES) =>
        {
            Some((low, high))
        }
        _ => None,
    }
}

/// What is known of each register.
fn halves(function: &Function) -> Vec<Half> {
    let mut all = vec![Half::default(); function.regs.len()];
    for (block, code) in function.blocks.iter().enumerate() {
        for (at, inst) in code.insts.iter().enumerate() {
            for (reg, ..) in inst.reads() {
                all[reg.0 as usize].reads += 1;
            }
            let made = made(inst);
            for (reg, ..) in inst.writes() {
                let own = &mut all[reg.0 as usize];
                match made {
                    Some(made) if function.data(reg).lanes == 1 => {
                        own.writes.push(Write { block, at, made });
                    }
                    _ => own.is_other = true,
                }
            }
        }
    }
    all
}

/// How an instruction makes a half, if it is one that would be packed at once.
fn made(inst: &Inst) -> Option<Made> {
    if inst.guard.is_some() {
        return None;
    }
    let mut own = sources(inst.shape).map(|slot| inst.operands[slot]);
    let is_number = |one: Operand| number(one).is_some() && one.marks == Marks::NONE;
    match inst.shape.name() {
        "F2FP.F16.F32.PACK_AB" | "F2FP.BF16.F32.PACK_AB" => {
            own.next().is_some_and(is_zero).then_some(Made::Rounded)
        }
        "MOV" => own.next().is_some_and(is_number).then_some(Made::Number),
        _ => None,
    }
}

/// Whether two halves are made together, in several blocks other than this one.
fn fits(one: &Half, other: &Half, block: usize) -> bool {
    let known = |half: &Half| !half.is_other && half.reads == 1;
    let (first, second) = (&one.writes, &other.writes);
    // Both are in the order of blocks: two writes of one in a block would stand side by side.
    let once = first.windows(2).all(|two| two[0].block != two[1].block);
    let together = (first.iter().zip(second)).all(|(one, other)| {
        one.block == other.block && one.made == other.made && one.block != block
    });
    known(one) && known(other) && first.len() > 1 && first.len() == second.len() && once && together
}

fn slot_of_result(inst: &Inst) -> Option<usize> {
    let mut slots = inst.shape.slots().iter().zip(&inst.operands);
    slots.position(|(slot, operand)| slot.is_written() && matches!(operand.op, Op::Reg(..)))
}

fn slots_of(inst: &Inst) -> Option<[usize; 3]> {
    let mut at = sources(inst.shape);
    Some([at.next()?, at.next()?, at.next()?])
}
