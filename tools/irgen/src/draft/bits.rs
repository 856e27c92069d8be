//! LLVM's intrinsics on integers.

use super::int::every;
use super::{Draft, ints, is_ints};
use crate::ty::Ty;

impl Draft {
    pub(super) fn bits_step(&mut self) {
        let ty = self.ty(is_ints, ints);
        let bits = ty.int_bits().unwrap_or(32);
        let name = ty.mangled();
        match self.random.below(16) {
            0..3 => {
                let op = self.random.pick(&["smin", "smax", "umin", "umax"]);
                self.two(&ty, &format!("llvm.{op}.{name}"));
            }
            3..5 => {
                let op = self.random.pick(&["sadd", "uadd", "ssub", "usub"]);
                self.two(&ty, &format!("llvm.{op}.sat.{name}"));
            }
            5 => self.shift_saturating(&ty, bits),
            6 => {
                let operands = vec![self.typed(&ty)];
                let arguments = [(&ty, "$0"), (&Ty::BOOL, "false")];
                self.intrinsic(&format!("llvm.abs.{name}"), &ty, "", &arguments, operands);
            }
            7 => {
                let op = self.random.pick(&["ctpop", "bitreverse"]);
                let operands = vec![self.typed(&ty)];
                self.intrinsic(
                    &format!("llvm.{op}.{name}"),
                    &ty,
                    "",
                    &[(&ty, "$0")],
                    operands,
                );
            }
            8..10 => self.count_zeros(&ty, bits),
            10 if bits.is_multiple_of(16) => {
                let operands = vec![self.typed(&ty)];
                self.intrinsic(
                    &format!("llvm.bswap.{name}"),
                    &ty,
                    "",
                    &[(&ty, "$0")],
                    operands,
                );
            }
            // LLVM has no code for rotations of other wide integers.
            11..13 if bits <= 64 || bits == 128 => {
                let op = self.random.pick(&["fshl", "fshr"]);
                let operands = vec![self.typed(&ty), self.typed(&ty), self.typed(&ty)];
                // Two equal operands make a rotation.
                let second = self.random.pick(&["$0", "$1"]);
                let arguments = [(&ty, "$0"), (&ty, second), (&ty, "$2")];
                self.intrinsic(&format!("llvm.{op}.{name}"), &ty, "", &arguments, operands);
            }
            13..15 => self.with_overflow(&ty),
            _ => self.three_way(&ty),
        }
    }

    fn two(&mut self, ty: &Ty, name: &str) {
        let operands = vec![self.typed(ty), self.typed(ty)];
        self.intrinsic(name, ty, "", &[(ty, "$0"), (ty, "$1")], operands);
    }

    fn shift_saturating(&mut self, ty: &Ty, bits: u32) {
        if !(4..=64).contains(&bits) {
            return;
        }
        let op = self.random.pick(&["sshl", "ushl"]);
        let lines = format!(
            "$r.s = urem {ty} $1, {}\n",
            every(ty, &(bits / 2).to_string())
        );
        let operands = vec![self.typed(ty), self.typed(ty)];
        let name = format!("llvm.{op}.sat.{}", ty.mangled());
        self.intrinsic(&name, ty, &lines, &[(ty, "$0"), (ty, "$r.s")], operands);
    }

    fn count_zeros(&mut self, ty: &Ty, bits: u32) {
        let op = self.random.pick(&["ctlz", "cttz"]);
        let operands = vec![self.typed(ty)];
        let name = format!("llvm.{op}.{}", ty.mangled());
        if self.random.chance(30) {
            let one = every(ty, if bits == 1 { "true" } else { "1" });
            let lines = format!("$r.n = or {ty} $0, {one}\n");
            self.intrinsic(
                &name,
                ty,
                &lines,
                &[(ty, "$r.n"), (&Ty::BOOL, "true")],
                operands,
            );
        } else {
            self.intrinsic(&name, ty, "", &[(ty, "$0"), (&Ty::BOOL, "false")], operands);
        }
    }

    fn with_overflow(&mut self, ty: &Ty) {
        let mut op = self
            .random
            .pick(&["sadd", "uadd", "ssub", "usub", "smul", "umul"]);
        if op.ends_with("mul") && ty.int_bits() > Some(64) {
            op = "uadd";
        }
        let both = Ty::Struct(false, vec![ty.clone(), ty.with_scalar(Ty::BOOL)]);
        let name = format!("llvm.{op}.with.overflow.{}", ty.mangled());
        let operands = vec![self.typed(ty), self.typed(ty)];
        self.intrinsic(&name, &both, "", &[(ty, "$0"), (ty, "$1")], operands);
    }

    fn three_way(&mut self, ty: &Ty) {
        let op = self.random.pick(&["scmp", "ucmp"]);
        let result =
            ty.with_scalar(
                self.random
                    .pick(&[Ty::Int(8), Ty::I32, Ty::Int(64), Ty::Int(2)]),
            );
        let name = format!("llvm.{op}.{}.{}", result.mangled(), ty.mangled());
        let operands = vec![self.typed(ty), self.typed(ty)];
        self.intrinsic(&name, &result, "", &[(ty, "$0"), (ty, "$1")], operands);
    }
}
