//! Decodes what `exec::matrix` runs.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::program::Op;

impl Decoder<'_> {
    pub(super) fn matrix(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        self.refuse_form(of)
    }
}
