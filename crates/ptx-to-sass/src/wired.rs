//! Machine instructions with operands wired: shapes over the operands of the PTX instruction and temporaries.
//!
//! ```text
//!   atom.global.add.u32 d, [a], b        ATOMG.E.ADD.STRONG.GPU PT, %d, desc[$global][%a.64], %b
//!                                                               │    │         │       │      └ Operand::Ptx
//!                                                       Operand::Value         │       └ Operand::Base; its Operand::Offset is not shown
//!                                                                      Operand::Descriptor
//! ```

use crate::driver_table::Table;
use smallvec::SmallVec;
use std::fmt;
use warpc_sass::print::{self, Names};
use warpc_sass::{Guard, Inst, Marks, Shape, Value};

/// The registers that a temporary is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    /// `R0` and so on.
    Register,
    /// `P0` and so on.
    Predicate,
    /// `UR0` and so on.
    Uniform,
    /// `UP0` and so on.
    UniformPredicate,
    /// `B0` and so on.
    Barrier,
}

/// A value that steps of a sequence hand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Temporary {
    /// Its number among those of the sequence.
    pub number: u16,
    /// Where it is.
    pub file: File,
    /// How many registers it has.
    pub registers: u8,
}

/// Which part of a value is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// All of it: of a vector all elements, one after the other.
    Whole,
    /// A register of 32 bits, counted from the lowest.
    Register(u8),
    /// Four registers, counted in fours.
    Quad(u8),
    /// An element of a vector whose elements are in registers of their own.
    Element(u8),
    /// A register of such an element: the element, then the register.
    Word(u8, u8),
}

/// A place in a sequence, by its number in [`Wired::labels`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label(pub u8);

/// What stands in a slot of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register that is always the same, `RZ` or `PT`, a number, a special register.
    Value(Value),
    /// An operand of the PTX instruction by the name in its form; of an address the whole sum. A number among them must
    /// be put in a register first where the slot wants one.
    Ptx(&'static str, Part),
    /// The register of an address among them, without what it adds: that is in another slot.
    Base(&'static str),
    /// The number that an address among them adds to its register.
    Offset(&'static str),
    /// A temporary.
    Temporary(Temporary, Part),
    /// The pair of uniform registers that describes global memory, which the driver puts into the constant bank.
    Descriptor,
    /// The predicate that holds the carry between instructions.
    Carry,
    /// The size of an entry of a table of the driver, in place of a number.
    Size(Table),
    /// A place in the sequence.
    Label(Label),
}

impl Operand {
    /// A register of it.
    #[must_use]
    pub fn register(self, number: u8) -> Operand {
        match self {
            Operand::Ptx(name, _) => Operand::Ptx(name, Part::Register(number)),
            Operand::Temporary(temporary, _) => {
                Operand::Temporary(temporary, Part::Register(number))
            }
            other => other,
        }
    }
}

impl From<Temporary> for Operand {
    fn from(temporary: Temporary) -> Operand {
        Operand::Temporary(temporary, Part::Whole)
    }
}

impl From<Label> for Operand {
    fn from(label: Label) -> Operand {
        Operand::Label(label)
    }
}

impl From<Value> for Operand {
    fn from(value: Value) -> Operand {
        Operand::Value(value)
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = match *self {
            Operand::Value(value) => return write!(f, "{value:?}"),
            Operand::Offset(name) => return write!(f, "%{name}.offset"),
            Operand::Base(name) => return write!(f, "%{name}"),
            Operand::Descriptor => return f.write_str("$global"),
            Operand::Carry => return f.write_str("$carry"),
            Operand::Size(table) => return f.write_str(table.size_symbol()),
            Operand::Label(label) => return write!(f, ".L{}", label.0),
            Operand::Ptx(name, part) => (format!("%{name}"), part),
            Operand::Temporary(temporary, part) => {
                let letter = match temporary.file {
                    File::Register => 'r',
                    File::Predicate => 'p',
                    File::Uniform => 'u',
                    File::UniformPredicate => 'v',
                    File::Barrier => 'b',
                };
                (format!("${letter}{}", temporary.number), part)
            }
        };
        match part {
            Part::Whole => f.write_str(&whole),
            Part::Register(number) => write!(f, "{whole}.{number}"),
            Part::Quad(number) => write!(f, "{whole}.{}..{}", 4 * number, 4 * number + 3),
            Part::Element(number) => write!(f, "{whole}[{number}]"),
            Part::Word(element, number) => write!(f, "{whole}[{element}].{number}"),
        }
    }
}

/// An operand with what is done to it first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Marked {
    /// The operand.
    pub operand: Operand,
    /// `!`, `-` and the like.
    pub marks: Marks,
}

/// A predicate, and whether it must be false.
pub type Condition = (Operand, bool);

/// A machine instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// What it does.
    pub shape: &'static Shape,
    /// Which threads do it.
    pub guard: Option<Condition>,
    /// One for each slot of the shape.
    pub operands: SmallVec<[Marked; 6]>,
    /// Whether accesses to memory after it wait for its result.
    pub acquires: bool,
    /// Whether it is one of those that are seldom executed ([`crate::ir::Block::is_cold`]).
    pub is_cold: bool,
}

impl Step {
    /// The instruction with numbers for what is wired, and the names of those.
    fn with_names(&self) -> (Inst, Vec<String>, Vec<String>) {
        let mut inst = Inst::new(self.shape);
        let (mut symbols, mut labels) = (Vec::new(), Vec::new());
        for (slot, operand) in inst.operands.iter_mut().zip(&self.operands) {
            let value = match operand.operand {
                Operand::Value(value) => value,
                Operand::Label(_) => {
                    labels.push(operand.operand.to_string());
                    Value::Label(labels.len() as u32 - 1)
                }
                // The number of an address is shown as zero, that is, not at all.
                Operand::Offset(_) => Value::Number(0),
                other => {
                    symbols.push(other.to_string());
                    Value::Symbol(symbols.len() as u32 - 1)
                }
            };
            *slot = value.marked(operand.marks);
        }
        inst.guard = Guard::ALWAYS;
        (inst, symbols, labels)
    }
}

impl fmt::Display for Step {
    /// SASS over names: `%a` are operands of the PTX instruction, `$r0` temporaries.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((predicate, not)) = self.guard {
            write!(f, "@{}{predicate} ", if not { "!" } else { "" })?;
        }
        let (inst, symbols, labels) = self.with_names();
        let names = Names {
            address: 0,
            labels: &labels,
            symbols: &symbols,
        };
        match print::styled(&inst, &names, print::Style::Nvdisasm) {
            Ok(text) => f.write_str(&text),
            Err(misfit) => write!(f, "{} with {misfit}", self.shape),
        }
    }
}

/// A sequence of machine instructions with operands wired.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Wired {
    /// The instructions in program order.
    pub steps: Vec<Step>,
    /// The steps before which labels stand; the number of steps for one at the end.
    pub labels: Vec<usize>,
    /// The values that steps hand to each other.
    pub temporaries: Vec<Temporary>,
}

impl fmt::Display for Wired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for at in 0..=self.steps.len() {
            let here = (0..).zip(&self.labels).filter(|(_, place)| **place == at);
            for (number, _) in here {
                writeln!(f, ".L{number}:")?;
            }
            if let Some(step) = self.steps.get(at) {
                writeln!(f, "{step}")?;
            }
        }
        Ok(())
    }
}
