//! Two instructions become one: products and shifts with what is added to them, sums of three, logic of three, rotations,
//! bytes that are picked and packed, predicates that are combined.
//!
//! | inner | outer | becomes | file |
//! |---|---|---|---|
//! | `IMAD.WIDE w, x, y, RZ` | 64-bit sum of `w` and `a` | `IMAD.WIDE d, x, y, a` | `wide` |
//! | 64-bit shift of `x` by `n` | 64-bit sum of it and `a` | `LEA d.0, c, x.0, a.0, n` and `LEA.HI.X d.1, x.0, a.1, x.1, n, c` | `wide` |
//! | shift by `n` that loses nothing, zeros above | 64-bit sum of it and `a` | `IMAD.WIDE.U32 d, x, 2^n, a` | `wide` |
//! | `x` with its sign or zeros above, shifted or not | 64-bit sum of it and `a` | `IMAD.WIDE d, x, 2^n, a` | `wide` |
//! | signs above 32 bits of `x` and `y` | 64-bit product | `IMAD.WIDE d, x, y, a` | `wide` |
//! | `IMAD t, x, y, RZ` | `IADD3 d, t, z, RZ` | `IMAD d, x, y, z` | `sums` |
//! | `SHF.L.U32 t, x, n, RZ` | `IADD3 d, t, z, RZ` | `LEA d, x, z, n` | `sums` |
//! | `IADD3 t, x, y, RZ` | `IADD3 d, t, z, RZ` | `IADD3 d, x, y, z` | `sums` |
//! | `SEL t, RZ, 0x1, !p` | `IADD3 d, t, z, RZ` | `IADD3.X d, z, RZ, RZ, p, !PT` | `sums` |
//! | `IADD3 t, x, -y, RZ` | `IADD3 d, z, -t, RZ` | `IADD3 d, z, -x, y` | `sums` |
//! | `LOP3 t, x, y, RZ` | `LOP3 d, t, z, RZ` | `LOP3 d, x, y, z` | `logic` |
//! | `x << n`, `y >> (32 - n)` | their sum, or, exclusive or | `SHF.L.U32.HI d, y, n, x` | `bytes` |
//! | shifts by bytes, masks of bytes, `PRMT` | the same | `PRMT d, x, selector, y` | `bytes` |
//! | two singles as halves, each in a word | `PRMT` of both | `F2FP.PACK_AB d, x, y` | `halves` |
//! | upper half of `x` | `HADD2.F32 d, -RZ, t.H0_H0` | `HADD2.F32 d, -RZ, x.H1_H1` | `halves` |
//! | `ISETP p, x, y` | `PLOP3` of `p` and `q`: and, or, exclusive or | `ISETP d, x, y, q` | `predicates` |
//! | `LOP3 t, x, y, z` | `ISETP.NE p, t, RZ` | `LOP3 p, RZ, x, y, z` | `predicates` |
//! | `ISETP.NE p, x.0, RZ` | `ISETP.NE.EX q, x.1, RZ, p` | `LOP3 q, RZ, x.0, x.1` | `predicates` |
//! | `VIMNMX t, x, y` | `VIMNMX d, t, z` | `VIMNMX3 d, x, y, z`, with zero `.RELU` | `extremes` |
//! | `IADD3 t, x, y, RZ` | `VIMNMX d, t, z` | `VIADDMNMX d, x, y, z` | `extremes` |
//! | `FADD t, -x, -RZ`, with bars | `FADD`, `FMUL`, `FFMA`, `FSETP`, `FMNMX` of `t` | the same of `-x` | `signs` |
//!
//! Before that sums and products of 64 bits are put together in a walk of their own (`long`), and halves that are packed where two ways
//! meet are packed on each of them (`joined`).
//!
//! What the inner one reads must be values, so that they are the same at the outer one. Where it is not gone afterwards
//! nothing is won, so that it must be read once in most cases; with a sum of 64 bits an instruction is saved in any case. Inner ones go with `opt_dce`.

mod bytes;
mod extremes;
mod halves;
mod joined;
mod logic;
mod long;
mod predicates;
mod signs;
mod sums;
mod wide;

pub(crate) use wide::WideSum;

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::names_registers;
use crate::analysis::known_bits::KnownBits;
use crate::analysis::values::Values;
use crate::immediate::{Immediates, sources};
use crate::ir::{BlockId, Function, Inst, Op, Operand};
use crate::pattern;
use smallvec::SmallVec;
use warpc_sass::Value;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_fuse",
    run,
};

/// How many that make what it reads an instruction takes.
const STEPS: usize = 4;

/// What is known while instructions are put together. Places stay as they were found until the end.
struct Fuse {
    values: Values,
    known: KnownBits,
    immediates: Immediates,
    gone: Vec<(BlockId, usize)>,
    /// What is put after an instruction.
    more: Vec<(BlockId, usize, Inst)>,
}

fn run(function: &mut Function, _: &Limits) {
    joined::run(function);
    let values = long::run(function);
    let mut fuse = Fuse {
        known: KnownBits::of(function, &values),
        values,
        immediates: Immediates::default(),
        gone: Vec::new(),
        more: Vec::new(),
    };
    for block in function.block_ids() {
        for at in 0..function.blocks[block.index()].insts.len() {
            for _ in 0..STEPS {
                let Some(made) = fuse.fused(function, block, at) else {
                    break;
                };
                function.blocks[block.index()].insts[at] = made;
            }
        }
    }
    fuse.finish(function);
}

impl Fuse {
    /// What an instruction becomes with those that make what it reads.
    fn fused(&mut self, function: &mut Function, block: BlockId, at: usize) -> Option<Inst> {
        let inst = &function.blocks[block.index()].insts[at];
        match inst.shape.opcode() {
            "IADD3" if inst.shape.name() == "IADD3" => {
                let made = self.funnel(function, inst);
                let (values, immediates) = (&self.values, &mut self.immediates);
                made.or_else(|| sums::counted(function, values, immediates, inst))
                    .or_else(|| sums::sum(function, values, immediates, inst))
            }
            "IADD3" => self.wide(function, block, at),
            "LOP3" => {
                let made = self.funnel(function, inst);
                made.or_else(|| self.bytes(function, inst))
                    .or_else(|| logic::logic(function, &self.values, &mut self.immediates, inst))
            }
            "VIMNMX" => extremes::extreme(function, &self.values, &mut self.immediates, inst),
            "PRMT" => {
                let made = self.packed(function, inst);
                made.or_else(|| self.bytes(function, inst))
            }
            "SHF" | "SGXT" => self.bytes(function, inst),
            "HADD2" => self.upper(function, inst),
            "IMAD" => self.long_product(function, block, at),
            "PLOP3" => self.combined(function, inst),
            "ISETP" => self.tested(function, block, at),
            "FADD" | "FMUL" | "FFMA" | "FSETP" | "FMNMX" | "DADD" | "DMUL" | "DFMA" | "DSETP" => {
                self.signed(function, inst)
            }
            _ => None,
        }
    }

    /// Puts in and takes out what was found.
    fn finish(mut self, function: &mut Function) {
        self.more.sort_by_key(|(block, at, _)| (*block, *at));
        self.gone.sort_unstable();
        let (mut more, mut gone) = (self.more.into_iter().rev().peekable(), self.gone);
        // From the end on: places before stay as they were found.
        loop {
            let next = more.peek().map(|one| (one.0, one.1));
            match (next, gone.last().copied()) {
                (Some(next), last) if last.is_none_or(|last| last < next) => {
                    if let Some((block, at, inst)) = more.next() {
                        function.blocks[block.index()].insts.insert(at + 1, inst);
                    }
                }
                (_, Some((block, at))) => {
                    function.blocks[block.index()].insts.remove(at);
                    gone.pop();
                }
                _ => break,
            }
        }
    }
}

/// The instruction that makes a lane, if it is a value and its operands are.
pub(super) fn inner<'a>(function: &'a Function, values: &Values, op: Op) -> Option<&'a Inst> {
    let Op::Reg(reg, lane) = op else { return None };
    let place = values.write(reg, lane)?;
    let inst = function.blocks[place.block.index()]
        .insts
        .get(place.inst as usize)?;
    let is_value =
        |(reg, lane, count): (_, u8, u8)| (lane..lane + count).all(|one| values.is_value(reg, one));
    let makes = (inst.writes()).any(|one| one.0 == reg && (one.1..one.1 + one.2).contains(&lane));
    let plain = inst.guard.is_none() && !names_registers(inst);
    (plain && makes && inst.reads().all(is_value)).then_some(inst)
}

/// The same, if nobody else reads it.
pub(super) fn inner_once<'a>(function: &'a Function, values: &Values, op: Op) -> Option<&'a Inst> {
    let Op::Reg(reg, lane) = op else { return None };
    (values.reads(reg, lane) == 1)
        .then(|| inner(function, values, op))
        .flatten()
}

/// The three sources of a sum or of logic; nothing if it has predicates among its results or operands.
pub(super) fn three(inst: &Inst) -> Option<[Operand; 3]> {
    if inst.guard.is_some() {
        return None;
    }
    let mut at = sources(inst.shape);
    let all = [at.next()?, at.next()?, at.next()?];
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let mut results = 0;
    for (slot, operand) in slots {
        match operand.op {
            Op::Reg(..) if slot.file == Some(warpc_sass::latency::File::Predicate) => return None,
            _ if slot.is_written() && matches!(operand.op, Op::Reg(..)) => results += 1,
            _ => {}
        }
    }
    (results == 1).then(|| all.map(|slot| inst.operands[slot]))
}

pub(super) fn is_zero(operand: Operand) -> bool {
    operand.op == Op::Value(Value::ZERO)
}

pub(super) fn number(operand: Operand) -> Option<u32> {
    match operand.op {
        Op::Value(Value::Number(number)) => Some(number as u32),
        Op::Value(Value::ZERO) => Some(0),
        _ => None,
    }
}

pub(super) fn result(inst: &Inst) -> Option<Op> {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    slots
        .filter(|(slot, operand)| slot.is_written() && matches!(operand.op, Op::Reg(..)))
        .map(|(_, operand)| operand.op)
        .next()
}

/// An instruction by the example of a text.
fn make(function: &Function, text: &str, like: &Inst, ops: &[Operand]) -> Option<Inst> {
    let pattern = pattern::find(function.sm, text).filter(|one| one.holes.len() == ops.len())?;
    let mut operands: SmallVec<[Operand; 6]> = (pattern.inst.operands.iter())
        .map(|one| Operand {
            op: Op::Value(one.value),
            marks: one.marks,
        })
        .collect();
    for (&slot, one) in pattern.holes.iter().zip(ops) {
        let to = &pattern.inst.shape.slots()[slot];
        let fits = match one.op {
            Op::Value(Value::Number(_)) => true,
            Op::Value(value) => to.fits(value),
            _ => true,
        };
        if !to.marks().has(one.marks) || !fits {
            return None;
        }
        operands[slot] = *one;
    }
    Some(Inst {
        shape: pattern.inst.shape,
        guard: None,
        operands,
        span: like.span,
        origin: None,
        acquires: false,
        contracts: false,
        weak: false,
    })
}

/// An instruction whose sources may be numbers, of which it has at most one.
pub(super) fn make_with_numbers(
    function: &Function,
    immediates: &mut Immediates,
    text: &str,
    like: &Inst,
    ops: &[Operand],
) -> Option<Inst> {
    let mut made = make(function, text, like, ops)?;
    for slot in 0..made.operands.len() {
        let is_register = made.shape.slots()[slot].kind() == warpc_sass::template::Kind::Register;
        if let Op::Value(Value::Number(bits)) = made.operands[slot].op
            && is_register
            && !immediates.put(function.sm, &mut made, slot, bits as u32)
        {
            return None;
        }
    }
    Some(made)
}
