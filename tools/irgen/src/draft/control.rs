//! Branches, switches and loops.

use super::constant::signed;
use super::{Draft, ints};
use crate::program::{Carried, Choice, Loop, Operand, Phi, Stmt};
use crate::ty::{self, Ty};

impl Draft {
    pub(super) fn control_step(&mut self) {
        match self.random.below(7) {
            0..3 => {
                let selector = self.value(&Ty::BOOL);
                self.choice(selector, Ty::BOOL, Vec::new(), 2, 3);
            }
            3 => self.switch(),
            4 => self.table(),
            _ => self.turns(),
        }
    }

    /// Types of values that leave a branch or loop.
    fn outcome(&mut self) -> Vec<Ty> {
        let count = self.random.pick(&[1, 1, 2, 3]);
        (0..count)
            .map(|_| self.ty(|ty| !matches!(ty, Ty::Ptr(_)), ty::any))
            .collect()
    }

    /// Makes statements apart; gives them and what `last` gives at their end.
    fn apart<T>(
        &mut self,
        steps: usize,
        last: impl FnOnce(&mut Draft) -> T,
    ) -> (Vec<super::Stmt>, T) {
        let places = self.places.len();
        self.scopes.push(Vec::new());
        self.bodies.push(Vec::new());
        let count = self.random.below(steps + 1);
        self.steps(count);
        let result = last(self);
        self.scopes.pop();
        self.places.truncate(places);
        (self.bodies.pop().unwrap_or_default(), result)
    }

    fn choice(
        &mut self,
        selector: Operand,
        ty: Ty,
        keys: Vec<(String, usize)>,
        arms: usize,
        steps: usize,
    ) {
        let id = self.id();
        let types = self.outcome();
        let mut phis: Vec<Phi> = Vec::new();
        for ty in types {
            let id = self.id();
            phis.push(Phi {
                id,
                ty,
                from: Vec::new(),
            });
        }
        let mut bodies = Vec::new();
        for _ in 0..arms {
            let types: Vec<Ty> = phis.iter().map(|phi| phi.ty.clone()).collect();
            let (body, values) = self.apart(steps, |draft| {
                types.iter().map(|ty| draft.value(ty)).collect::<Vec<_>>()
            });
            bodies.push(body);
            for (phi, value) in phis.iter_mut().zip(values) {
                phi.from.push(value);
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(phis.iter().map(|phi| (phi.id, phi.ty.clone())));
        }
        self.append(Stmt::Choice(Choice {
            id,
            selector,
            ty,
            keys,
            arms: bodies,
            phis,
        }));
    }

    /// A switch with few keys, anywhere in the type.
    fn switch(&mut self) {
        let ty = self.ty(|ty| matches!(ty, Ty::Int(2..)), ints);
        let Ty::Int(bits) = ty else { return };
        let arms = self.random.pick(&[2, 3, 4]);
        let mut keys: Vec<(String, usize)> = Vec::new();
        for _ in 0..self.random.below(5) {
            let key = self.constant(&ty);
            if keys.iter().all(|(other, _)| *other != key) {
                keys.push((key, self.random.below(arms)));
            }
        }
        // Some of the keys must be met: a part of the values is made small.
        let few = signed((1 << self.random.below(bits as usize)) - 1, bits);
        let operand = self.typed(&ty);
        let selector = match self.random.chance(60) {
            true => self.unit(&ty, format!("$r = and {ty} $0, {few}"), vec![operand]),
            false => operand.0,
        };
        self.choice(selector, ty, keys, arms, 2);
    }

    /// A switch with many keys in a row.
    fn table(&mut self) {
        let bits = self.random.pick(&[8, 16, 32, 64]);
        let ty = Ty::Int(bits);
        let arms = self.random.pick(&[4, 6, 9]);
        let count = self.random.pick(&[4, 8, 12, 20]);
        let start = self.random.pick(&[0, 0, 1, -3, 100]);
        let mut keys = Vec::new();
        for i in 0..count {
            if self.random.chance(92) {
                keys.push(((start + i).to_string(), self.random.below(arms)));
            }
        }
        let operand = self.typed(&ty);
        let text = format!(
            "$r.a = urem {ty} $0, {}\n$r = add {ty} $r.a, {start}",
            count + 2
        );
        let selector = self.unit(&ty, text, vec![operand]);
        self.choice(selector, ty, keys, arms, 0);
    }

    fn turns(&mut self) {
        let count = match self.random.chance(50) {
            true => self.value(&Ty::I32),
            false => Operand::Constant(self.random.pick(&[1, 2, 3, 4, 7]).to_string()),
        };
        let id = self.id();
        let mut carried = Vec::new();
        for ty in self.outcome() {
            let start = self.value(&ty);
            let id = self.id();
            carried.push(Carried {
                id,
                ty,
                start,
                next: Operand::Constant(String::new()),
            });
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((id, Ty::I32));
            scope.extend(carried.iter().map(|one| (one.id, one.ty.clone())));
        }
        let types: Vec<Ty> = carried.iter().map(|one| one.ty.clone()).collect();
        let (body, next) = self.apart(5, |draft| {
            types.iter().map(|ty| draft.value(ty)).collect::<Vec<_>>()
        });
        for (one, next) in carried.iter_mut().zip(next) {
            one.next = next;
        }
        let test_first = self.random.chance(50);
        self.append(Stmt::Loop(Loop {
            id,
            count,
            test_first,
            carried,
            body,
        }));
    }
}
