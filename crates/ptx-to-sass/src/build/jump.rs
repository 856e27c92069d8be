//! `brx.idx`: a branch to one of several labels, as a tree of comparisons.
//!
//! ```text
//!   brx.idx %i, {A, B, C, D}      P0 = i < 2;  @P0 BRA .L;  P1 = i < 3;  @P1 BRA C;  BRA D
//!                                 .L:  P2 = i < 1;  @P2 BRA A;  BRA B
//! ```
//!
//! Branches are all that later passes know of it. Neighbours with the same label are one leaf. What an index beyond the
//! list does is not defined; here it takes the last label.

use super::operand::Given;
use super::{Builder, Outcome};
use crate::ir::{File, Guard, Op};
use warpc_ptx::inst::{Inst, Operand};
use warpc_ptx::module::Statement;

impl Builder<'_> {
    pub(super) fn jump(&mut self, given: Given, inst: &Inst, guard: Option<Guard>) -> Outcome<()> {
        let operands = self.body.operands(inst.operands);
        let list = operands.iter().find_map(|operand| match operand {
            Operand::Name { symbol, .. } => self.labels.statement(self.scope, *symbol),
            _ => None,
        });
        // The list follows its label.
        let list = list.and_then(|at| self.body.statements.get(at + 1));
        let Some(Statement::BranchTargets(names, _)) = list else {
            return Err(self.refuse("`brx.idx` without a list of labels"));
        };
        let mut targets = Vec::with_capacity(names.len());
        for (symbol, _) in names.iter() {
            let label = self.labels.find(self.scope, *symbol);
            targets.push(label.ok_or_else(|| self.refuse("this branch"))?);
        }
        let around = match guard {
            Some(guard) => {
                let label = self.new_label();
                let not = !guard.not;
                self.go(label, Some(Guard { not, ..guard }))?;
                Some(label)
            }
            None => None,
        };
        if let Given::Number(number) = given {
            let at = targets.get(number as u32 as usize).or(targets.last());
            let label = at.ok_or_else(|| self.refuse("`brx.idx` without labels"))?;
            self.go(*label, None)?;
        } else {
            let index = self.part(&given, 0)?;
            self.leaves(index, &targets, 0)?;
        }
        if let Some(label) = around {
            self.put_label(label);
        }
        Ok(())
    }

    /// The tree of the labels from a number on.
    fn leaves(&mut self, index: Op, targets: &[u32], first: u32) -> Outcome<()> {
        let Some(last) = targets.last() else {
            return Err(self.refuse("`brx.idx` without labels"));
        };
        if targets.iter().all(|target| target == last) {
            return self.go(*last, None);
        }
        // Where a run of the same label ends, nearest to the middle.
        let middle = targets.len() / 2;
        let ends = (1..targets.len()).filter(|at| targets[at - 1] != targets[*at]);
        let split = ends.min_by_key(|at| at.abs_diff(middle)).unwrap_or(middle);
        let reg = self.ir.reg(File::Predicate, 1);
        let limit = first + split as u32;
        let text = format!("ISETP.LT.U32.AND P0, PT, R0, {limit:#x}, PT");
        self.step(&text, None, &[Op::Reg(reg, 0), index])?;
        let below = self.new_label();
        self.go(below, Some(Guard { reg, not: false }))?;
        self.leaves(index, &targets[split..], limit)?;
        self.put_label(below);
        self.leaves(index, &targets[..split], first)
    }
}
