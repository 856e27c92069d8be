//! One function: its blocks, and what flows between them.

use super::{Family, objects, ty};
use crate::chance::Chance;
use crate::program::{Arg, Block, Edge, Function, Id, Inst, IntOp, Op, Term};
use crate::ty::{Scalar, Ty};
use std::collections::BTreeSet;

/// A function that is being made.
pub struct Body<'a> {
    pub(super) family: Family,
    pub(super) chance: &'a mut Chance,
    /// Functions it may call.
    pub(super) callees: &'a [Function],
    pub(super) function: Function,
    /// Values that may be used here.
    pub(super) known: Vec<Id>,
    pub(super) used: BTreeSet<Id>,
    /// Objects whose bytes are all known.
    pub(super) general: Vec<usize>,
    pub(super) insts: Vec<Inst>,
    /// Types that values often have.
    pub(super) types: Vec<Ty>,
}

/// The slot that counts how often control may still go back.
const FUEL: usize = 0;

impl Body<'_> {
    /// Makes a function.
    pub fn make(
        family: Family,
        callees: &[Function],
        kernel: bool,
        chance: &mut Chance,
    ) -> Function {
        let types: Vec<Ty> = (0..3 + chance.below(4))
            .map(|_| ty(family, chance))
            .collect();
        let params = match kernel {
            true => Vec::new(),
            false => (0..1 + chance.below(4))
                .map(|_| chance.of(&types))
                .collect(),
        };
        let objects = objects(family, kernel, chance);
        let general = (0..objects.len()).collect();
        let attributes = match kernel {
            true => "",
            false => chance.of(&["noinline", "noinline", "alwaysinline", ""]),
        };
        let mut body = Body {
            family,
            chance,
            callees,
            known: (0..params.len()).collect(),
            used: BTreeSet::new(),
            general,
            insts: Vec::new(),
            function: Function {
                types: params.clone(),
                params,
                results: Vec::new(),
                objects,
                blocks: Vec::new(),
                attributes,
            },
            types,
        };
        body.fill_memory();
        if kernel {
            for _ in 0..2 + body.chance.below(4) {
                body.input();
            }
        }
        let blocks = match family {
            Family::Control => 3 + body.chance.below(8),
            Family::Integers | Family::Vectors => 1,
            _ if body.chance.one_in(3) => 2 + body.chance.below(5),
            _ => 1,
        };
        match blocks {
            1 => body.straight(kernel),
            _ => body.graph(blocks, kernel),
        }
        body.function
    }

    /// Adds an instruction.
    pub(super) fn add(&mut self, ty: Ty, op: Op, args: Vec<Arg>) -> Arg {
        let id = self.function.types.len();
        for arg in &args {
            if let Arg::Local(id) = arg {
                self.used.insert(*id);
            }
        }
        self.function.types.push(ty);
        self.insts.push(Inst { id, op, args });
        let has_value = !matches!(
            self.insts.last().map(|inst| &inst.op),
            Some(Op::Copy { .. } | Op::Set { .. })
        );
        if has_value {
            self.known.push(id);
        }
        Arg::Local(id)
    }

    /// A value that was made before, rather a late one.
    pub(super) fn some(&mut self) -> Option<Id> {
        let n = self.known.len();
        if n == 0 {
            return None;
        }
        let back = self
            .chance
            .below(n)
            .min(self.chance.below(n))
            .min(self.chance.below(n));
        Some(self.known[n - 1 - back])
    }

    /// A value of a type: one that is there, a constant, or one that is made of another.
    pub(super) fn pick(&mut self, ty: &Ty) -> Arg {
        let same: Vec<Id> = self
            .known
            .iter()
            .copied()
            .filter(|id| self.function.types[*id] == *ty)
            .collect();
        if !same.is_empty() && !self.chance.one_in(4) {
            let back = self
                .chance
                .below(same.len())
                .min(self.chance.below(same.len()));
            return Arg::Local(same[same.len() - 1 - back]);
        }
        if self.chance.one_in(2)
            && let Some(made) = self.converted(ty)
        {
            return made;
        }
        let parts = ty.any(self.chance);
        Arg::Const(ty.clone(), parts)
    }

    /// An integer made of one of another width.
    fn converted(&mut self, ty: &Ty) -> Option<Arg> {
        let Scalar::Int(width) = ty.scalar() else {
            return None;
        };
        let fits = |id: &Id| {
            let other = &self.function.types[*id];
            ty.is_int()
                && other.is_int()
                && other.lanes() == ty.lanes()
                && other.bits() != ty.bits()
                && matches!(other, Ty::Vector(..)) == matches!(ty, Ty::Vector(..))
        };
        let fitting: Vec<Id> = self.known.iter().copied().filter(fits).collect();
        if fitting.is_empty() {
            return None;
        }
        let from = self.chance.of(&fitting);
        let op = match self.function.types[from].scalar().width() < width {
            true if self.chance.one_in(2) => Op::SExt,
            true => Op::ZExt,
            false => Op::Trunc,
        };
        Some(self.add(ty.clone(), op, vec![Arg::Local(from)]))
    }

    /// A condition.
    pub(super) fn condition(&mut self) -> Arg {
        self.pick(&Ty::int(1))
    }

    fn close(&mut self, slots: Vec<Id>, term: Term) {
        let insts = std::mem::take(&mut self.insts);
        self.function.blocks.push(Block { slots, insts, term });
    }

    fn straight(&mut self, kernel: bool) {
        for _ in 0..4 + self.chance.below(28) {
            self.grow();
        }
        let term = self.end(kernel);
        self.close(Vec::new(), term);
    }

    /// Blocks with slots: any block may be entered from several others, also from later ones.
    fn graph(&mut self, blocks: usize, kernel: bool) {
        for _ in 0..1 + self.chance.below(8) {
            self.grow();
        }
        let mut slots = vec![Ty::int(32)];
        for _ in 0..1 + self.chance.below(4) {
            slots.push(self.chance.of(&self.types.clone()));
        }
        let all: Vec<Vec<Id>> = (0..blocks)
            .map(|i| {
                if i == 0 {
                    Vec::new()
                } else {
                    self.slots(&slots)
                }
            })
            .collect();
        let turns = self.pick(&Ty::int(32));
        let turns = self.add(
            Ty::int(32),
            Op::Int(IntOp::And),
            vec![turns, Arg::Const(Ty::int(32), vec![7])],
        );
        let entry = self.known.clone();
        for block in 0..blocks {
            let mut fuel = turns.clone();
            if block > 0 {
                self.known = entry.clone();
                self.known.extend(&all[block]);
                fuel = Arg::Local(all[block][FUEL]);
                for _ in 0..self.chance.below(7) {
                    self.grow();
                }
            }
            let term = match block + 1 == blocks {
                true => self.end(kernel),
                false => self.branch(block, &all, &slots, &fuel),
            };
            self.close(all[block].clone(), term);
        }
    }

    fn slots(&mut self, types: &[Ty]) -> Vec<Id> {
        let first = self.function.types.len();
        self.function.types.extend(types.iter().cloned());
        (first..first + types.len()).collect()
    }

    fn edge(&mut self, to: usize, slots: &[Ty], fuel: &Arg) -> Edge {
        let mut values = vec![fuel.clone()];
        for ty in &slots[1..] {
            let value = self.pick(ty);
            if let Arg::Local(id) = value {
                self.used.insert(id);
            }
            values.push(value);
        }
        Edge { to, values }
    }

    /// The end of a block that is not the last. The next block is always among the ways.
    fn branch(&mut self, block: usize, all: &[Vec<Id>], slots: &[Ty], fuel: &Arg) -> Term {
        let later = |body: &mut Self| block + 1 + body.chance.below(all.len() - block - 1);
        match self.chance.below(8) {
            0 => {
                let next = self.edge(block + 1, slots, fuel);
                Term::Jump(next)
            }
            1..=3 if block > 0 => {
                // Back, while there is fuel.
                let int = Ty::int(32);
                let zero = Arg::Const(int.clone(), vec![0]);
                let one = Arg::Const(int.clone(), vec![1]);
                let some = self.add(Ty::int(1), Op::Cmp(1), vec![fuel.clone(), zero]);
                let wish = self.condition();
                let go = self.add(Ty::int(1), Op::Int(IntOp::And), vec![some, wish]);
                let less = self.add(int, Op::Int(IntOp::Sub), vec![fuel.clone(), one]);
                let to = 1 + self.chance.below(block);
                let back = self.edge(to, slots, &less);
                let next = self.edge(block + 1, slots, fuel);
                Term::Branch(go, back, next)
            }
            4 | 5 => {
                let Some(value) = self.switched() else {
                    let next = self.edge(block + 1, slots, fuel);
                    return Term::Jump(next);
                };
                let width = self.function.ty(&value).scalar().width();
                let mut keys = BTreeSet::new();
                for _ in 0..1 + self.chance.below(6) {
                    let key = self.chance.edge(width);
                    keys.insert(if self.chance.one_in(2) { key & 7 } else { key });
                }
                let mut ways: Vec<Edge> = Vec::new();
                let mut cases = Vec::new();
                for key in keys {
                    let to = later(self);
                    let edge = match ways.iter().find(|edge| edge.to == to) {
                        Some(edge) => edge.clone(),
                        None => self.edge(to, slots, fuel),
                    };
                    ways.push(edge.clone());
                    cases.push((key, edge));
                }
                let default = match ways.iter().find(|edge| edge.to == block + 1) {
                    Some(edge) => edge.clone(),
                    None => self.edge(block + 1, slots, fuel),
                };
                Term::Switch(value, cases, default)
            }
            _ => {
                let condition = self.condition();
                let next = self.edge(block + 1, slots, fuel);
                let to = later(self);
                let other = match to == block + 1 {
                    true => next.clone(),
                    false => self.edge(to, slots, fuel),
                };
                match self.chance.one_in(2) {
                    true => Term::Branch(condition, next, other),
                    false => Term::Branch(condition, other, next),
                }
            }
        }
    }

    /// An integer to switch over.
    fn switched(&mut self) -> Option<Arg> {
        let scalars = |id: &Id| matches!(self.function.types[*id], Ty::One(Scalar::Int(_)));
        let all: Vec<Id> = self.known.iter().copied().filter(scalars).collect();
        let id = (!all.is_empty()).then(|| self.chance.of(&all))?;
        let ty = self.function.types[id].clone();
        match self.chance.one_in(2) && ty.bits() > 3 {
            // Few values, so that the ways are taken.
            true => {
                let seven = Arg::Const(ty.clone(), vec![7]);
                Some(self.add(ty, Op::Int(IntOp::And), vec![Arg::Local(id), seven]))
            }
            false => Some(Arg::Local(id)),
        }
    }

    /// The end of a function: a value, or for a kernel all that nothing else uses.
    fn end(&mut self, kernel: bool) -> Term {
        if !kernel {
            let ty = self.chance.of(&self.types.clone());
            let value = self.pick(&ty);
            self.function.results = vec![ty];
            return Term::Return(vec![value]);
        }
        self.look_at_memory();
        let unused = |id: &Id| !self.used.contains(id);
        let mut shown: Vec<Id> = self.known.iter().copied().filter(unused).collect();
        while shown.len() > 12 {
            let at = self.chance.below(shown.len());
            shown.swap_remove(at);
        }
        shown.extend(self.some());
        let mut results = Vec::new();
        for id in shown {
            self.show(Arg::Local(id), &mut results);
        }
        self.function.results = results.iter().map(|arg| self.function.ty(arg)).collect();
        Term::Return(results)
    }

    /// Scalars and vectors of a value, with NaNs made one.
    fn show(&mut self, arg: Arg, results: &mut Vec<Arg>) {
        let ty = self.function.ty(&arg);
        match &ty {
            Ty::Struct(_, fields) => {
                for (i, field) in fields.iter().enumerate() {
                    let inner = self.add(field.clone(), Op::GetField(i), vec![arg.clone()]);
                    self.show(inner, results);
                }
            }
            _ if ty.is_fp() => {
                let one = self.add(ty.clone(), Op::Canonical, vec![arg]);
                results.push(one);
            }
            _ => results.push(arg),
        }
    }
}
