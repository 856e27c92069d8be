//! What is the same for the whole warp goes to the uniform registers.
//!
//! ```text
//!   LDC %r2, c[0x0][0x218]                      ULDC %u2, c[0x0][0x218]
//!   ISETP.GE.AND %p0, PT, %r1, %r2, PT    ──►   ISETP.GE.AND %p0, PT, %r1, %u2, PT
//! ```
//!
//! Numbers and words of the constant bank become values of the uniform registers where every reader has a form with one:
//! they take no register of the threads, words of the bank are there after two cycles instead of the thirty of `LDC`,
//! and tell it without a scoreboard.
//!
//! Such a value is *fixed*: whenever and by whatever lanes it is computed, it is the same. So it does not matter which
//! lanes are there when it is, how often lanes that have parted compute it, and in which trip of a loop they are. What
//! is the same for lanes that are together, but changes from trip to trip, stays in registers of the threads: lanes that
//! have left a loop would see what others make of it. That nobody else writes the register while lanes are parted is up to
//! `assign_registers` (`analysis/sides.rs`), and `check::uniform` judges it.
//!
//! Calls change uniform registers: in functions, and in kernels that call some, a value is only made uniform where all that is done
//! with it is done in one block without a call, and without anything else at which other lanes may be executed; `sink_values` leaves
//! it there.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::names_registers;
use crate::analysis::sides::is_interrupted;
use crate::analysis::values::{Place, Values};
use crate::immediate::change_places;
use crate::ir::{File, Function, Inst, Op, Reg};
use crate::pattern;
use smallvec::SmallVec;
use warpc_sass::shape::Traits;
use warpc_sass::template::Kind;
use warpc_sass::{Shape, Value};
use warpc_target::Sm;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_uniform",
    run,
};

/// Uniform registers for values that live across blocks: with more, some would be computed again in loops.
const MOST_FAR: u32 = 40;
/// Readers of a value that are looked at.
const MOST_READERS: usize = 64;

fn run(function: &mut Function, _: &Limits) {
    let values = Values::of(function);
    let found = find(function, &values);
    let stays_near = stays_near(function);
    let mut far = 0;
    for (reg, own) in (0..).map(Reg).zip(&found) {
        if own.is_out || own.makers.is_empty() {
            continue;
        }
        let lanes = u32::from(function.data(reg).lanes);
        let is_near = is_near(function, own);
        if !is_near && (stays_near || far + lanes > MOST_FAR) {
            continue;
        }
        if change(function, reg, own).is_some() && !is_near {
            far += lanes;
        }
    }
}

/// Whether uniform registers hold values only where nobody else is executed: calls change them, and so do lanes of
/// the kernel that have parted from those that call a function.
pub(super) fn stays_near(function: &Function) -> bool {
    !function.is_kernel || function.calls()
}

/// Whether a value is made and read in one block, with no call between, nor anything else at which other lanes are executed.
fn is_near(function: &Function, known: &Known) -> bool {
    let places = || known.makers.iter().chain(&known.readers);
    let block = known.makers[0].block;
    if places().any(|place| place.block != block) {
        return false;
    }
    let (first, last) = places().fold((u32::MAX, 0), |(first, last), place| {
        (first.min(place.inst), last.max(place.inst))
    });
    let insts = &function.blocks[block.index()].insts[first as usize..=last as usize];
    insts.len() <= MOST_NEAR && !insts.iter().any(|inst| is_interrupted(inst.shape))
}

/// How many instructions are looked at.
const MOST_NEAR: usize = 256;

/// What is known of a register.
#[derive(Default)]
struct Known {
    /// Who writes it.
    makers: SmallVec<[Place; 2]>,
    /// Who reads it, each as often as it does.
    readers: SmallVec<[Place; 4]>,
    /// Whether it stays what it is.
    is_out: bool,
}

/// Finds who makes and reads registers; those that are not fixed are out.
fn find(function: &Function, values: &Values) -> Vec<Known> {
    let mut all: Vec<Known> = Vec::with_capacity(function.regs.len());
    all.resize_with(function.regs.len(), Known::default);
    for block in function.block_ids() {
        let insts = &function.blocks[block.index()].insts;
        for (inst, at) in insts.iter().zip(0..) {
            let place = Place { block, inst: at };
            for (reg, lane, lanes) in inst.writes() {
                let data = function.data(reg);
                let known = &mut all[reg.0 as usize];
                let fits = data.file == File::Register && data.lanes <= 2;
                let is_value = (lane..lane + lanes).all(|one| values.is_value(reg, one));
                known.is_out |= !fits || !is_value || !is_fixed(inst);
                known.makers.push(place);
            }
            for (reg, ..) in inst.reads() {
                let known = &mut all[reg.0 as usize];
                // Most registers are out: nothing is kept of them.
                known.is_out |= known.readers.len() >= MOST_READERS;
                if !known.is_out {
                    known.readers.push(place);
                }
            }
        }
    }
    all
}

/// Whether an instruction gives the same to all lanes whenever it is executed, and has a uniform form.
fn is_fixed(inst: &Inst) -> bool {
    let is_plain = inst.guard.is_none() && !names_registers(inst);
    is_plain
        && match inst.shape.opcode() {
            "MOV" => number(inst).is_some(),
            "LDC" => word(inst).is_some(),
            _ => false,
        }
}

/// The number that an instruction moves.
fn number(inst: &Inst) -> Option<u32> {
    match inst.operands.get(1)?.op {
        Op::Value(Value::Number(number)) => Some(number as u32),
        _ => None,
    }
}

/// The bank and place of the word that an instruction loads.
fn word(inst: &Inst) -> Option<(i64, i64)> {
    let [_, bank, index, place] = &inst.operands[..] else {
        return None;
    };
    match (bank.op, index.op, place.op) {
        (
            Op::Value(Value::Number(bank)),
            Op::Value(Value::ZERO),
            Op::Value(Value::Number(place)),
        ) => Some((bank, place)).filter(|_| (0..=MOST_PLACE).contains(&place)),
        _ => None,
    }
}

/// The last place of a bank that every form of a load takes.
const MOST_PLACE: i64 = 0x7fff;

/// The instruction that does the same for the warp.
fn uniform(sm: Sm, inst: &Inst) -> Option<Inst> {
    let text = match inst.shape.opcode() {
        "MOV" => format!("UMOV UR0, {:#x}", number(inst)?),
        _ => {
            let (bank, place) = word(inst)?;
            format!("U{} UR0, c[{bank:#x}][{place:#x}]", inst.shape.name())
        }
    };
    let pattern = pattern::find(sm, &text).filter(|one| one.holes.len() == 1)?;
    let to = inst.operands.first()?.op;
    let mut made = pattern.filled(&[to], None, inst.span);
    made.origin = inst.origin;
    Some(made)
}

/// Makes a value uniform; nothing, and no change, if somebody cannot read it then.
fn change(function: &mut Function, reg: Reg, known: &Known) -> Option<()> {
    let at = |place: &Place| (place.block.index(), place.inst as usize);
    let inst = |function: &Function, place: &Place| {
        let (block, inst) = at(place);
        function.blocks[block].insts[inst].clone()
    };
    let sm = function.sm;
    let mut new: SmallVec<[(Place, Inst); 8]> = SmallVec::new();
    let mut is_used = false;
    for place in &known.readers {
        let own = new.iter_mut().find(|one| one.0 == *place);
        let mut reader = match own {
            // It reads the value twice, and there is a form with one uniform operand only.
            Some(_) => return None,
            None => inst(function, place),
        };
        put(sm, &mut reader, reg)?;
        is_used |= reader.shape.opcode() != "MOV";
        new.push((*place, reader));
    }
    for place in &known.makers {
        new.push((*place, uniform(sm, &inst(function, place))?));
    }
    if !is_used {
        return None;
    }
    for (place, inst) in new {
        let (block, number) = at(&place);
        function.blocks[block].insts[number] = inst;
    }
    function.regs[reg.0 as usize].file = File::Uniform;
    Some(())
}

/// Has an instruction read a register as a uniform one.
fn put(sm: Sm, inst: &mut Inst, reg: Reg) -> Option<()> {
    if !inst.shape.traits().contains(Traits::COMPUTES) {
        return None;
    }
    let accesses = inst.shape.accesses().iter().zip(&inst.operands);
    let slot = accesses.into_iter().find_map(|(access, operand)| {
        let is_it = access.is_read && matches!(operand.op, Op::Reg(own, _) if own == reg);
        is_it.then_some(usize::from(access.slot))
    })?;
    if let Some(shape) = form(sm, inst, slot) {
        inst.shape = shape;
        return Some(());
    }
    let slot = change_places(inst, slot)?;
    inst.shape = form(sm, inst, slot)?;
    Some(())
}

/// The form of an instruction with a uniform register in a slot.
fn form(sm: Sm, inst: &Inst, slot: usize) -> Option<&'static Shape> {
    let own = &inst.shape.slots()[slot];
    if own.kind() != Kind::Register || own.in_address {
        return None;
    }
    let shape = inst.shape.with_kind(sm, slot, Kind::Uniform)?;
    let other = &shape.slots()[slot];
    let is_same = other.width == own.width && other.marks().has(inst.operands[slot].marks);
    is_same.then_some(shape)
}
