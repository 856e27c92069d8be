//! Instructions to words: the bits of the shape, and those of each operand where its slot has them.

use crate::control::Control;
use crate::inst::{Guard, Inst};
use crate::operand::{Marks, Value};
use std::fmt;

/// Why an instruction has no word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// There are more or fewer operands than the shape has slots.
    Count,
    /// The guard is of the other kind.
    Guard,
    /// The operand in this slot is of another kind, out of range, or has marks that the slot does not take.
    Operand(usize),
    /// The operand in this slot is a label or a symbol, which must be placed first.
    Unplaced(usize),
    /// The chip does not have this control word, or the shape does not go with it.
    Control,
    /// The operands do not go together.
    Together,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Count => f.write_str("the wrong number of operands"),
            Misfit::Guard => f.write_str("a guard of the wrong kind"),
            Misfit::Operand(slot) => write!(f, "an operand in slot {slot} that does not fit"),
            Misfit::Unplaced(slot) => write!(f, "a label or symbol in slot {slot}"),
            Misfit::Control => f.write_str("a control word that it cannot have"),
            Misfit::Together => f.write_str("operands that do not go together"),
        }
    }
}

impl std::error::Error for Misfit {}

/// The word of an instruction.
pub fn encode(inst: &Inst) -> Result<u128, Misfit> {
    let shape = inst.shape;
    if inst.operands.len() != shape.slots().len() {
        return Err(Misfit::Count);
    }
    let mut word = shape.base();
    for (index, (slot, operand)) in shape.slots().iter().zip(&inst.operands).enumerate() {
        word |= match slot.bits(operand.value) {
            Some(bits) if slot.marks().has(operand.marks) => bits,
            _ if matches!(operand.value, Value::Label(_) | Value::Symbol(_)) => {
                return Err(Misfit::Unplaced(index));
            }
            _ => return Err(Misfit::Operand(index)),
        };
        if operand.marks != Marks::NONE {
            word |= slot.atom.signs.bits(operand.marks);
        }
    }
    if !inst.guard.fits(shape.has_uniform_guard()) {
        return Err(Misfit::Guard);
    }
    seal(inst, word)
}

/// The word with guard and control word; an error if they do not go with it.
fn seal(inst: &Inst, word: u128) -> Result<u128, Misfit> {
    let control = Control {
        reuse: 0,
        ..inst.control
    };
    let word = word | guard_bits(inst.guard) | control.put(0);
    if !inst.shape.allows_control(word) {
        return Err(Misfit::Control);
    }
    match inst.shape.allows_operands(word) {
        true => Ok(word),
        false => Err(Misfit::Together),
    }
}

/// The bits of a guard in a word.
pub(crate) fn guard_bits(guard: Guard) -> u128 {
    u128::from(guard.bits()) << 12
}
