//! Comparison and selection: set, setp, selp, slct.

use super::{Operation, View};

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    match view.opcode() {
        _ => None,
    }
}
