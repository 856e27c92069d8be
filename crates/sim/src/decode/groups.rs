//! Decodes products of warpgroups (`wgmma`), and finds the steps that touch their registers and those of `tcgen05.ld`.
//!
//! The registers of a product or a load, and those that they are copied to, have places of their own for the whole function: what is
//! known of them while a product is under way is kept by place.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use super::registers;
use crate::exec::groups::touched::Touch;
use crate::exec::groups::{Group, GroupProduct};
use crate::exec::tensor::Tensor;
use crate::matrix::group::{GroupOperation, Settings};
use crate::program::{Code, Dst, Op, Slot, Src, Visitor, Word};
use rustc_hash::{FxHashMap, FxHashSet};

impl Decoder<'_> {
    pub(super) fn group(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let syntax = of.choice.form.form().row.syntax;
        let what = syntax.split('.').nth(1).unwrap_or("");
        let group = match what {
            "fence" => Group::Fence,
            "commit_group" => Group::Commit,
            "wait_group" => match self.needed(of, "n")? {
                Src::Imm(left) => Group::Wait(u32::try_from(left).unwrap_or(u32::MAX)),
                _ => return self.refuse_form(of),
            },
            _ => Group::Product(Box::new(self.group_product(of)?)),
        };
        Ok(Op::Group(Box::new(group)))
    }

    fn group_product(&mut self, of: Operands<'_>) -> Result<GroupProduct, Refused> {
        let mut constant = |name: &str| -> Result<Option<i64>, Refused> {
            match self.source(of, name)? {
                None => Ok(None),
                Some(Src::Imm(value)) => Ok(Some(i64::from(value as i32))),
                Some(_) => self.refuse_form(of),
            }
        };
        let mut settings = Settings::default();
        for (side, scale, turn) in [
            (0, "imm_scale_a", "imm_trans_a"),
            (1, "imm_scale_b", "imm_trans_b"),
        ] {
            settings.negated[side] = constant(scale)? == Some(-1);
            settings.turned[side] = constant(turn)? == Some(1);
        }
        let selector = constant("sp_sel")?.unwrap_or(0) as u64;
        let Some(operation) = GroupOperation::new(of.choice, settings) else {
            return self.refuse_form(of);
        };
        let d: Box<[Dst]> = self.destination_list(of, "d")?.into_iter().collect();
        let old: Box<[Src]> = self.source_list(of, "d")?.into_iter().collect();
        let a: Box<[Src]> = self.source_list(of, "a")?.into_iter().collect();
        let a_matrix = self.source(of, "a_desc")?;
        let metadata = match operation.is_sparse() {
            true => Some((self.needed(of, "sp_meta")?, selector)),
            false => None,
        };
        let registers = operation.d_registers();
        let a_fits = a_matrix.is_some() || a.len() == operation.a_registers();
        if d.len() != registers || old.len() != registers || !a_fits {
            return self.refuse_form(of);
        }
        Ok(GroupProduct {
            operation,
            d,
            old,
            a,
            a_matrix,
            b_matrix: self.needed(of, "b_desc")?,
            metadata,
            adds: self.needed(of, "scale_d")?,
            watched: Default::default(),
        })
    }
}

/// Numbers registers anew, and finds what steps do to those of products.
pub(super) fn share(code: &mut Code) {
    let mut kept = used(code);
    registers::share(code, &mut kept);
    if kept.is_empty() {
        return;
    }
    let numbers: FxHashMap<Slot, u32> = (kept.iter().enumerate())
        .map(|(number, slot)| (*slot, number as u32))
        .collect();
    code.watched = kept.len();
    let mut all = Vec::with_capacity(code.steps.len());
    for step in &mut code.steps {
        let mut found = Touches {
            numbers: &numbers,
            list: Vec::new(),
        };
        match &mut step.op {
            Op::Group(group) => {
                if let Group::Product(product) = &mut **group {
                    let of = |slots: Vec<Slot>| slots.iter().map(|slot| numbers[slot]).collect();
                    product.watched = (of(words_of(&product.old)), of(words_of(&product.a)));
                }
            }
            Op::Tensor(tensor) => match &mut **tensor {
                Tensor::Load(to, _, watched) => {
                    *watched = written(to).iter().map(|slot| numbers[slot]).collect();
                }
                tensor => tensor.visit(&mut found),
            },
            Op::Word(Word::Move, to, from, ..) => found.copy(*to, *from),
            Op::Move(list) => {
                for (to, from) in list.iter() {
                    match to {
                        Dst::W(to, u32::MAX) => found.copy(*to, *from),
                        _ => found.read(&mut from.clone()),
                    }
                }
            }
            Op::Return => {
                for place in &mut code.returns {
                    place.visit(&mut found);
                }
            }
            op => op.visit(&mut found),
        }
        all.push(found.list.into_boxed_slice());
    }
    code.touches = all;
}

fn written(list: &[Dst]) -> Vec<Slot> {
    let word = |to: &Dst| match to {
        Dst::W(slot, u32::MAX) => Some(*slot),
        _ => None,
    };
    list.iter().filter_map(word).collect()
}

fn words_of(sources: &[Src]) -> Vec<Slot> {
    let word = |source: &Src| match source {
        Src::W(slot) => Some(*slot),
        _ => None,
    };
    sources.iter().filter_map(word).collect()
}

/// The words that products and loads use, and those that they are copied to.
fn used(code: &Code) -> Vec<Slot> {
    let mut used = FxHashSet::default();
    let mut copies: FxHashMap<Slot, Vec<Slot>> = FxHashMap::default();
    for step in &code.steps {
        match &step.op {
            Op::Group(group) => {
                if let Group::Product(product) = &**group {
                    used.extend(words_of(&product.old));
                    used.extend(words_of(&product.a));
                }
            }
            Op::Tensor(tensor) => {
                if let Tensor::Load(to, ..) = &**tensor {
                    used.extend(written(to));
                }
            }
            Op::Word(Word::Move, to, Src::W(from), ..) => {
                copies.entry(*from).or_default().push(*to)
            }
            Op::Move(list) => {
                for (to, from) in list.iter() {
                    if let (Dst::W(to, u32::MAX), Src::W(from)) = (to, from) {
                        copies.entry(*from).or_default().push(*to);
                    }
                }
            }
            _ => {}
        }
    }
    let mut open: Vec<Slot> = used.iter().copied().collect();
    while let Some(slot) = open.pop() {
        for to in copies.get(&slot).into_iter().flatten() {
            if used.insert(*to) {
                open.push(*to);
            }
        }
    }
    let mut used: Vec<Slot> = used.into_iter().collect();
    used.sort_unstable();
    used
}

/// What a step does to registers that are watched.
struct Touches<'a> {
    numbers: &'a FxHashMap<Slot, u32>,
    list: Vec<Touch>,
}

impl Touches<'_> {
    fn copy(&mut self, to: Slot, from: Src) {
        let number = |slot: Slot| self.numbers.get(&slot).copied();
        let from = match from {
            Src::W(from) => number(from),
            _ => None,
        };
        // What a register is copied to is watched if the register is.
        match (number(to), from) {
            (Some(to), Some(from)) => self.list.push(Touch::Copy { to, from }),
            (Some(to), None) => self.list.push(Touch::Write(to)),
            (None, _) => {}
        }
    }
}

impl Visitor for Touches<'_> {
    fn read(&mut self, source: &mut Src) {
        if let Src::W(slot) = source
            && let Some(number) = self.numbers.get(slot)
        {
            self.list.push(Touch::Read(*number));
        }
    }

    fn write(&mut self, to: &mut Dst) {
        if let Dst::W(slot, _) = to
            && let Some(number) = self.numbers.get(slot)
        {
            self.list.push(Touch::Write(*number));
        }
    }
}
