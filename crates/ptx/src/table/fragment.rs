//! Fragments of matrices: how many registers of a lane hold one, and the check of it.
//!
//! A warp's 32 lanes share a matrix evenly, so the number follows from its size and the bits an
//! element takes in a register:
//!
//! ```text
//!   m16n8k16 .f16   A: 16 x 16 elements x 16 bits / 32 lanes / 32 bits = 4 registers
//! ```

use crate::inst::Operand;
use crate::rule::{RuleView, Violation};
use crate::types::ScalarType;

/// The sizes in a shape such as `.m16n8k16`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dims {
    /// Rows of A and D.
    pub m: usize,
    /// Columns of B and D.
    pub n: usize,
    /// Columns of A, rows of B.
    pub k: usize,
}

impl Dims {
    /// Reads a shape; the parts it does not have are 1.
    pub fn parse(token: &str) -> Dims {
        let size = |letter: char| {
            let digits = token.split_once(letter).map_or("", |(_, rest)| rest);
            let end = digits
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(digits.len());
            digits[..end].parse().unwrap_or(1)
        };
        Dims {
            m: size('m'),
            n: size('n'),
            k: size('k'),
        }
    }

    /// The shape an instruction names in its slot `shape`.
    pub fn of(view: &RuleView<'_>) -> Dims {
        Dims::parse(view.token("shape").unwrap_or_default())
    }
}

/// The bits an element takes in a register. The 6- and 4-bit floats lie in bytes of their own
/// (but the `mxf4` kinds pack 4-bit floats: there the instruction's rule says so).
pub fn element_bits(ty: ScalarType) -> usize {
    match ty {
        ScalarType::E2m1 | ScalarType::E2m3 | ScalarType::E3m2 => 8,
        _ => ty.bits() as usize,
    }
}

/// How many registers of one lane hold `elements` elements of a warp's matrix.
pub fn registers(elements: usize, bits: usize) -> usize {
    let register = bits.max(32);
    (elements * bits / 32).div_ceil(register)
}

/// The type in a slot; `.b32` if there is none (the tables' own mistake, found by its tests).
pub fn slot_type(view: &RuleView<'_>, slot: &str) -> ScalarType {
    view.scalar(slot).unwrap_or(ScalarType::B32)
}

/// Checks that an operand is a vector of so many registers.
pub fn expect_registers(
    view: &RuleView<'_>,
    operand: &'static str,
    count: usize,
) -> Result<(), Violation> {
    let Some(Operand::Vector(given)) = view.operand(operand) else {
        return Err(Violation::operand(
            operand,
            format!("`{operand}` must be a vector of {count}"),
        )
        .help("write braces around it, even around a single register"));
    };
    let given = usize::from(given.len);
    if given == count {
        return Ok(());
    }
    let s = if count == 1 { "" } else { "s" };
    Err(Violation::operand(
        operand,
        format!("`{operand}` has {count} register{s} in this shape, {given} given"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(
            Dims::parse(".m16n8k256"),
            Dims {
                m: 16,
                n: 8,
                k: 256
            }
        );
        assert_eq!(Dims::parse(".m8n8"), Dims { m: 8, n: 8, k: 1 });
    }

    #[test]
    fn counts() {
        assert_eq!(registers(16 * 16, 16), 4);
        assert_eq!(registers(16 * 8, 32), 4);
        assert_eq!(registers(8 * 4, 64), 1);
        assert_eq!(registers(8 * 128, 1), 1);
    }
}
