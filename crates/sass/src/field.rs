//! Fields: bits of an instruction word that mean one number.
//!
//! Written `72.2` (two bits from bit 72 on); pieces of a field that is torn apart are joined by `~`, the low ones
//! first: `90.1~87.3`.

use std::fmt;

/// Bits of a word that mean one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// First bit and width of each piece, the low one first; a width of 0 is not a piece.
    pieces: [(u8, u8); 3],
}

impl Field {
    /// One run of bits.
    pub const fn new(start: u8, width: u8) -> Field {
        Field {
            pieces: [(start, width), (0, 0), (0, 0)],
        }
    }

    /// Reads `72.2` or `90.1~87.3`.
    pub fn parse(text: &str) -> Option<Field> {
        let mut field = Field {
            pieces: [(0, 0); 3],
        };
        // Hundreds are read before the first instruction is: byte by byte, for that is what is fastest.
        let mut bytes = text.bytes().peekable();
        for index in 0.. {
            let start = number(&mut bytes)?;
            let width = match bytes.next_if_eq(&b'.') {
                Some(_) => number(&mut bytes)?,
                None => 1,
            };
            *field.pieces.get_mut(index)? = piece(start, width)?;
            match bytes.next() {
                Some(b'~') => {}
                Some(_) => return None,
                None => break,
            }
        }
        (field.width() <= 64).then_some(field)
    }

    /// One run of bits from a bit on that is written as a number.
    pub(crate) fn from_bit(start: &str, width: u8) -> Option<Field> {
        Field::of_two((start, width), (0, 0))
    }

    /// Two runs of bits, the low one from a bit on that is written as a number; the other one may be none.
    pub(crate) fn of_two((start, width): (&str, u8), high: (u8, u8)) -> Option<Field> {
        let mut bytes = start.bytes().peekable();
        let start = number(&mut bytes)?;
        let field = Field {
            pieces: [piece(start, width)?, high, (0, 0)],
        };
        (bytes.next().is_none() && field.width() <= 64).then_some(field)
    }

    /// How many bits it has.
    pub fn width(self) -> u32 {
        let [first, second, third] = self.pieces;
        u32::from(first.1) + u32::from(second.1) + u32::from(third.1)
    }

    /// Its bits in a word.
    pub fn mask(self) -> u128 {
        self.bits(u64::MAX)
    }

    /// Its bits in a word, and a word with nothing but this value; nothing if the value does not fit.
    pub fn mask_and_bits(self, value: u64) -> Option<(u128, u128)> {
        let [first, second, _] = self.pieces;
        // Nearly all fields are one run of bits.
        if second.1 == 0 {
            let ones = ones(first.1);
            return (value <= ones)
                .then(|| (u128::from(ones) << first.0, u128::from(value) << first.0));
        }
        self.fits(value).then(|| (self.mask(), self.bits(value)))
    }

    /// Its value in a word.
    #[inline]
    pub fn get(self, word: u128) -> u64 {
        let [first, rest @ ..] = self.pieces;
        let value = (word >> first.0) as u64 & ones(first.1);
        // Nearly all fields are one run of bits.
        match rest[0].1 {
            0 => value,
            _ => value | high_pieces(word, rest, first.1),
        }
    }

    /// A word with nothing but this value; bits of the value that do not fit are dropped.
    pub fn bits(self, value: u64) -> u128 {
        let [first, rest @ ..] = self.pieces;
        let mut word = u128::from(value & ones(first.1)) << first.0;
        let mut at = first.1;
        for (start, width) in rest {
            if width == 0 {
                break;
            }
            word |= u128::from(value >> at & ones(width)) << start;
            at += width;
        }
        word
    }

    /// The word with another value; bits of the value that do not fit are dropped.
    pub fn set(self, word: u128, value: u64) -> u128 {
        word & !self.mask() | self.bits(value)
    }

    /// Whether a value fits.
    pub fn fits(self, value: u64) -> bool {
        self.width() >= 64 || value >> self.width() == 0
    }
}

/// A number of at most 255 that a text goes on with.
fn number(bytes: &mut std::iter::Peekable<std::str::Bytes>) -> Option<u8> {
    let digit = |byte: &u8| byte.is_ascii_digit();
    let mut number = bytes.next_if(digit)? - b'0';
    while let Some(next) = bytes.next_if(digit) {
        number = number.checked_mul(10)?.checked_add(next - b'0')?;
    }
    Some(number)
}

/// Bits of a word, if it has them.
fn piece(start: u8, width: u8) -> Option<(u8, u8)> {
    let is_in = (1..=64).contains(&width) && start.checked_add(width)? <= 128;
    is_in.then_some((start, width))
}

/// The value of all pieces but the first, which has so many bits.
fn high_pieces(word: u128, pieces: [(u8, u8); 2], mut at: u8) -> u64 {
    let mut value = 0;
    for (start, width) in pieces.into_iter().filter(|piece| piece.1 > 0) {
        value |= ((word >> start) as u64 & ones(width)) << at;
        at += width;
    }
    value
}

/// So many low bits, at most 64.
#[inline]
fn ones(width: u8) -> u64 {
    match width {
        0 => 0,
        width => u64::MAX >> (64 - width),
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (start, width) in self.pieces.into_iter().filter(|piece| piece.1 > 0) {
            write!(f, "{separator}{start}.{width}")?;
            separator = "~";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_in_order() {
        let field = Field::parse("90.1~87.3").unwrap();
        assert_eq!(field.width(), 4);
        assert_eq!(field.get(1 << 90), 1);
        assert_eq!(field.get(5 << 87), 10);
        let word = field.set(u128::MAX, 0b0110);
        assert_eq!(field.get(word), 0b0110);
        assert_eq!(word | field.mask(), u128::MAX);
        assert_eq!(field.to_string(), "90.1~87.3");
        assert_eq!(Field::from_bit("24", 8), Field::parse("24.8"));
        assert_eq!(
            Field::of_two(("38", 16), (54, 5)),
            Field::parse("38.16~54.5")
        );
        assert_eq!(Field::from_bit("24x", 8), None);
        for wrong in [
            "",
            "1.",
            "127.2",
            "1~2~3~4",
            "x",
            "0.65",
            "0.40~60.40",
            "~",
            "1.2~",
            "256",
            "1 ",
        ] {
            assert_eq!(Field::parse(wrong), None, "{wrong}");
        }
    }
}
