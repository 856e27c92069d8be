//! Decodes what `exec::async_copy` runs.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::program::Op;

impl Decoder<'_> {
    pub(super) fn async_copy(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        self.refuse_form(of)
    }
}
