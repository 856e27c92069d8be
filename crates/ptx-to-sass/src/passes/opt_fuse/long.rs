//! Sums and products of 64 bits, and what needs new values, before anything else is put together.
//!
//! | instructions | become | file |
//! |---|---|---|
//! | `IMAD l, x, y, RZ` and `IMAD.HI h, x, y, RZ` | `IMAD.WIDE (l, h), x, y, RZ` | `halves` |
//! | a product of two 64-bit numbers, and its sum with `a` | the product that begins with `a` | `products` |
//! | a product that two sums read, where the pipe of integers has more to do | two products with what is added | `products` |
//! | `x` or `-x` by a predicate, and its sum with `a` | `IMAD d, x, s, a`, where `s` is 1 or -1 | `signs` |
//! | a sum of two, and its sum with a third | `IADD3 l, p, q, x.0, y.0, z.0` and `IADD3.X h, x.1, y.1, z.1, p, q` | `sums` |
//!
//! What is found in a round is put in at its end, and the next round looks at what became of it. An instruction takes part
//! in one change a round.

mod halves;
mod products;
mod signs;
mod sums;

use super::WideSum;
use super::wide::pair;
use crate::analysis::values::Values;
use crate::immediate::{Immediates, sources};
use crate::ir::{BlockId, File, Function, Inst, Op, Operand, Reg};
use crate::pattern;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use warpc_sass::latency::Pipe;
use warpc_sass::shape::Space;
use warpc_sass::{Marks, Value};

/// The most rounds: as many instructions one after the other become one.
const ROUNDS: usize = 6;

/// An instruction by its place.
type At = (BlockId, usize);

/// What is known in a round, and what is to be changed.
struct Long {
    values: Values,
    immediates: Immediates,
    /// For each lane one that reads it.
    readers: Vec<Option<At>>,
    /// The lanes that addresses are made of.
    in_addresses: Vec<bool>,
    /// What instructions are replaced by.
    changes: Vec<(At, SmallVec<[Inst; 4]>)>,
    /// The numbers 1 and -1 by predicates and their blocks.
    signs: Vec<(BlockId, Operand, Op)>,
    /// The number 1 in a register, and the block in which it is.
    one: Option<(BlockId, Op)>,
    /// The instructions that take part in changes.
    taken: FxHashSet<At>,
}

/// Looks at all sums and products. Gives the values of the function as it is afterwards.
pub(super) fn run(function: &mut Function) -> Values {
    for _ in 0..ROUNDS {
        let registers = function.regs.len();
        let mut long = Long::of(function);
        for block in function.block_ids() {
            let mut load = Load::of(function, block);
            for at in 0..function.blocks[block.index()].insts.len() {
                match function.blocks[block.index()].insts[at].shape.name() {
                    "IMAD.HI" | "IMAD.HI.U32" => long.join_halves(function, (block, at)),
                    "IADD3" if load.products < load.integers => {
                        long.sum_with_sign(function, (block, at))
                    }
                    "IADD3.X" => long.sum(function, (block, at), &mut load),
                    _ => None,
                };
            }
        }
        if long.changes.is_empty() && function.regs.len() == registers {
            return long.values;
        }
        if long.changes.is_empty() {
            break;
        }
        long.finish(function);
    }
    Values::of(function)
}

/// Cycles that a block asks of the pipes of integers and of products.
#[derive(Clone, Copy)]
struct Load {
    integers: u32,
    products: u32,
}

impl Load {
    fn of(function: &Function, block: BlockId) -> Load {
        let mut load = Load {
            integers: 0,
            products: 0,
        };
        for inst in &function.blocks[block.index()].insts {
            let cycles = u32::from(inst.shape.issue());
            match inst.shape.pipe() {
                Some(Pipe::Alu | Pipe::SetPredicates) => load.integers += cycles,
                Some(Pipe::Fma | Pipe::Product) => load.products += cycles,
                _ => {}
            }
        }
        load
    }
}

impl Long {
    fn of(function: &Function) -> Long {
        let values = Values::of(function);
        let mut long = Long {
            readers: vec![None; values.count()],
            in_addresses: vec![false; values.count()],
            values,
            immediates: Immediates::default(),
            changes: Vec::new(),
            signs: Vec::new(),
            one: None,
            taken: FxHashSet::default(),
        };
        let mut work: Vec<(Reg, u8)> = Vec::new();
        for block in function.block_ids() {
            for (at, inst) in function.blocks[block.index()].insts.iter().enumerate() {
                for (reg, lane, count) in inst.reads() {
                    for lane in long.values.lanes(reg, lane, count) {
                        long.readers[lane] = Some((block, at));
                    }
                }
                if inst.shape.memory().space == Space::None {
                    continue;
                }
                let slots = inst.shape.slots().iter().zip(&inst.operands);
                work.extend(slots.filter(|(slot, _)| slot.in_address).filter_map(|one| {
                    match one.1.op {
                        Op::Reg(reg, lane) => Some((reg, lane)),
                        _ => None,
                    }
                }));
            }
        }
        // What a sum in an address is made of is in the address, too.
        while let Some((reg, lane)) = work.pop() {
            let own = &mut long.in_addresses[long.values.index(reg, lane)];
            if std::mem::replace(own, true) {
                continue;
            }
            let Some(place) = long.values.write(reg, lane) else {
                continue;
            };
            let inst = &function.blocks[place.block.index()].insts[place.inst as usize];
            if matches!(inst.shape.opcode(), "IADD3" | "IMAD" | "LEA" | "MOV") {
                let parts = sources(inst.shape).filter_map(|slot| match inst.operands[slot].op {
                    Op::Reg(reg, lane) => Some((reg, lane)),
                    _ => None,
                });
                work.extend(parts);
            }
        }
        long
    }

    /// A sum of 64 bits whose upper half is at a place.
    fn sum(&mut self, function: &mut Function, place: At, load: &mut Load) -> Option<()> {
        let sum = WideSum::at(function, &self.values, place.0, place.1)?;
        let own = [place, (place.0, sum.low)];
        if own.iter().any(|one| self.taken.contains(one)) {
            return None;
        }
        self.sum_with_product(function, place, &sum, load)
            .or_else(|| self.sum_of_three(function, place, &sum))
    }

    /// The instruction that makes a lane which is a value, and where it is, if that is in a block and it takes part in no
    /// other change; what it reads are values.
    fn made<'a>(&self, function: &'a Function, block: BlockId, op: Op) -> Option<(At, &'a Inst)> {
        let Op::Reg(reg, lane) = op else { return None };
        let place = self.values.write(reg, lane)?;
        let at = (place.block, place.inst as usize);
        let inst = super::inner(function, &self.values, op)?;
        (place.block == block && !self.taken.contains(&at)).then_some((at, inst))
    }

    /// How many operands read a lane.
    fn reads(&self, op: Op) -> u32 {
        match op {
            Op::Reg(reg, lane) => self.values.reads(reg, lane),
            _ => 0,
        }
    }

    /// Notes a change in which these instructions take part.
    fn change(
        &mut self,
        changes: impl IntoIterator<Item = (At, SmallVec<[Inst; 4]>)>,
        with: &[At],
    ) {
        for change in changes {
            self.taken.insert(change.0);
            self.changes.push(change);
        }
        self.taken.extend(with);
    }

    /// Puts in what was found.
    fn finish(mut self, function: &mut Function) {
        self.changes.sort_by_key(|one| one.0);
        let mut changes = self.changes.into_iter().peekable();
        while let Some(((block, _), _)) = changes.peek() {
            let block = *block;
            let old = std::mem::take(&mut function.blocks[block.index()].insts);
            let mut new = Vec::with_capacity(old.len() + 8);
            for (at, inst) in old.into_iter().enumerate() {
                match changes.next_if(|one| one.0 == (block, at)) {
                    Some((_, made)) => new.extend(made),
                    None => new.push(inst),
                }
            }
            function.blocks[block.index()].insts = new;
        }
    }
}

/// `MOV to, from`, where `from` is a register or zero.
fn copy(function: &Function, like: &Inst, to: Op, from: Op) -> Option<Inst> {
    let (text, ops): (_, &[Op]) = match from {
        Op::Value(Value::ZERO) => ("MOV R0, RZ", &[to]),
        _ => ("MOV R0, R0", &[to, from]),
    };
    Some(pattern::find(function.sm, text)?.filled(ops, None, like.span))
}

/// Whether an operand is a register of lanes, as it is.
fn is_register(function: &Function, operand: Operand) -> bool {
    let is_one = match operand.op {
        Op::Reg(reg, _) => function.data(reg).file == File::Register,
        _ => false,
    };
    is_one && operand.marks == Marks::NONE
}
