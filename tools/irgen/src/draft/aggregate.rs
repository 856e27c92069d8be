//! Structures and arrays as values.

use super::Draft;
use crate::program::Operand;
use crate::ty::{self, Ty};
use warpc_testkit::Random;

fn fresh(random: &mut Random) -> Ty {
    ty::aggregate(random, 1)
}

impl Draft {
    pub(super) fn aggregate_step(&mut self) {
        let ty = self.ty(Ty::is_aggregate, fresh);
        match self.random.below(8) {
            0 => {
                self.build(&ty);
            }
            1..5 => {
                let (path, part) = self.path(&ty);
                let operands = vec![self.typed(&ty)];
                self.unit(&part, format!("$r = extractvalue {ty} $0{path}"), operands);
            }
            5..7 => {
                let (path, part) = self.path(&ty);
                let operands = vec![self.typed(&ty), self.typed(&part)];
                let text = format!("$r = insertvalue {ty} $0, {part} $1{path}");
                self.unit(&ty, text, operands);
            }
            _ => {
                let operands = vec![self.typed(&ty)];
                self.unit(&ty, format!("$r = freeze {ty} $0"), operands);
            }
        }
    }

    /// Indices to a part of an aggregate, and its type.
    fn path(&mut self, ty: &Ty) -> (String, Ty) {
        let (mut path, mut part) = (String::new(), ty.clone());
        while part.is_aggregate() && (path.is_empty() || self.random.chance(80)) {
            let members = part.members();
            let index = self.random.below(members.len());
            path += &format!(", {index}");
            part = members[index].clone();
        }
        (path, part)
    }

    /// An aggregate put together from values of its leaves.
    pub(super) fn build(&mut self, ty: &Ty) -> Operand {
        let leaves = ty.leaves();
        let operands = leaves.iter().map(|(_, leaf)| self.typed(leaf)).collect();
        let mut text = String::new();
        let mut so_far = "poison".to_string();
        for (i, (path, leaf)) in leaves.iter().enumerate() {
            let name = if i + 1 == leaves.len() {
                "$r".into()
            } else {
                format!("$r.{i}")
            };
            let path: Vec<String> = path.iter().map(u32::to_string).collect();
            let path = path.join(", ");
            text += &format!("{name} = insertvalue {ty} {so_far}, {leaf} ${i}, {path}\n");
            so_far = name;
        }
        self.unit(ty, text.trim_end().into(), operands)
    }
}
