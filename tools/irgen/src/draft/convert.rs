//! Conversions between types.

use super::float::{floats, is_floats, one_nan};
use super::int::every;
use super::{Draft, ints, is_ints};
use crate::program::Operand;
use crate::ty::{self, Float, Ty};

impl Draft {
    pub(super) fn convert_step(&mut self) {
        match self.random.below(10) {
            0..3 => {
                let to = self.ty(is_ints, ints);
                self.converted(&to);
            }
            3..5 if self.style.floats => {
                let to = self.ty(is_floats, floats);
                self.converted(&to);
            }
            5..7 if self.style.floats => self.integer_step(),
            7 => self.same_bits(),
            8 if self.style.floats => self.between_formats(),
            _ => {
                let from = self.ty(is_ints, ints);
                let to = from.with_scalar(self.fresh(|_| true, ty::int));
                let value = self.typed(&from);
                self.resized(value, &to);
            }
        }
    }

    /// A value of a type from a value in scope of as many lanes; an input if there is none.
    pub(super) fn converted(&mut self, to: &Ty) -> Operand {
        let lanes = to.lanes();
        let from = self.found(|from| {
            from.bits().is_some()
                && from.lanes() == lanes
                && matches!(from, Ty::Vector(..)) == matches!(to, Ty::Vector(..))
        });
        let Some((value, from)) = from else {
            return self.input(to);
        };
        match (from.float(), to.float()) {
            (None, None) => self.resized((value, from), to),
            (Some(_), Some(_)) => self.reformatted((value, from), to),
            (Some(_), None) => self.integer_of((value, from), to),
            (None, Some(_)) => {
                // Wider integers and bfloat are rounded twice by some compilers.
                if from.int_bits() > Some(64)
                    || to.float() == Some(Float::Bfloat) && from.int_bits() > Some(24)
                {
                    return self.input(to);
                }
                let op = self.random.pick(&["sitofp", "uitofp"]);
                let text = format!("$r = {op} {from} $0 to {to}");
                self.unit(to, text, vec![(value, from)])
            }
        }
    }

    /// An integer cut or extended.
    fn resized(&mut self, (value, from): (Operand, Ty), to: &Ty) -> Operand {
        if from == *to {
            return value;
        }
        let op = match from.int_bits() > to.int_bits() {
            true => "trunc",
            false => self.random.pick(&["zext", "sext"]),
        };
        self.unit(
            to,
            format!("$r = {op} {from} $0 to {to}"),
            vec![(value, from)],
        )
    }

    fn reformatted(&mut self, (value, from): (Operand, Ty), to: &Ty) -> Operand {
        if from == *to {
            return value;
        }
        let (Some(a), Some(b)) = (from.float(), to.float()) else {
            return value;
        };
        let operands = vec![(value, from.clone())];
        let text = match a.bits().cmp(&b.bits()) {
            std::cmp::Ordering::Less => format!("$r = fpext {from} $0 to {to}"),
            std::cmp::Ordering::Greater => format!("$r = fptrunc {from} $0 to {to}"),
            std::cmp::Ordering::Equal => {
                let wide = from.with_scalar(Ty::Float(Float::Single));
                format!("$r.w = fpext {from} $0 to {wide}\n$r = fptrunc {wide} $r.w to {to}")
            }
        };
        self.unit(to, text, operands)
    }

    fn between_formats(&mut self) {
        let from = self.ty(is_floats, floats);
        let to = from.with_scalar(self.fresh(|ty| matches!(ty, Ty::Float(_)), ty::scalar));
        let value = self.typed(&from);
        self.reformatted(value, &to);
    }

    fn integer_step(&mut self) {
        let from = self.ty(is_floats, floats);
        let to = from.with_scalar(self.fresh(|_| true, ty::int));
        let value = self.typed(&from);
        self.integer_of(value, &to);
    }

    /// `fptosi` and the like of a value in range, or saturating.
    fn integer_of(&mut self, (value, from): (Operand, Ty), to: &Ty) -> Operand {
        let (Some(float), Some(bits)) = (from.float(), to.int_bits()) else {
            return value;
        };
        // LLVM takes `i1` for whether the number is zero.
        if bits > 64 || bits == 1 {
            return self.input(to);
        }
        let sign = self.random.pick(&["si", "ui"]);
        let operands = vec![(value, from.clone())];
        if self.random.chance(40) {
            let name = format!("llvm.fpto{sign}.sat.{}.{}", to.mangled(), from.mangled());
            return self.intrinsic(&name, to, "", &[(&from, "$0")], operands);
        }
        let limit = if sign == "si" { bits - 1 } else { bits };
        // Where the limit is beyond the format, every finite number is in range.
        let (above, top) = match float.power_of_two(limit as i32) {
            Some(top) => ("olt", top),
            None => ("ole", float.infinity() - 1),
        };
        let top_text = every(&from, &float.constant(top));
        let bottom = match sign {
            "si" => top | 1 << (float.bits() - 1),
            _ => 0,
        };
        let bottom = every(&from, &float.constant(bottom));
        let one = float.power_of_two(0).unwrap_or_default();
        let instead = every(&from, &float.constant(if limit == 0 { 0 } else { one }));
        let bool = from.with_scalar(Ty::BOOL);
        let text = format!(
            "$r.a = fcmp {above} {from} $0, {top_text}\n$r.b = fcmp oge {from} $0, {bottom}\n\
             $r.c = and {bool} $r.a, $r.b\n$r.d = select {bool} $r.c, {from} $0, {from} {instead}\n\
             $r = fpto{sign} {from} $r.d to {to}"
        );
        self.unit(to, text, operands)
    }

    /// A `bitcast`; NaNs are made one on the way to integers and quiet on the way back.
    fn same_bits(&mut self) {
        let from = self.ty(|ty| ty.bits().is_some(), ty::plain);
        let bits = from.bits().unwrap_or(32);
        let mut choices = vec![Ty::Int(bits)];
        for element in [8, 16, 32, 64, 1] {
            if bits.is_multiple_of(element) && bits / element <= 16 {
                choices.push(Ty::Vector(bits / element, Box::new(Ty::Int(element))));
            }
        }
        for float in Float::ALL {
            let width = float.bits();
            if bits == width {
                choices.push(Ty::Float(float));
            }
            if bits.is_multiple_of(width) && bits / width <= 16 {
                choices.push(Ty::Vector(bits / width, Box::new(Ty::Float(float))));
            }
        }
        choices.retain(|ty| *ty != from && self.style.allows(ty));
        choices.retain(|ty| !matches!(ty, Ty::Int(129..)));
        if choices.is_empty() {
            return;
        }
        let to = self.random.pick(&choices);
        let value = self.typed(&from);
        let mut text = String::new();
        let mut name = "$0";
        if from.float().is_some() {
            text = one_nan(&from, name, "$r.f") + "\n";
            name = "$r.f";
        }
        if to.float().is_some() {
            text += &format!(
                "$r.t = bitcast {from} {name} to {to}\n{}",
                one_nan(&to, "$r.t", "$r")
            );
        } else {
            text += &format!("$r = bitcast {from} {name} to {to}");
        }
        self.unit(&to, text, vec![value]);
    }
}
