//! `llvm.is.fpclass`: tests of the bits of a number.
//!
//! The classes lie side by side, if the bits are read as an unsigned integer:
//!
//! ```text
//!   zero │ denormal │ normal │ infinity │ signalling NaN │ quiet NaN     and once more with the sign bit
//! ```
//!
//! So a set of classes is a few ranges. Classes that are asked for with both signs are tested without it.

use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::select::float::Format;
use crate::unit::Refused;
use smallvec::SmallVec;
use warpc_nvvm::value::{InstId, Value};

/// All classes.
const ALL: u64 = 0x3ff;

/// LLVM's bits for the classes in the order above: without the sign, with it.
const CLASSES: [(u64, u64); 6] = [
    (1 << 6, 1 << 5),
    (1 << 7, 1 << 4),
    (1 << 8, 1 << 3),
    (1 << 9, 1 << 2),
    (1 << 0, 1 << 0),
    (1 << 1, 1 << 1),
];

/// A test: whether the bits lie between two numbers, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    /// Whether the sign is left out.
    magnitude: bool,
    from: u64,
    to: u64,
}

/// The tests for a set of classes.
fn ranges(format: Format, classes: u64) -> SmallVec<[Range; 4]> {
    let sign = format.sign_bits();
    let quiet = 1u64 << (format.fraction_bits() - 1);
    let smallest = 1u64 << format.fraction_bits();
    let infinity = format.nan_bits() & !quiet;
    let starts = [
        0,
        1,
        smallest,
        infinity,
        infinity + 1,
        infinity | quiet,
        sign,
    ];
    let mut found: SmallVec<[Range; 4]> = SmallVec::new();
    for (magnitude, offset) in [(true, 0), (false, 0), (false, sign)] {
        let mut open = false;
        for (index, (plus, minus)) in CLASSES.into_iter().enumerate() {
            let (plus, minus) = (classes & plus != 0, classes & minus != 0);
            let asked = match (magnitude, offset) {
                (true, _) => plus && minus,
                (false, 0) => plus && !minus,
                _ => minus && !plus,
            };
            let (from, to) = (starts[index] + offset, starts[index + 1] - 1 + offset);
            match found.last_mut() {
                Some(last) if asked && open => last.to = to,
                _ if asked => found.push(Range {
                    magnitude,
                    from,
                    to,
                }),
                _ => {}
            }
            open = asked;
        }
    }
    found
}

impl Selector<'_, '_> {
    /// Whether a number is of one of the classes.
    pub(super) fn is_class(
        &mut self,
        inst: InstId,
        x: Value,
        classes: Value,
    ) -> Result<Args, Refused> {
        let ty = self.type_of(x);
        let (Some(format), Some(classes)) =
            (Format::of(self.scalar_kind(ty)), self.integer(classes))
        else {
            return Err(self.unsupported(inst));
        };
        let args = self.args(x)?;
        let to = self.body.insts[inst].ty;
        self.on_elements(&[(ty, args)], to, &mut |this, args| {
            this.is_of(format, classes & ALL, args[0])
        })
    }

    fn is_of(&mut self, format: Format, classes: u64, arg: Arg) -> Result<Arg, Refused> {
        let (direct, others) = (ranges(format, classes), ranges(format, ALL & !classes));
        let negated = others.len() < direct.len();
        let mut found: Option<Arg> = None;
        for range in if negated { others } else { direct } {
            let test = self.is_within(format, range, arg)?;
            found = Some(match found {
                Some(found) => self.op(Class::Pred, "or.pred", &[found, test])?.into(),
                None => test,
            });
        }
        match found {
            Some(found) if negated => Ok(self.op(Class::Pred, "not.pred", &[found])?.into()),
            Some(found) => Ok(found),
            None => Ok(Arg::Int(negated.into())),
        }
    }

    fn is_within(&mut self, format: Format, range: Range, arg: Arg) -> Result<Arg, Refused> {
        let Range {
            magnitude,
            from,
            to,
        } = range;
        let largest = format.sign_bits() - 1;
        let infinity = format.nan_bits() & !(1 << (format.fraction_bits() - 1));
        // What a comparison of numbers says, it says with the sign taken in.
        let comparison = match (from, to) {
            (from, to) if (from, to) == (infinity + 1, largest) => Some("nan"),
            (0, to) if to == infinity => Some("num"),
            (0, to) if to == infinity - 1 => Some("lt"),
            (from, to) if (from, to) == (infinity, infinity) => Some("eq"),
            (from, to) if (from, to) == (infinity, largest) => Some("geu"),
            _ => None,
        };
        let compares = matches!(format, Format::F32 | Format::F64)
            || self.has(&format!("setp.lt.{}", format.name()));
        if let Some(name) = comparison.filter(|_| magnitude && compares) {
            let made = match name {
                "nan" | "num" => self.compare(name, format, arg, arg)?,
                _ => {
                    let size = self.magnitude(format, arg)?;
                    self.compare(name, format, size, format.number(infinity))?
                }
            };
            return Ok(made[0]);
        }
        let class = match format {
            Format::F64 => Class::B64,
            _ => Class::B32,
        };
        let width = class.bits();
        let mut bits = self.in_register(arg.as_bits(), format.class())?;
        if format.class() == Class::B16 {
            bits = self.op(Class::B32, "cvt.u32.u16", &[bits.into()])?;
        }
        if magnitude {
            let args = [bits.into(), Arg::Int(largest as i64)];
            bits = self.op(class, &format!("and.b{width}"), &args)?;
        }
        let number = |value: u64| Arg::Int(crate::select::sign_extend(value, width));
        if from == to {
            let setp = format!("setp.eq.b{width}");
            let args = [bits.into(), number(from)];
            return Ok(self.op(Class::Pred, &setp, &args)?.into());
        }
        if from != 0 {
            let args = [bits.into(), number(from)];
            bits = self.op(class, &format!("sub.s{width}"), &args)?;
        }
        let setp = format!("setp.le.u{width}");
        let args = [bits.into(), Arg::Int((to - from) as i64)];
        Ok(self.op(Class::Pred, &setp, &args)?.into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, Range, ranges};

    #[test]
    fn neighbours_are_one_range() {
        let found = |classes| ranges(Format::F32, classes).to_vec();
        let range = |magnitude, from, to| Range {
            magnitude,
            from,
            to,
        };
        // NaN; finite; minus infinity; positive or zero without NaN; NaN or infinite.
        assert_eq!(found(3), [range(true, 0x7f80_0001, 0x7fff_ffff)]);
        assert_eq!(found(504), [range(true, 0, 0x7f7f_ffff)]);
        assert_eq!(found(4), [range(false, 0xff80_0000, 0xff80_0000)]);
        assert_eq!(found(0x3c0), [range(false, 0, 0x7f80_0000)]);
        assert_eq!(found(0x207), [range(true, 0x7f80_0000, 0x7fff_ffff)]);
        assert_eq!(found(0), []);
    }
}
