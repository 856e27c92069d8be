//! What is added to an address goes into the instruction that uses it.
//!
//! `[p+4]` where `p` is the value `a + 0x100` becomes `[a+0x104]`, if that number fits: 24 bits with a sign. Addresses of
//! 64 bits are sums in two halves.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_fuse::WideSum;
use crate::analysis::values::Values;
use crate::immediate::sources;
use crate::ir::{Function, Inst, Op, Operand};
use warpc_sass::template::Kind;
use warpc_sass::{Marks, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_address",
    run,
};

/// How many sums are followed.
const STEPS: usize = 8;
/// The largest number in an address: 24 bits with a sign.
const LARGEST: i64 = (1 << 23) - 1;

fn run(function: &mut Function, _: &Limits) {
    let values = Values::of(function);
    for block in function.block_ids() {
        for at in 0..function.blocks[block.index()].insts.len() {
            for _ in 0..STEPS {
                let inst = &function.blocks[block.index()].insts[at];
                let Some((base, offset, op, added)) = folded(function, &values, inst) else {
                    break;
                };
                let inst = &mut function.blocks[block.index()].insts[at];
                inst.operands[base].op = op;
                inst.operands[offset].op = Op::Value(Value::Number(added));
            }
        }
    }
}

/// The slots of an instruction's address and what is to stand there instead.
fn folded(function: &Function, values: &Values, inst: &Inst) -> Option<(usize, usize, Op, i64)> {
    if !matches!(
        inst.shape.opcode(),
        "LD" | "ST"
            | "LDG"
            | "STG"
            | "LDS"
            | "STS"
            | "LDL"
            | "STL"
            | "ATOM"
            | "ATOMG"
            | "ATOMS"
            | "RED"
            | "REDG"
            | "LDSM"
            | "STSM"
            | "LDGSTS"
    ) {
        return None;
    }
    let mut addresses = addresses(inst);
    addresses.find_map(|(base, offset)| {
        let (op, added) = folded_at(function, values, inst, (base, offset))?;
        Some((base, offset, op, added))
    })
}

/// The slots of the register and of the number of each address: a copy has two.
fn addresses(inst: &Inst) -> impl Iterator<Item = (usize, usize)> {
    let slots = inst.shape.slots();
    let mut base = None;
    (0..slots.len()).filter_map(move |at| match slots[at].kind() {
        _ if !slots[at].in_address => None,
        Kind::Register => {
            base = Some(at);
            None
        }
        Kind::Signed => base.take().map(|base| (base, at)),
        _ => None,
    })
}

/// What is to stand in the two slots of an address instead.
fn folded_at(
    function: &Function,
    values: &Values,
    inst: &Inst,
    (base, offset): (usize, usize),
) -> Option<(Op, i64)> {
    let slots = inst.shape.slots();
    let Op::Value(Value::Number(known)) = inst.operands[offset].op else {
        return None;
    };
    let Op::Reg(reg, lane) = inst.operands[base].op else {
        return None;
    };
    let (op, more) = match slots[base].width.registers(u128::MAX) {
        1 => narrow(function, values, reg, lane)?,
        2 => wide(function, values, reg, lane)?,
        _ => return None,
    };
    let added = known.checked_add(more)?;
    let fits = (-LARGEST..=LARGEST).contains(&added) && slots[offset].fits(Value::Number(added));
    fits.then_some((op, added))
}

fn number(operand: Operand) -> Option<i64> {
    match (operand.op, operand.marks) {
        (Op::Value(Value::Number(number)), Marks::NONE) => Some(number),
        (Op::Value(Value::ZERO), Marks::NONE) => Some(0),
        _ => None,
    }
}

/// The register and the number of which a lane is the sum.
fn narrow(
    function: &Function,
    values: &Values,
    reg: crate::ir::Reg,
    lane: u8,
) -> Option<(Op, i64)> {
    let place = values.write(reg, lane)?;
    let inst = function.blocks[place.block.index()]
        .insts
        .get(place.inst as usize)?;
    if inst.shape.name() != "IADD3" || inst.guard.is_some() || inst.writes().count() != 1 {
        return None;
    }
    let mut at = sources(inst.shape);
    let parts = [at.next()?, at.next()?, at.next()?].map(|slot| inst.operands[slot]);
    let mut base = None;
    let mut added = 0i64;
    for part in parts {
        match (number(part), part.op, part.marks) {
            (Some(bits), ..) => added = i64::from((added as i32).wrapping_add(bits as i32)),
            (None, Op::Reg(from, from_lane), Marks::NONE)
                if base.is_none() && values.is_value(from, from_lane) =>
            {
                base = Some(part.op);
            }
            _ => return None,
        }
    }
    Some((base?, added))
}

/// The pair and the number of which a pair is the sum.
fn wide(function: &Function, values: &Values, reg: crate::ir::Reg, lane: u8) -> Option<(Op, i64)> {
    let low = values.write(reg, lane)?;
    let high = values.write(reg, lane + 1)?;
    if low.block != high.block || low.inst >= high.inst {
        return None;
    }
    let sum = WideSum::at(function, values, high.block, high.inst as usize)?;
    if sum.to != (Op::Reg(reg, lane), Op::Reg(reg, lane + 1)) || sum.low != low.inst as usize {
        return None;
    }
    let [first, second] = sum.parts;
    for (one, other) in [(first, second), (second, first)] {
        let (Op::Reg(from, from_lane), Op::Reg(upper, upper_lane)) = (one.0.op, one.1.op) else {
            continue;
        };
        let (Some(low), Some(high)) = (number(other.0), number(other.1)) else {
            continue;
        };
        let is_pair = from == upper
            && upper_lane == from_lane + 1
            && from_lane % 2 == 0
            && function.data(from).alignment().is_multiple_of(2)
            && one.0.marks == Marks::NONE
            && one.1.marks == Marks::NONE
            && values.is_value(from, from_lane)
            && values.is_value(upper, upper_lane);
        if is_pair {
            let added = (i64::from(high as u32) << 32) | i64::from(low as u32);
            return Some((one.0.op, added));
        }
    }
    None
}
