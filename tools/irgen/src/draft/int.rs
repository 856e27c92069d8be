//! Integer arithmetic, logic, comparison and selection.

use super::constant::signed;
use super::{Draft, ints, is_ints};
use crate::program::Operand;
use crate::ty::Ty;

/// Comparisons of integers.
pub(super) const PREDICATES: [&str; 10] = [
    "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle",
];

impl Draft {
    pub(super) fn int_step(&mut self) {
        let ty = self.ty(is_ints, ints);
        let bits = ty.int_bits().unwrap_or(32);
        match self.random.below(24) {
            0..8 => {
                let op = self.random.pick(&["add", "sub", "mul", "and", "or", "xor"]);
                self.binary(&ty, &format!("$r = {op} {ty} $0, $1"));
            }
            8 => self.without_wrap(&ty),
            9..12 => self.shift(&ty),
            12..14 => self.divide(&ty),
            14 => self.divide_by_constant(&ty),
            15..18 => {
                self.compare(&ty);
            }
            18..20 => self.choose(),
            20 => {
                let mask = self.constant(&ty);
                self.binary(
                    &ty,
                    &format!(
                        "$r.a = and {ty} $0, {mask}\n$r.n = xor {ty} {mask}, {}\n\
                         $r.b = and {ty} $1, $r.n\n$r = or disjoint {ty} $r.a, $r.b",
                        every(&ty, "-1")
                    ),
                );
            }
            21 => {
                let operands = vec![self.typed(&ty)];
                self.unit(&ty, format!("$r = freeze {ty} $0"), operands);
            }
            22 => self.not_equal_run(&ty),
            _ if bits >= 4 => self.mixed_widths(&ty, bits),
            _ => {
                self.compare(&ty);
            }
        }
    }

    /// A unit of two operands of its type.
    pub(super) fn binary(&mut self, ty: &Ty, text: &str) -> Operand {
        let operands = vec![self.typed(ty), self.typed(ty)];
        self.unit(ty, text.into(), operands)
    }

    /// Arithmetic that says it does not wrap, with operands small enough that it does not.
    fn without_wrap(&mut self, ty: &Ty) {
        let bits = ty.int_bits().unwrap_or(32);
        if bits < 4 {
            return;
        }
        let (one, half) = (every(ty, "1"), every(ty, &(bits / 2).to_string()));
        let text = match self.random.below(8) {
            0 => format!(
                "$r.a = lshr {ty} $0, {one}\n$r.b = lshr {ty} $1, {one}\n$r = add nuw {ty} $r.a, $r.b"
            ),
            1 => format!(
                "$r.a = ashr {ty} $0, {one}\n$r.b = ashr {ty} $1, {one}\n$r = add nsw {ty} $r.a, $r.b"
            ),
            2 => format!(
                "$r.a = ashr {ty} $0, {one}\n$r.b = ashr {ty} $1, {one}\n$r = sub nsw {ty} $r.a, $r.b"
            ),
            3 => format!(
                "$r.a = lshr {ty} $0, {half}\n$r.b = lshr {ty} $1, {}\n$r = mul nuw {ty} $r.a, $r.b",
                every(ty, &(bits - bits / 2).to_string())
            ),
            4 => format!(
                "$r.a = ashr {ty} $0, {half}\n$r.b = ashr {ty} $1, {}\n$r = mul nsw {ty} $r.a, $r.b",
                every(ty, &(bits - bits / 2).to_string())
            ),
            5 => format!("$r.a = lshr {ty} $0, {half}\n$r = shl nuw {ty} $r.a, {half}"),
            6 => format!(
                "$r.a = ashr {ty} $0, {half}\n$r = shl nsw {ty} $r.a, {}",
                every(ty, &(bits / 2 - 1).to_string())
            ),
            _ => format!(
                "$r.a = shl {ty} $0, {half}\n$r.b = lshr exact {ty} $r.a, {half}\n$r.c = ashr exact {ty} $r.a, {half}\n$r = add {ty} $r.b, $r.c"
            ),
        };
        self.binary(ty, &text);
    }

    fn shift(&mut self, ty: &Ty) {
        let bits = ty.int_bits().unwrap_or(32);
        if bits == 1 {
            return;
        }
        let op = self.random.pick(&["shl", "lshr", "ashr"]);
        if self.random.chance(50) {
            let amount = self.random.below(bits as usize).to_string();
            let operands = vec![self.typed(ty)];
            self.unit(
                ty,
                format!("$r = {op} {ty} $0, {}", every(ty, &unsigned(&amount, bits))),
                operands,
            );
            return;
        }
        let text = match bits.is_power_of_two() {
            true => format!(
                "$r.s = and {ty} $1, {}",
                every(ty, &unsigned(&(bits - 1).to_string(), bits))
            ),
            false => format!(
                "$r.s = urem {ty} $1, {}",
                every(ty, &unsigned(&bits.to_string(), bits))
            ),
        };
        self.binary(ty, &format!("{text}\n$r = {op} {ty} $0, $r.s"));
    }

    fn divide(&mut self, ty: &Ty) {
        let one = every(
            ty,
            if ty.int_bits() == Some(1) {
                "true"
            } else {
                "1"
            },
        );
        let signed = ty.int_bits() > Some(2) && self.random.chance(50);
        let text = if signed {
            let op = self.random.pick(&["sdiv", "srem"]);
            match self.random.chance(50) {
                // A positive divisor, any dividend.
                true => format!(
                    "$r.h = lshr {ty} $1, {one}\n$r.d = or {ty} $r.h, {one}\n$r = {op} {ty} $0, $r.d"
                ),
                // Any divisor but zero, a dividend that is not the smallest.
                false => format!(
                    "$r.n = ashr {ty} $0, {one}\n$r.d = or {ty} $1, {one}\n$r = {op} {ty} $r.n, $r.d"
                ),
            }
        } else {
            let op = self.random.pick(&["udiv", "urem"]);
            format!("$r.d = or {ty} $1, {one}\n$r = {op} {ty} $0, $r.d")
        };
        self.binary(ty, &text);
    }

    fn divide_by_constant(&mut self, ty: &Ty) {
        let bits = ty.int_bits().unwrap_or(32);
        if bits < 4 {
            return;
        }
        let divisor: i128 = match self.random.below(3) {
            0 => self.random.pick(&[2, 3, 5, 6, 7, -2, -3, -7]),
            1 => signed(1 << self.random.below(bits as usize), bits),
            _ => signed(u128::from(self.random.bits()) | 2, bits),
        };
        // -1 and 0 are the divisors that not every dividend has a quotient for.
        let divisor = if divisor == -1 || divisor == 0 {
            3
        } else {
            divisor
        };
        let op = self.random.pick(&["udiv", "urem", "sdiv", "srem"]);
        let operands = vec![self.typed(ty)];
        let divisor = every(ty, &divisor.to_string());
        self.unit(ty, format!("$r = {op} {ty} $0, {divisor}"), operands);
    }

    /// A comparison; gives `i1`s.
    pub(super) fn compare(&mut self, ty: &Ty) -> Operand {
        let predicate = self.random.pick(&PREDICATES);
        let operands = vec![self.typed(ty), self.typed(ty)];
        let bool = ty.with_scalar(Ty::BOOL);
        self.unit(
            &bool,
            format!("$r = icmp {predicate} {ty} $0, $1"),
            operands,
        )
    }

    /// One of two values of any type.
    fn choose(&mut self) {
        let ty = self.ty(|_| true, crate::ty::any);
        if matches!(ty, Ty::Ptr(_)) {
            return;
        }
        let each = ty.lanes() > 1 && self.random.chance(50);
        let condition = match each {
            true => ty.with_scalar(Ty::BOOL),
            false => Ty::BOOL,
        };
        let operands = vec![self.typed(&condition), self.typed(&ty), self.typed(&ty)];
        let text = format!("$r = select {condition} $0, {ty} $1, {ty} $2");
        self.unit(&ty, text, operands);
    }

    /// Logic on comparisons.
    fn not_equal_run(&mut self, ty: &Ty) {
        let (first, second) = (self.compare(ty), self.compare(ty));
        let bool = ty.with_scalar(Ty::BOOL);
        let op = self.random.pick(&["and", "or", "xor"]);
        let not = every(&bool, "true");
        let text = match self.random.chance(50) {
            true => format!("$r = {op} {bool} $0, $1"),
            false => format!("$r.n = xor {bool} $1, {not}\n$r = {op} {bool} $0, $r.n"),
        };
        self.unit(
            &bool,
            text,
            vec![(first, bool.clone()), (second, bool.clone())],
        );
    }

    /// The high half of a product, and other things done at twice the width.
    fn mixed_widths(&mut self, ty: &Ty, bits: u32) {
        if bits > 64 {
            return;
        }
        let wide = ty.with_scalar(Ty::Int(2 * bits));
        let extend = self.random.pick(&["zext", "sext"]);
        let op = self.random.pick(&["mul", "add", "sub"]);
        let by = every(&wide, &bits.to_string());
        let shift = self.random.pick(&["lshr", "ashr"]);
        self.binary(
            ty,
            &format!(
                "$r.a = {extend} {ty} $0 to {wide}\n$r.b = {extend} {ty} $1 to {wide}\n\
                 $r.c = {op} {wide} $r.a, $r.b\n$r.d = {shift} {wide} $r.c, {by}\n\
                 $r = trunc {wide} $r.d to {ty}"
            ),
        );
    }
}

/// A constant of the scalar in every lane.
pub(super) fn every(ty: &Ty, text: &str) -> String {
    match ty {
        Ty::Vector(_, of) => format!("splat ({of} {text})"),
        _ => text.into(),
    }
}

/// A small number that may need the highest bit of a narrow type, as signed decimal.
fn unsigned(text: &str, bits: u32) -> String {
    signed(text.parse().unwrap_or(0), bits).to_string()
}
