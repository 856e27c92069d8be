//! Whether results are as expected.

use crate::number;
use crate::request::{After, Expected, Step};
use crate::show::elements;

/// How a buffer differs from what was expected of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is of: `argument 0`.
    pub words: String,
    /// How many elements differ.
    pub count: usize,
    /// How many were compared.
    pub compared: usize,
    /// The first element that differs.
    pub index: usize,
    /// What it is.
    pub found: String,
    /// What it should be.
    pub wanted: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: element {} is {}, expected was {} ({} of {} elements differ)",
            self.words, self.index, self.found, self.wanted, self.count, self.compared
        )
    }
}

impl Step {
    /// How memory differs from what was expected of it: bit by bit, but one NaN is as good as another.
    pub fn differences(&self, after: &After) -> Vec<Difference> {
        let each = self.expected.iter();
        each.filter_map(|expected| difference(expected, after.bytes(&expected.memory)))
            .collect()
    }
}

fn difference(expected: &Expected, found: &[u8]) -> Option<Difference> {
    let ty = expected.ty;
    let both_nan = |a, b| number::is_nan(a, ty) && number::is_nan(b, ty);
    let mut differing = elements(found, ty)
        .zip(elements(&expected.bytes, ty))
        .enumerate()
        .filter(|(_, (a, b))| a != b && !both_nan(*a, *b));
    let (index, (found, wanted)) = differing.next()?;
    // Two numbers that print alike differ in their bits.
    let (mut found_text, mut wanted_text) = (number::format(found, ty), number::format(wanted, ty));
    if found_text == wanted_text {
        (found_text, wanted_text) = (format!("0x{found:x}"), format!("0x{wanted:x}"));
    }
    Some(Difference {
        words: expected.words.clone(),
        count: 1 + differing.count(),
        compared: expected.bytes.len() / ty.bytes() as usize,
        index,
        found: found_text,
        wanted: wanted_text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Memory;
    use warpc_ptx::types::ScalarType;

    fn expected(ty: ScalarType, bytes: &[u8]) -> Expected {
        Expected {
            memory: Memory::Buffer(0),
            words: "argument 4".to_owned(),
            argument: Some(4),
            ty,
            bytes: bytes.to_vec(),
        }
    }

    #[test]
    fn the_first_difference_is_told() {
        let wanted = expected(ScalarType::U16, &[1, 0, 2, 0, 3, 0]);
        assert_eq!(difference(&wanted, &[1, 0, 2, 0, 3, 0, 9, 9]), None);
        let found = difference(&wanted, &[1, 0, 9, 0, 0, 0]).expect("it differs");
        assert_eq!(
            found.to_string(),
            "argument 4: element 1 is 9, expected was 2 (2 of 3 elements differ)"
        );
    }

    #[test]
    fn nans_are_alike_and_zeros_are_not() {
        let nan = expected(ScalarType::F32, &f32::NAN.to_le_bytes());
        assert_eq!(difference(&nan, &0xffff_ffffu32.to_le_bytes()), None);
        let zero = expected(ScalarType::F32, &0f32.to_le_bytes());
        assert!(difference(&zero, &(-0f32).to_le_bytes()).is_some());
    }
}
