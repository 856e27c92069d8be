//! The values that the kernel ends with, written where they can be compared.

use super::float::one_nan;
use super::{Draft, OUTPUT, SCRATCH};
use crate::program::Operand;
use crate::ty::Ty;

impl Draft {
    /// Writes the values in scope after the scratch memory, the last ones first, while there is room.
    pub(super) fn write_values(&mut self) {
        let Some(output) = self.places.iter().find(|place| {
            matches!(
                place.shape,
                super::memory::Shape::Raw { bytes: SCRATCH, .. }
            ) && place.writable
        }) else {
            return;
        };
        let output = output.operand();
        let mut at = SCRATCH;
        let values: Vec<_> = self.scopes[0].iter().rev().cloned().collect();
        for (id, ty) in values {
            let mut text = String::new();
            let start = at;
            for (i, (path, leaf)) in ty.leaves().iter().enumerate() {
                let path: String = path.iter().map(|index| format!(", {index}")).collect();
                let name = if path.is_empty() {
                    "$1".to_string()
                } else {
                    text += &format!("$r.{i} = extractvalue {ty} $1{path}\n");
                    format!("$r.{i}")
                };
                let (lines, name, stored) = shown(leaf, &name, &format!("$r.s{i}"));
                let ptr = &output.1;
                let align = 1u32 << at.trailing_zeros().min(4);
                text += &format!(
                    "{lines}$r.p{i} = getelementptr inbounds i8, {ptr} $0, i64 {at}\n\
                     store {stored} {name}, {ptr} $r.p{i}, align {align}\n"
                );
                at += (stored.bits().unwrap_or(8) / 8).next_multiple_of(4);
            }
            if at > OUTPUT {
                at = start;
                continue;
            }
            let operands = vec![output.clone(), (Operand::Local(id), ty)];
            self.effect(text.trim_end().into(), operands, Vec::new());
        }
    }
}

/// A leaf as bytes: integers widened to whole bytes, NaNs made one.
fn shown(ty: &Ty, from: &str, to: &str) -> (String, String, Ty) {
    if ty.float().is_some() {
        return (one_nan(ty, from, to) + "\n", to.into(), ty.clone());
    }
    let bits = ty.int_bits().unwrap_or(8);
    let whole = bits.next_power_of_two().max(8);
    if whole == bits {
        return (String::new(), from.into(), ty.clone());
    }
    let wide = ty.with_scalar(Ty::Int(whole));
    (
        format!("{to} = zext {ty} {from} to {wide}\n"),
        to.into(),
        wide,
    )
}
