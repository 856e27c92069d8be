//! Words to instructions.

use crate::control::Control;
use crate::inst::{Guard, Inst, Operands};
use crate::shape::{Shape, Shapes};
use warpc_target::Sm;

/// The instruction of a word on a chip; nothing if there is none, or if some bit is set that no instruction can say.
/// What is decoded gives the same word again.
pub fn decode(sm: Sm, word: u128) -> Option<Inst> {
    let shape = Shapes::of_word(sm, word)?;
    of_shape(shape, word)
}

/// The instruction of a word of a shape; nothing if there is none.
pub fn of_shape(shape: &'static Shape, word: u128) -> Option<Inst> {
    let mut operands = Operands::new();
    for slot in shape.slots() {
        operands.push(slot.operand(word)?);
    }
    Some(Inst {
        shape,
        guard: Guard::of(word, shape.has_uniform_guard()),
        control: Control::of(word),
        operands,
    })
}
