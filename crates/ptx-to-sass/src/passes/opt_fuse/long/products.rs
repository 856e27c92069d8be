//! Products of 64 bits with what is added to them.

use super::{At, Load, Long, copy, is_register, pair};
use crate::immediate::sources;
use crate::ir::{BlockId, File, Function, Inst, Op, Operand};
use crate::passes::opt_fuse::{WideSum, inner, is_zero, three};
use smallvec::{SmallVec, smallvec};
use warpc_sass::shape::Space;
use warpc_sass::{Marks, Value};

/// A product: of two words, and of their upper halves with the others, which are added to its upper half.
struct Product {
    /// `IMAD.WIDE`.
    wide: Inst,
    /// `IMAD` that add to the upper half, the last one first.
    rest: SmallVec<[Inst; 2]>,
    places: SmallVec<[At; 3]>,
    /// Whether somebody else needs it, too.
    is_shared: bool,
}

/// Cycles that the two instructions of a sum take.
const SUM: u32 = 4;

/// The slot of what is added to a product.
fn added_slot(inst: &Inst) -> Option<usize> {
    sources(inst.shape).nth(2)
}

/// Puts the result of an instruction in another place, and what is added to its product.
fn with(inst: &Inst, to: Op, added: Op) -> Option<Inst> {
    let mut made = inst.clone();
    let slot = added_slot(inst)?;
    made.operands[slot] = Operand::plain(added);
    let result = inst.shape.written_slots().first()?.slot;
    made.operands[usize::from(result)] = Operand::plain(to);
    Some(made)
}

impl Long {
    /// A sum with a product among what is added.
    pub(super) fn sum_with_product(
        &mut self,
        function: &mut Function,
        place: At,
        sum: &WideSum,
        load: &mut Load,
    ) -> Option<()> {
        let [(x, u), (y, v)] = sum.parts;
        if [x, y, u, v].iter().any(|one| one.marks != Marks::NONE) {
            return None;
        }
        // For each way to take a lower and an upper half.
        for ((low, other_low), (high, other_high)) in [
            ((x, y), (u, v)),
            ((y, x), (v, u)),
            ((x, y), (v, u)),
            ((y, x), (u, v)),
        ] {
            let added = match pair(function, other_low.op, other_high.op) {
                Some(added) => Ok(added),
                // A word that is moved to a pair takes no more instructions, but any pipe.
                None if is_register(function, other_low)
                    && is_zero(other_high)
                    && load.integers > load.products =>
                {
                    Err(other_low.op)
                }
                None => continue,
            };
            let Some(product) = self.product(function, place.0, low.op, high.op, *load) else {
                continue;
            };
            let in_address = match sum.to.0 {
                Op::Reg(reg, lane) => self.in_addresses[self.values.index(reg, lane)],
                _ => true,
            };
            // What is added may be uniform, and then take no registers, which a pair would.
            if product.is_shared && in_address && self.is_constant(function, other_low.op) {
                continue;
            }
            let made = sum_of(function, place, sum, &product, added)?;
            if product.is_shared {
                load.products += u32::from(product.wide.shape.issue());
            }
            if added.is_err() {
                load.products += u32::from(product.wide.shape.issue()) / 2;
            }
            load.integers = load.integers.saturating_sub(SUM);
            let places = product.places;
            let changes = [((place.0, sum.low), SmallVec::new()), (place, made)];
            self.change(changes, &places);
            return Some(());
        }
        None
    }

    /// Whether a word is loaded from the constant bank.
    pub(super) fn is_constant(&self, function: &Function, op: Op) -> bool {
        let made = inner(function, &self.values, op);
        made.is_some_and(|inst| inst.shape.memory().space == Space::Constant)
    }

    /// The product with these halves, if nobody else needs it, or if another sum does and products are cheap.
    fn product(
        &self,
        function: &Function,
        block: BlockId,
        low: Op,
        high: Op,
        load: Load,
    ) -> Option<Product> {
        let Op::Reg(reg, lane) = low else { return None };
        let (at, wide) = self.made(function, block, low)?;
        let is_wide = matches!(wide.shape.name(), "IMAD.WIDE" | "IMAD.WIDE.U32");
        let added = wide.operands[added_slot(wide)?];
        let starts = wide
            .writes()
            .next()
            .is_some_and(|one| (one.0, one.1) == (reg, lane));
        if !is_wide || wide.writes().count() != 1 || !starts || !is_zero(added) {
            return None;
        }
        let upper = Op::Reg(reg, lane + 1);
        let mut product = Product {
            wide: wide.clone(),
            rest: SmallVec::new(),
            places: smallvec![at],
            is_shared: self.reads(low) > 1,
        };
        let mut next = high;
        while next != upper {
            let (at, inst) = self.made(function, block, next)?;
            let is_product = matches!(inst.shape.name(), "IMAD" | "IMAD.U32");
            let [_, _, added] = three(inst)?;
            let more = product.rest.len() < 2 && added.marks == Marks::NONE;
            if !is_product || !more || self.reads(next) != 1 {
                return None;
            }
            product.rest.push(inst.clone());
            product.places.push(at);
            next = added.op;
        }
        match (self.reads(low), self.reads(upper)) {
            (1, 1) => Some(product),
            // Twice the product instead of two sums, which are two instructions each.
            (2, 2) if product.rest.is_empty() && load.integers > load.products + 2 * SUM => {
                Some(product)
            }
            _ => None,
        }
    }
}

/// The instructions of a product that begins with what is added: a pair, or a word that is to become one.
fn sum_of(
    function: &mut Function,
    place: At,
    sum: &WideSum,
    product: &Product,
    added: Result<Op, Op>,
) -> Option<SmallVec<[Inst; 4]>> {
    let mut made: SmallVec<[Inst; 4]> = SmallVec::new();
    let like = function.blocks[place.0.index()].insts[place.1].clone();
    let added = match added {
        Ok(pair) => pair,
        Err(word) => {
            let pair = function.reg(File::Register, 2);
            made.push(copy(function, &like, Op::Reg(pair, 0), word)?);
            made.push(copy(
                function,
                &like,
                Op::Reg(pair, 1),
                Op::Value(Value::ZERO),
            )?);
            Op::Reg(pair, 0)
        }
    };
    let here = |inst: Inst| Inst {
        span: like.span,
        ..inst
    };
    let whole = pair(function, sum.to.0, sum.to.1).filter(|_| product.rest.is_empty());
    if let Some(to) = whole {
        made.push(here(with(&product.wide, to, added)?));
        return Some(made);
    }
    let wide = function.reg(File::Register, 2);
    made.push(here(with(&product.wide, Op::Reg(wide, 0), added)?));
    made.push(copy(function, &like, sum.to.0, Op::Reg(wide, 0))?);
    let mut upper = Op::Reg(wide, 1);
    for (number, inst) in product.rest.iter().enumerate().rev() {
        let to = match number {
            0 => sum.to.1,
            _ => Op::Reg(function.reg(File::Register, 1), 0),
        };
        made.push(here(with(inst, to, upper)?));
        upper = to;
    }
    if product.rest.is_empty() {
        made.push(copy(function, &like, sum.to.1, upper)?);
    }
    Some(made)
}
