//! An instruction in memory: guard, text and operands, control word.
//!
//! ```text
//!   @P0 LDG.E.64 R2, desc[UR4][R2.64+0x10]
//!   guard  Text("LDG.E") Text(".64") Text(" ") R2 Text(", desc[") UR4 Text("][") R2 Text(".64") Text("+") 0x10 Text("]")
//! ```
//!
//! What an instruction is called and does stands in it as the text that people know; what varies in operands is typed.
//! [`decode`](crate::decode::decode) makes one from a word, [`Inst::new`] begins one by hand, and
//! [`encode`](crate::encode::encode) finds the form that has it. How texts are cut into parts does not matter.

use crate::control::Control;
use crate::form::Form;
use crate::number::Format;
use smallvec::SmallVec;
use std::fmt;

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// Which threads execute it.
    pub guard: Guard,
    /// Its name, modifiers, operands and what stands between them.
    pub parts: SmallVec<[Part; 12]>,
    /// What the scheduler of the chip reads; [`Marks::REUSE`] of operands is what says which of them are kept.
    pub control: Control,
    /// The form that it had, which is tried first: an instruction whose operands were changed mostly keeps it.
    pub(crate) form: Option<&'static Form>,
}

impl PartialEq for Inst {
    /// Whether both say the same.
    fn eq(&self, other: &Inst) -> bool {
        (self.guard, &self.parts, self.control) == (other.guard, &other.parts, other.control)
    }
}

/// The predicate in front of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// The predicate; 7 is always true.
    pub predicate: u8,
    /// Whether it is executed where the predicate is false.
    pub not: bool,
    /// Whether the predicate is a uniform one.
    pub uniform: bool,
}

impl Guard {
    /// Executed by all threads.
    pub const ALWAYS: Guard = Guard {
        predicate: 7,
        not: false,
        uniform: false,
    };

    /// The guard of a word whose form has uniform predicates as guards, or others.
    pub fn of(word: u128, uniform: bool) -> Guard {
        let (predicate, not) = ((word >> 12 & 7) as u8, word >> 15 & 1 == 1);
        Guard {
            predicate,
            not,
            uniform: uniform && (predicate != 7 || not),
        }
    }

    /// Whether the instructions of a form can have it.
    pub(crate) fn fits(self, form: &Form) -> bool {
        self == Guard::ALWAYS || self.uniform == form.is_uniform()
    }

    /// Its four bits.
    pub fn bits(self) -> u8 {
        self.predicate & 7 | u8::from(self.not) << 3
    }
}

/// A part of an instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Part {
    /// A name, modifiers, what stands between and around operands.
    Text(&'static str),
    /// An operand or the variable part of one, and what stands around it.
    Operand(Operand, Marks),
}

/// An operand, or the variable part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// `R5`; 255 is `RZ`.
    Register(u8),
    /// `UR5`; 255 is `URZ` on every chip.
    Uniform(u8),
    /// `P5`; 7 is `PT`.
    Predicate(u8),
    /// `UP5`; 7 is `UPT`.
    UniformPredicate(u8),
    /// `B5`, a convergence barrier; other numbers are the state of a warp by name.
    Barrier(u8),
    /// `c[0x0][0x28]`
    Constant {
        /// The bank.
        bank: u8,
        /// The place in it.
        offset: i32,
    },
    /// `cx[UR4][0x28]`
    Bindless {
        /// The uniform register with the bank; 255 is `URZ`.
        base: u8,
        /// The place in it.
        offset: i32,
    },
    /// `{5,1,0}`, one bit each.
    Set(u64),
    /// `0x5`
    Unsigned(u64),
    /// `-0x5`
    Signed(i64),
    /// `5`
    Decimal(u64),
    /// `1.5`, by its bits.
    Float(Format, u32),
    /// `SR_TID.X`
    Special(u8),
    /// A place in the code, so many bytes behind the next instruction.
    Place(i64),
}

/// What stands around an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks(pub u8);

impl Marks {
    /// Nothing.
    pub const NONE: Marks = Marks(0);
    /// `!`
    pub const NOT: Marks = Marks(1);
    /// `-`
    pub const MINUS: Marks = Marks(2);
    /// `~`
    pub const TILDE: Marks = Marks(4);
    /// `|…|`
    pub const BARS: Marks = Marks(8);
    /// `.reuse`
    pub const REUSE: Marks = Marks(16);

    /// Whether all of these are there.
    pub fn has(self, marks: Marks) -> bool {
        self.0 & marks.0 == marks.0
    }

    /// These and those.
    pub fn and(self, marks: Marks) -> Marks {
        Marks(self.0 | marks.0)
    }
}

impl Inst {
    /// An instruction without operands, for all threads: its name and modifiers, `"IMAD.WIDE.U32"`.
    pub fn new(name: &'static str) -> Inst {
        Inst {
            guard: Guard::ALWAYS,
            parts: SmallVec::from_slice(&[Part::Text(name)]),
            control: Control::UNSCHEDULED,
            form: None,
        }
    }

    /// With this guard.
    pub fn when(mut self, guard: Guard) -> Inst {
        self.guard = guard;
        self
    }

    /// With text as it stands: modifiers (`".U32"`), parts of addresses, `".H0_H0"`.
    pub fn text(mut self, text: &'static str) -> Inst {
        self.parts.push(Part::Text(text));
        self
    }

    /// With what an operand or a part of one is.
    pub fn part(mut self, operand: Operand, marks: Marks) -> Inst {
        self.parts.push(Part::Operand(operand, marks));
        self
    }

    /// With a further operand.
    pub fn operand(self, operand: Operand) -> Inst {
        self.marked(operand, Marks::NONE)
    }

    /// With a further operand and what stands around it.
    pub fn marked(self, operand: Operand, marks: Marks) -> Inst {
        let is_first = !self
            .parts
            .iter()
            .any(|part| matches!(part, Part::Operand(..)));
        self.text(if is_first { " " } else { ", " })
            .part(operand, marks)
    }

    /// With a control word.
    pub fn scheduled(mut self, control: Control) -> Inst {
        self.control = control;
        self
    }

    /// Without the form that it had: encoding looks for one among all of its name.
    pub fn of_any_form(mut self) -> Inst {
        self.form = None;
        self
    }

    /// Name and modifiers: `IMAD.WIDE.U32`.
    pub fn head(&self) -> String {
        let mut head = String::new();
        for part in &self.parts {
            let Part::Text(text) = part else { break };
            match text.split_once(' ') {
                Some((last, _)) => {
                    head.push_str(last);
                    break;
                }
                None => head.push_str(text),
            }
        }
        head
    }

    /// The operands and variable parts of operands, in the order of the text.
    pub fn operands(&self) -> impl Iterator<Item = (Operand, Marks)> + '_ {
        self.parts.iter().filter_map(|part| match part {
            Part::Operand(operand, marks) => Some((*operand, *marks)),
            Part::Text(_) => None,
        })
    }
}

impl fmt::Display for Inst {
    /// As it would be printed at address 0, with all that gives its word again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::print::inst(self, &crate::print::At(0)))
    }
}
