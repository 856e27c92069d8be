//! Vectors: elements, shuffles, reductions.

use super::Draft;
use crate::ty::{self, Ty};

fn is_vector(ty: &Ty) -> bool {
    matches!(ty, Ty::Vector(..))
}

impl Draft {
    pub(super) fn vector_step(&mut self) {
        let ty = self.ty(is_vector, ty::vector);
        let (lanes, of) = (ty.lanes(), ty.scalar().clone());
        match self.random.below(12) {
            0..3 => {
                let (lines, index, mut operands) = self.lane(&ty);
                operands.insert(0, self.typed(&ty));
                let text = format!("{lines}$r = extractelement {ty} $0, {index}");
                self.unit(&of, text, operands);
            }
            3..5 => {
                let (lines, index, mut operands) = self.lane(&ty);
                operands.insert(0, self.typed(&ty));
                let last = operands.len();
                operands.push(self.typed(&of));
                let text = format!("{lines}$r = insertelement {ty} $0, {of} ${last}, {index}");
                self.unit(&ty, text, operands);
            }
            5..8 => self.shuffle(&ty),
            8 => {
                let operands = (0..lanes).map(|_| self.typed(&of)).collect();
                let mut text = String::new();
                let mut so_far = "poison".to_string();
                for i in 0..lanes {
                    let name = if i + 1 == lanes {
                        "$r".into()
                    } else {
                        format!("$r.{i}")
                    };
                    text += &format!("{name} = insertelement {ty} {so_far}, {of} ${i}, i32 {i}\n");
                    so_far = name;
                }
                self.unit(&ty, text.trim_end().into(), operands);
            }
            9..11 => self.reduction(&ty),
            _ => {
                let operands = vec![self.typed(&ty)];
                let name = format!("llvm.vector.reverse.{}", ty.mangled());
                self.intrinsic(&name, &ty, "", &[(&ty, "$0")], operands);
            }
        }
    }

    /// A lane of a vector that is operand 0: lines, the index with its type, and operands from 1 on.
    fn lane(&mut self, ty: &Ty) -> (String, String, Vec<(crate::program::Operand, Ty)>) {
        let lanes = ty.lanes();
        if self.random.chance(60) {
            let index = self.random.below(lanes as usize);
            return (String::new(), format!("i32 {index}"), Vec::new());
        }
        let width = self.random.pick(&[16, 32, 64]);
        let index = Ty::Int(width);
        let lines = format!("$r.i = urem {index} $1, {lanes}\n");
        (lines, format!("{index} $r.i"), vec![self.typed(&index)])
    }

    fn shuffle(&mut self, ty: &Ty) {
        let lanes = ty.lanes() as usize;
        let most = 512 / ty.scalar().bits().unwrap_or(64).max(16) as usize;
        let length = self
            .random
            .pick(&[lanes, lanes, 2 * lanes, 2, 3, 4])
            .min(most.max(2))
            .min(16);
        let start = self.random.below(2 * lanes);
        let kind = self.random.below(4);
        let mask = (0..length).map(|i| match kind {
            // A run, a splat, every second, anything.
            0 => (start + i) % (2 * lanes),
            1 => start,
            2 => (2 * i + start % 2) % (2 * lanes),
            _ => self.random.below(2 * lanes),
        });
        let mask: Vec<String> = mask.map(|i| format!("i32 {i}")).collect();
        let result = Ty::Vector(length as u32, Box::new(ty.scalar().clone()));
        let operands = vec![self.typed(ty), self.typed(ty)];
        let text = format!(
            "$r = shufflevector {ty} $0, {ty} $1, <{length} x i32> <{}>",
            mask.join(", ")
        );
        self.unit(&result, text, operands);
    }

    fn reduction(&mut self, ty: &Ty) {
        let of = ty.scalar().clone();
        let name = ty.mangled();
        if of.float().is_none() {
            let op = self.random.pick(&[
                "add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax",
            ]);
            let operands = vec![self.typed(ty)];
            self.intrinsic(
                &format!("llvm.vector.reduce.{op}.{name}"),
                &of,
                "",
                &[(ty, "$0")],
                operands,
            );
            return;
        }
        match self.random.below(3) {
            // Without flags the order of the additions is that of the lanes.
            0..2 => {
                let op = self.random.pick(&["fadd", "fmul"]);
                let operands = vec![self.typed(&of), self.typed(ty)];
                let arguments = [(&of, "$0"), (ty, "$1")];
                self.intrinsic(
                    &format!("llvm.vector.reduce.{op}.{name}"),
                    &of,
                    "",
                    &arguments,
                    operands,
                );
            }
            _ => {
                let op = self.random.pick(&["fminimum", "fmaximum"]);
                let operands = vec![self.typed(ty)];
                self.intrinsic(
                    &format!("llvm.vector.reduce.{op}.{name}"),
                    &of,
                    "",
                    &[(ty, "$0")],
                    operands,
                );
            }
        }
    }
}
