//! Atomics on memory that only one thread uses: what they compute, not what they order.

use super::Draft;
use crate::ty::{Float, Ty};

impl Draft {
    pub(super) fn atomic_step(&mut self) {
        let shape = |bytes: u32, align: u32| bytes >= 32 && align >= 8;
        let place = self.place(|place| match place.shape {
            super::memory::Shape::Raw { bytes, align } => place.atomic && shape(bytes, align),
            super::memory::Shape::Typed(_) => false,
        });
        let Some(place) = place else { return };
        let ptr = Ty::Ptr(place.space);
        let offset = self.random.below(3) * 8;
        let lines = format!("$r.p = getelementptr inbounds i8, {ptr} $0, i64 {offset}\n");
        let order = self
            .random
            .pick(&["monotonic", "monotonic", "acquire", "acq_rel", "seq_cst"]);
        let ty = Ty::Int(self.random.pick(&[32, 32, 64]));
        match self.random.below(6) {
            0 => {
                let both = Ty::Struct(false, vec![ty.clone(), Ty::BOOL]);
                let operands = vec![place.operand(), self.typed(&ty), self.typed(&ty)];
                let text =
                    format!("{lines}$r = cmpxchg {ptr} $r.p, {ty} $1, {ty} $2 {order} monotonic");
                self.unit(&both, text, operands);
            }
            1 => {
                let float = Ty::Float(Float::Single);
                let operands = vec![place.operand(), self.typed(&float)];
                // What was there may be any NaN, and so may the sum.
                let text = format!(
                    "{lines}store i32 1065353216, {ptr} $r.p, align 4\n{}\n\
                     $r = atomicrmw fadd {ptr} $r.p, {float} $r.q {order}\n\
                     store i32 0, {ptr} $r.p, align 4",
                    super::float::one_nan(&float, "$1", "$r.q")
                );
                self.unit(&float, text, operands);
            }
            _ => {
                let op = self.random.pick(&[
                    "xchg",
                    "add",
                    "sub",
                    "and",
                    "or",
                    "xor",
                    "nand",
                    "max",
                    "min",
                    "umax",
                    "umin",
                    "uinc_wrap",
                    "udec_wrap",
                ]);
                let operands = vec![place.operand(), self.typed(&ty)];
                let text = format!("{lines}$r = atomicrmw {op} {ptr} $r.p, {ty} $1 {order}");
                self.unit(&ty, text, operands);
            }
        }
    }
}
