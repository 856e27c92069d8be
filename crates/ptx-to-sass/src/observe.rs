//! Who watches the passes: what each left, as text or as IR.

use crate::emit::Code;
use crate::ir::Function;
use std::fmt::Display;

/// What a pass left.
pub trait Left: Display {
    /// The IR, before it becomes instructions one after the other.
    fn ir(&self) -> Option<&Function>;
}

impl Left for Function {
    fn ir(&self) -> Option<&Function> {
        Some(self)
    }
}

impl Left for Code {
    fn ir(&self) -> Option<&Function> {
        None
    }
}

/// Is told that a pass over the code of a function is over, and prints what it left if it wants to.
pub type After<'a> = &'a mut dyn FnMut(&'static str, &dyn Left);
