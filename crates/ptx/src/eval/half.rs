//! Half precision, bfloat16 and packed forms.

use super::{Operation, View};

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    match view.opcode() {
        _ => None,
    }
}
