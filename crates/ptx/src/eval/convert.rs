//! Conversions: cvt, cvt.pack, szext and their like.

use super::{Operation, View};

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    match view.opcode() {
        _ => None,
    }
}
