//! Arrays of numbers, read as the bytes that they have in memory: a large table is no larger here.

use super::{Parse, Reader, number};
use crate::constant::{ConstId, dense_number};
use crate::lex::TokenKind;
use crate::types::{Type, TypeId};
use warpc_diag::Span;

/// The elements of an array of numbers.
pub(super) enum Numbers {
    /// All of them, as their bytes.
    All(Vec<u8>),
    /// Those up to the first that is not a plain number, and whether others follow.
    Some(Vec<ConstId>, bool),
}

impl Reader<'_> {
    /// The elements of an array of numbers: as their bytes, so that a large table is no larger than in memory. What is
    /// no number ends that.
    pub(super) fn numbers(&mut self, element: TypeId, width: usize) -> Parse<Numbers> {
        let mut bytes = Vec::new();
        loop {
            let ty = self.ty()?;
            let int_bits = match self.module.types.get(ty) {
                Type::Int(bits) => Some(bits),
                _ => None,
            };
            let number = match (self.token.kind, int_bits) {
                _ if ty != element => None,
                (TokenKind::Int, Some(_)) => match self.text() {
                    [b'-', digits @ ..] if digits.len() <= 18 => {
                        number::decimal(digits).map(u64::wrapping_neg)
                    }
                    digits if digits.len() <= 18 => number::decimal(digits),
                    _ => None,
                }
                .inspect(|_| {
                    self.advance();
                }),
                (TokenKind::Float, None) => {
                    let words = self.float_words(ty)?;
                    words.first().copied()
                }
                _ => None,
            };
            match number {
                Some(number) => bytes.extend_from_slice(&number.to_le_bytes()[..width]),
                None => {
                    let mut read: Vec<ConstId> = Vec::with_capacity(bytes.len() / width + 1);
                    for index in 0..bytes.len() / width {
                        let number = dense_number(&bytes, width, index).unwrap_or(0);
                        let module = &mut self.module;
                        read.push(module.constants.number(&module.types, element, number));
                    }
                    read.push(self.constant(ty)?);
                    return Ok(Numbers::Some(read, self.accept(b',')));
                }
            }
            if !self.accept(b',') {
                return Ok(Numbers::All(bytes));
            }
        }
    }

    pub(super) fn dense_array(
        &mut self,
        ty: TypeId,
        count: usize,
        bytes: &[u8],
        start: Span,
    ) -> Parse<ConstId> {
        let Type::Array { len, .. } = self.module.types.get(ty) else {
            return Err(self.wrong_type(start, "an array", ty));
        };
        if len != count as u64 {
            let span = Span::new(start.start, self.last_end);
            return Err(self.wrong_type(span, &format!("an array of {count} elements"), ty));
        }
        let module = &mut self.module;
        Ok(module.constants.bytes(&mut module.names, ty, bytes))
    }
}
