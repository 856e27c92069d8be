//! Floating-point arithmetic. Only what has one right answer: no approximate functions, no
//! contraction; the sign of a zero that `minnum` may choose is taken away first.

use super::Draft;
use super::int::every;
use crate::ty::{self, Float, Ty};
use warpc_testkit::Random;

const PREDICATES: [&str; 16] = [
    "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
    "uno", "true", "false",
];

pub(super) fn floats(random: &mut Random) -> Ty {
    let fresh = [ty::scalar, ty::scalar, ty::vector][random.below(3)];
    loop {
        let ty = fresh(random);
        if ty.float().is_some() {
            return ty;
        }
    }
}

pub(super) fn is_floats(ty: &Ty) -> bool {
    ty.float().is_some()
}

impl Draft {
    pub(super) fn float_step(&mut self) {
        let ty = self.ty(is_floats, floats);
        let name = ty.mangled();
        match self.random.below(20) {
            0..7 => {
                let op = self.random.pick(&["fadd", "fsub", "fmul", "fdiv"]);
                self.binary(&ty, &format!("$r = {op} {ty} $0, $1"));
            }
            7 => {
                let operands = vec![self.typed(&ty)];
                self.unit(&ty, format!("$r = fneg {ty} $0"), operands);
            }
            8 => {
                let op = self.random.pick(&["fabs", "sqrt"]);
                self.function_of_one(&ty, op);
            }
            9..11 => {
                let op = [
                    "floor",
                    "ceil",
                    "trunc",
                    "rint",
                    "nearbyint",
                    "roundeven",
                    "round",
                ];
                let op = self.random.pick(&op);
                self.function_of_one(&ty, op);
            }
            // PTX has no such operation for bfloat below sm_80, and single precision rounds twice.
            11..13 if ty.float() != Some(Float::Bfloat) => {
                let operands = vec![self.typed(&ty), self.typed(&ty), self.typed(&ty)];
                let arguments = [(&ty, "$0"), (&ty, "$1"), (&ty, "$2")];
                self.intrinsic(&format!("llvm.fma.{name}"), &ty, "", &arguments, operands);
            }
            13..15 => self.extremum(&ty),
            15..17 => {
                let predicate = self.random.pick(&PREDICATES);
                let operands = vec![self.typed(&ty), self.typed(&ty)];
                let bool = ty.with_scalar(Ty::BOOL);
                self.unit(
                    &bool,
                    format!("$r = fcmp {predicate} {ty} $0, $1"),
                    operands,
                );
            }
            17 => {
                // The sign of a NaN is not to be seen.
                let quiet = one_nan(&ty, "$1", "$r.q");
                let operands = vec![self.typed(&ty), self.typed(&ty)];
                let arguments = [(&ty, "$0"), (&ty, "$r.q")];
                let lines = format!("{quiet}\n");
                self.intrinsic(
                    &format!("llvm.copysign.{name}"),
                    &ty,
                    &lines,
                    &arguments,
                    operands,
                );
            }
            18 => self.class(&ty),
            _ => self.remainder(&ty),
        }
    }

    fn function_of_one(&mut self, ty: &Ty, op: &str) {
        let operands = vec![self.typed(ty)];
        let name = format!("llvm.{op}.{}", ty.mangled());
        self.intrinsic(&name, ty, "", &[(ty, "$0")], operands);
    }

    fn extremum(&mut self, ty: &Ty) {
        let op = self.random.pick(&[
            "minnum",
            "maxnum",
            "minimum",
            "maximum",
            "minimumnum",
            "maximumnum",
        ]);
        let name = format!("llvm.{op}.{}", ty.mangled());
        let operands = vec![self.typed(ty), self.typed(ty)];
        if op.ends_with("num") && !op.ends_with("mumnum") {
            let zero = ty
                .float()
                .map_or(String::new(), |float| every(ty, &float.constant(0)));
            let lines = format!("$r.a = fadd {ty} $0, {zero}\n$r.b = fadd {ty} $1, {zero}\n");
            self.intrinsic(&name, ty, &lines, &[(ty, "$r.a"), (ty, "$r.b")], operands);
        } else {
            self.intrinsic(&name, ty, "", &[(ty, "$0"), (ty, "$1")], operands);
        }
    }

    /// `is.fpclass`; all NaNs are quiet, so the two kinds are asked together.
    fn class(&mut self, ty: &Ty) {
        let mask = (self.random.below(256) << 2) | (3 * self.random.below(2));
        let bool = ty.with_scalar(Ty::BOOL);
        let name = format!("llvm.is.fpclass.{}", ty.mangled());
        let operands = vec![self.typed(ty)];
        let mask = mask.to_string();
        self.intrinsic(&name, &bool, "", &[(ty, "$0"), (&Ty::I32, &mask)], operands);
    }

    /// `frem` of small integers, where a quotient rounded first gives the same; of positive ones, for
    /// LLVM gets the sign of a zero wrong.
    fn remainder(&mut self, ty: &Ty) {
        let small = ty.with_scalar(Ty::Int(7));
        let operands = vec![self.typed(&small), self.typed(&small)];
        let text = format!(
            "$r.d = or {small} $1, {}\n$r.a = uitofp {small} $0 to {ty}\n\
             $r.b = sitofp {small} $r.d to {ty}\n$r = frem {ty} $r.a, $r.b",
            every(&small, "1")
        );
        self.unit(ty, text, operands);
    }
}

/// Lines that make every NaN in `from` the same one.
pub(super) fn one_nan(ty: &Ty, from: &str, to: &str) -> String {
    let Some(float) = ty.float() else {
        return String::new();
    };
    let bool = ty.with_scalar(Ty::BOOL);
    let nan = every(ty, &float.constant(float.nan()));
    format!(
        "{to}.nan = fcmp uno {ty} {from}, {from}\n{to} = select {bool} {to}.nan, {ty} {nan}, {ty} {from}"
    )
}
