//! Products of a warpgroup that are under way are left alone.
//!
//! PTX says that nobody touches their registers between `wgmma.mma_async` and a wait, but code that compilers make has
//! moves there, and so may ours. Where an instruction reads an accumulator, or writes a register of a product, that is
//! under way, it waits first. Where an instruction writes a register of a product after `WARPGROUP.ARRIVE`, there is
//! another one before the product.

use crate::analysis::in_flight::{InFlight, State};
use crate::build::group::{EMPTY_PRODUCT, is_product};
use crate::ir::{Function, Inst, Op, Reg};
use crate::pattern;
use warpc_sass::shape::Traits;
use warpc_sass::template::Kind;

/// Puts in what is missing; nothing if the chip does not have it.
pub fn wait_for_groups(function: &mut Function) -> Option<()> {
    let Some(in_flight) = InFlight::of(function) else {
        return Some(());
    };
    for number in function.block_ids() {
        let mut state = in_flight.at(number).clone();
        let mut written: Vec<(Reg, u8, u8)> = Vec::new();
        let insts = std::mem::take(&mut function.blocks[number.index()].insts);
        let mut all = Vec::with_capacity(insts.len());
        for inst in insts {
            if let Some(ended) = state.conflict(&inst) {
                wait(function, &mut state, ended, &inst, &mut all)?;
            }
            if is_product(&inst) {
                let mut own = registers(&inst);
                let is_late = own.any(|(reg, lane, lanes)| {
                    (written.iter())
                        .any(|one| one.0 == reg && one.1 < lane + lanes && lane < one.1 + one.2)
                });
                if is_late {
                    all.push(make(function, "WARPGROUP.ARRIVE", &inst)?);
                    written.clear();
                }
            } else if inst.shape.opcode() == "WARPGROUP" {
                if inst.shape.has("ARRIVE") {
                    written.clear();
                }
            } else {
                written.extend(inst.writes());
            }
            state.step(&inst);
            all.push(inst);
        }
        function.blocks[number.index()].insts = all;
    }
    Some(())
}

/// The registers of the register file that a product names.
fn registers(inst: &Inst) -> impl Iterator<Item = (Reg, u8, u8)> + '_ {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    slots.filter_map(|(slot, operand)| match operand.op {
        Op::Reg(reg, lane) if slot.kind() == Kind::Register => {
            Some((reg, lane, slot.width.registers(u128::MAX).max(1)))
        }
        _ => None,
    })
}

/// Waits for products since which so many groups have ended.
fn wait(
    function: &Function,
    state: &mut State,
    ended: u8,
    like: &Inst,
    all: &mut Vec<Inst>,
) -> Option<()> {
    let mut left = ended;
    if ended == 0 {
        let empty = make(function, EMPTY_PRODUCT, like)?;
        debug_assert!(empty.shape.traits().contains(Traits::RAISES_GROUP));
        state.step(&empty);
        all.push(empty);
        left = 1;
    }
    let text = format!("WARPGROUP.DEPBAR.LE gsb0, {:#x}", left - 1);
    let waits = make(function, &text, like)?;
    state.step(&waits);
    all.push(waits);
    Some(())
}

/// An instruction whose operands are those of the text.
fn make(function: &Function, text: &str, like: &Inst) -> Option<Inst> {
    let pattern = pattern::find(function.sm, text)?;
    Some(pattern.filled(&[], None, like.span))
}
