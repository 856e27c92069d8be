//! A product and the sum that it is in become one instruction, with one rounding in place of two.
//!
//! | product | sum | becomes |
//! |---|---|---|
//! | `contract FMUL t, x, y` | `contract FADD d, t, z` | `FFMA d, x, y, z` |
//! | the same | `contract FADD d, z, -t` | `FFMA d, -x, y, z` |
//! | `contract DMUL t, x, y` | `contract DADD d, t, z` | `DFMA d, x, y, z` |
//! | `contract HMUL2 t, x, y` | `contract HADD2 d, t, z` | `HFMA2 d, x, y, z` |
//! | `contract HMUL2.BF16_V2 t, x, y` | `contract HFMA2.BF16_V2 d, t, 1, 1, z` | `HFMA2.BF16_V2 d, x, y, z` |
//!
//! That changes results, so both must be marked ([`Inst::contracts`]): instructions of PTX that do not name a rounding, where
//! the options ask for it. The product is read by the sum alone and is in its block. Both flush small numbers or neither
//! does; a product that saturates stays, a sum that does gives that on. Source: what ptxas 13.4 does with `--fmad=true`.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_fuse::{inner, make_with_numbers};
use crate::analysis::values::Values;
use crate::immediate::{Immediates, sources};
use crate::ir::{BlockId, Function, Inst, Op};
use crate::pattern;
use warpc_sass::Marks;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_contract",
    run,
};

fn run(function: &mut Function, _: &Limits) {
    let mut blocks = function.blocks.iter();
    if !blocks.any(|block| block.insts.iter().any(|inst| inst.contracts)) {
        return;
    }
    let values = Values::of(function);
    let mut immediates = Immediates::default();
    for block in function.block_ids() {
        for at in 0..function.blocks[block.index()].insts.len() {
            let inst = &function.blocks[block.index()].insts[at];
            if inst.contracts
                && let Some(made) = contracted(function, &values, &mut immediates, block, inst)
            {
                function.blocks[block.index()].insts[at] = made;
            }
        }
    }
}

/// A sum with one of its products.
fn contracted(
    function: &Function,
    values: &Values,
    immediates: &mut Immediates,
    block: BlockId,
    sum: &Inst,
) -> Option<Inst> {
    let own = || sources(sum.shape);
    // A sum that is a product with one has that between its two.
    let (first, last) = (sum.operands[own().next()?], sum.operands[own().last()?]);
    let to = *sum.operands.first()?;
    for (product, other) in [(first, last), (last, first)] {
        if !matches!(product.marks, Marks::NONE | Marks::MINUS)
            || !is_read_once(function, values, block, product.op)
        {
            continue;
        }
        let Some(inner) = inner(function, values, product.op).filter(|one| one.contracts) else {
            continue;
        };
        let Some(text) = fused(function, inner, sum) else {
            continue;
        };
        let mut factors = sources(inner.shape).map(|slot| inner.operands[slot]);
        let (Some(mut x), Some(y)) = (factors.next(), factors.next()) else {
            continue;
        };
        x.marks = Marks(x.marks.0 ^ product.marks.0);
        let ops = [to, x, y, other];
        if let Some(made) = make_with_numbers(function, immediates, &text, sum, &ops) {
            return Some(Inst {
                guard: sum.guard,
                ..made
            });
        }
    }
    None
}

/// Whether a product is read once, by somebody in its block.
fn is_read_once(function: &Function, values: &Values, block: BlockId, op: Op) -> bool {
    let Op::Reg(reg, first) = op else {
        return false;
    };
    let lanes = first..function.data(reg).lanes;
    let is_here = values
        .write(reg, first)
        .is_some_and(|place| place.block == block);
    is_here && lanes.into_iter().all(|lane| values.reads(reg, lane) <= 1)
}

/// The text of a product of one kind with a sum of another; nothing if they do not go together.
fn fused(function: &Function, product: &Inst, sum: &Inst) -> Option<String> {
    let (inner, outer) = (product.shape.name(), sum.shape.name());
    let single = |rest: &str| format!("FFMA{rest} R0, R0, R0, R0");
    match (inner, outer.split_once('.').map_or(outer, |one| one.0)) {
        ("FMUL", "FADD") if matches!(outer, "FADD" | "FADD.SAT") => {
            return Some(single(&outer["FADD".len()..]));
        }
        ("FMUL.FTZ", "FADD") if matches!(outer, "FADD.FTZ" | "FADD.FTZ.SAT") => {
            return Some(single(&outer["FADD".len()..]));
        }
        ("DMUL", "DADD") => return Some("DFMA R0, R0, R0, R0".to_owned()),
        (_, "HADD2" | "HFMA2") => {}
        _ => return None,
    }
    // One number in a register, or two.
    let is = |text: String, inst: &Inst| {
        let found = pattern::find(function.sm, &text);
        found.is_some_and(|found| std::ptr::eq(found.inst.shape, inst.shape))
    };
    for half in [".H0_H0", ""] {
        for (format, flush) in [("", ""), ("", ".FTZ"), (".BF16_V2", "")] {
            if !is(
                format!("HMUL2{format}{flush} R0, R0{half}, R0{half}"),
                product,
            ) {
                continue;
            }
            for saturated in ["", ".SAT"] {
                let more = format!("{format}{flush}{saturated}");
                let text = match format {
                    "" => format!("HADD2{more} R0, R0{half}, R0{half}"),
                    _ => format!("HFMA2{more} R0, R0{half}, 1, 1, R0{half}"),
                };
                if is(text, sum) {
                    return Some(format!("HFMA2{more} R0, R0{half}, R0{half}, R0{half}"));
                }
            }
        }
    }
    None
}
