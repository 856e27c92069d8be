//! Constants are made where they are read, instead of being kept in a register from the beginning on.
//!
//! PTX loads the parameters of a kernel first, and what was computed twice is computed once, at the first place. A register
//! that only has a number or a word of the constant bank (`analysis/constants.rs`) need not be live in between: each part of
//! the code that reads it gets its own copy of the instruction that makes it, before the first reader there.
//!
//! ```text
//!   LDC %r1, c[0x0][0x210]              …
//!   …                          ──►      LDC %r2, c[0x0][0x210]
//!   BRA .L7                           .L7:
//! .L7:                                  IADD3 %r3, %r2, …
//!   IADD3 %r3, %r1, …
//! ```
//!
//! A part is a block, cut after barriers of the block and calls: what is live there is what registers are short of. Where a
//! reader stands in a loop that the maker does not stand in, the register stays what it is: the copy would be executed in
//! each round. Special registers are not read again, because that takes long.

use super::Pass;
use super::assign_registers::Limits;
use crate::analysis::constants::constants;
use crate::analysis::uses::loops;
use crate::ir::{Block, File, Function, Inst, Op, Reg};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::shape::Traits;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "sink_constants",
    run,
};

/// How many instructions may make a register.
const MOST_MAKERS: usize = 2;

/// What makes a register, and where.
#[derive(Default)]
struct Maker {
    insts: SmallVec<[Inst; 1]>,
    /// The parts in which it stands.
    first: u32,
    last: u32,
    /// The innermost loop around it.
    around: u32,
    /// Whether a reader needs the register itself.
    is_kept: bool,
}

fn run(function: &mut Function, _: &Limits) {
    let mut makers = makers(function);
    if makers.is_empty() {
        return;
    }
    let loops = loops(function);
    // Where the makers stand, and which readers are in loops that those are not in.
    each_part(function, |block, part, inst| {
        for (reg, ..) in inst.writes() {
            if let Some(maker) = makers.get_mut(&reg) {
                maker.first = maker.first.min(part);
                maker.last = maker.last.max(part);
                maker.around = loops.of(block);
            }
        }
    });
    each_part(function, |block, part, inst| {
        for (reg, ..) in inst.reads() {
            if let Some(maker) = makers.get_mut(&reg) {
                let is_here = maker.first <= part && part <= maker.last;
                maker.is_kept |= is_here || !loops.is_around(loops.of(block), maker.around);
            }
        }
    });
    let mut part = 0;
    let blocks = std::mem::take(&mut function.blocks);
    for (number, block) in blocks.into_iter().enumerate() {
        let mut insts = Vec::with_capacity(block.insts.len());
        let mut own: FxHashMap<Reg, Reg> = FxHashMap::default();
        for mut inst in block.insts {
            let cuts = cuts(&inst);
            let written = inst.writes().next();
            let made = written.and_then(|(reg, ..)| makers.get(&reg));
            if made.is_some_and(|maker| !maker.is_kept) {
                // Nobody reads it but the copies' readers.
                continue;
            }
            let read: SmallVec<[Reg; 4]> = inst.reads().map(|one| one.0).collect();
            for reg in read {
                let Some(maker) = makers.get(&reg) else {
                    continue;
                };
                let is_here = maker.first <= part && part <= maker.last;
                if is_here || !loops.is_around(loops.of(number), maker.around) {
                    continue;
                }
                let copy = match own.get(&reg) {
                    Some(copy) => *copy,
                    None => {
                        let data = function.data(reg);
                        let copy = function.reg(data.file, data.lanes);
                        own.insert(reg, copy);
                        for maker in &maker.insts {
                            let mut made = maker.clone();
                            rename(&mut made, reg, copy);
                            insts.push(made);
                        }
                        copy
                    }
                };
                rename(&mut inst, reg, copy);
            }
            insts.push(inst);
            if cuts {
                part += 1;
                own.clear();
            }
        }
        part += 1;
        function.blocks.push(Block { insts, ..block });
    }
}

/// The registers that are constants, each with what makes it.
fn makers(function: &Function) -> FxHashMap<Reg, Maker> {
    let constant = constants(function);
    let mut makers: FxHashMap<Reg, Maker> = FxHashMap::default();
    let mut others: Vec<Reg> = Vec::new();
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let mut written = inst.writes();
        let (Some((reg, ..)), None) = (written.next(), written.next()) else {
            continue;
        };
        if !constant[reg.0 as usize] || function.data(reg).file != File::Register {
            continue;
        }
        if !is_cheap(inst) {
            others.push(reg);
            continue;
        }
        let maker = makers.entry(reg).or_insert_with(|| Maker {
            first: u32::MAX,
            ..Maker::default()
        });
        maker.insts.push(inst.clone());
    }
    for reg in others {
        makers.remove(&reg);
    }
    makers.retain(|_, maker| maker.insts.len() <= MOST_MAKERS);
    makers
}

/// Whether an instruction may be executed more than once without much loss.
fn is_cheap(inst: &Inst) -> bool {
    matches!(inst.shape.opcode(), "LDC" | "MOV")
        && !inst
            .operands
            .iter()
            .any(|operand| matches!(operand.op, Op::Block(_)))
}

/// Whether a part of a block ends after an instruction.
fn cuts(inst: &Inst) -> bool {
    let traits = inst.shape.traits();
    traits.intersects(Traits::CALLS | Traits::BLOCK_BARRIER)
}

/// Goes over all instructions with their blocks and the numbers of their parts.
fn each_part(function: &Function, mut see: impl FnMut(usize, u32, &Inst)) {
    let mut part = 0;
    for (number, block) in function.blocks.iter().enumerate() {
        for inst in &block.insts {
            see(number, part, inst);
            part += u32::from(cuts(inst));
        }
        part += 1;
    }
}

/// Has an instruction read, and write, another register.
pub(super) fn rename(inst: &mut Inst, from: Reg, to: Reg) {
    for operand in &mut inst.operands {
        if let Op::Reg(reg, _) = &mut operand.op
            && *reg == from
        {
            *reg = to;
        }
    }
}
