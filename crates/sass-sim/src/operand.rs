//! Operands as execution reads and writes them, taken from an instruction once when it is loaded.

use smallvec::SmallVec;
use warpc_sass::latency::File;
use warpc_sass::template::Kind;
use warpc_sass::{Inst, Marks, Value};

/// Where a source comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum From {
    /// A register; 255 is zero.
    Register(u8),
    /// A uniform register; 255 is zero.
    Uniform(u8),
    /// A number.
    Number(i64),
    /// A constant.
    Constant { bank: u8, offset: i32 },
    /// A constant of the bank that a uniform register names.
    Bindless { base: u8, offset: i32 },
}

/// A source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct In {
    pub(crate) from: From,
    pub(crate) marks: Marks,
    /// Where its number starts in the word: which field selects a part of it follows from that.
    pub(crate) bit: u8,
    /// How many registers it has.
    pub(crate) width: u8,
}

impl In {
    pub(crate) const ZERO: In = In {
        from: From::Register(255),
        marks: Marks::NONE,
        bit: 0,
        width: 1,
    };

    /// Whether it is negated.
    pub(crate) fn minus(&self) -> bool {
        self.marks.has(Marks::MINUS)
    }

    /// Whether its bits are inverted.
    pub(crate) fn tilde(&self) -> bool {
        self.marks.has(Marks::TILDE)
    }

    /// Whether its magnitude is taken.
    pub(crate) fn bars(&self) -> bool {
        self.marks.has(Marks::BARS)
    }
}

/// A predicate that is read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Truth {
    pub(crate) number: u8,
    pub(crate) uniform: bool,
    pub(crate) not: bool,
}

/// Where a result goes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) enum Dest {
    /// Nowhere.
    #[default]
    None,
    Register(u8),
    Uniform(u8),
    Predicate(u8),
    UniformPredicate(u8),
}

/// All operands of an instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args {
    /// The result at bit 16, and the second of loads and textures.
    pub(crate) d: Dest,
    /// The predicate results at bits 81 and 84.
    pub(crate) p: [Dest; 2],
    /// Sources that are not predicates nor parts of an address, in the order of the text.
    pub(crate) s: SmallVec<[In; 4]>,
    /// Predicates that are read, in the order of the text.
    pub(crate) t: SmallVec<[Truth; 3]>,
    /// The address, if there is one.
    pub(crate) address: Address,
}

/// A sum of registers and numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Address {
    pub(crate) register: Option<(u8, bool)>,
    pub(crate) uniform: Option<(u8, bool)>,
    pub(crate) offset: i64,
    /// The register is shifted left by so many bits.
    pub(crate) scale: u32,
}

/// The field that scales the register of an address in shared memory.
const SCALE: (u32, u128) = (78, 3);
/// The scales of that field: by 1, 4, 8 and 16.
const SCALES: [u32; 4] = [0, 2, 3, 4];

/// The first bits of the two halves of a number that is a pair, and of a constant in two fields.
const PAIR_HIGH: u8 = 48;
const PAIR_LOW: u8 = 32;
const BANK: u8 = 54;
const OFFSET: u8 = 40;

impl Args {
    /// The operands of an instruction.
    pub(crate) fn of(inst: &Inst, scaled: bool) -> Args {
        let mut args = Args::default();
        let slots = inst.shape.slots();
        let has = |bit: u8| {
            slots
                .iter()
                .any(|slot| slot.bit() == bit && slot.file.is_none())
        };
        let is_pair = slots
            .iter()
            .any(|slot| slot.bit() == PAIR_HIGH && matches!(slot.kind(), Kind::Float(_)));
        let number_at = |bit: u8| inst.at(bit).and_then(|one| one.value.number()).unwrap_or(0);
        let in_halves =
            !scaled && has(BANK) && has(OFFSET) && slots.iter().all(|slot| !slot.in_address);
        for (slot, operand) in slots.iter().zip(&inst.operands) {
            let width = slot.width.registers(0);
            let result = slot.is_written();
            match operand.value {
                Value::Register(number) if result && args.d == Dest::None => {
                    args.d = Dest::Register(number)
                }
                Value::Uniform(number) if result && args.d == Dest::None => {
                    args.d = Dest::Uniform(number)
                }
                Value::Predicate(number) if result => {
                    args.p[usize::from(slot.bit() == 84)] = Dest::Predicate(number);
                }
                Value::UniformPredicate(number) if result => {
                    args.p[usize::from(slot.bit() == 84)] = Dest::UniformPredicate(number);
                }
                Value::Predicate(number) | Value::UniformPredicate(number) => args.t.push(Truth {
                    number,
                    uniform: slot.file == Some(File::UniformPredicate),
                    not: operand.marks.has(Marks::NOT),
                }),
                Value::Register(number) if slot.in_address => {
                    args.address.register = Some((number, width == 2));
                }
                Value::Uniform(number) if slot.in_address => {
                    args.address.uniform = Some((number, width == 2))
                }
                Value::Number(number) if slot.in_address => args.address.offset = number,
                Value::Number(_) if is_pair && slot.bit() == PAIR_HIGH => {
                    let bits = number_at(PAIR_HIGH) << 16 | number_at(PAIR_LOW) & 0xffff;
                    args.s
                        .push(source(From::Number(bits), Marks::NONE, PAIR_LOW, 1));
                }
                Value::Number(_) if is_pair && slot.bit() == PAIR_LOW => {}
                Value::Number(bank) if in_halves && slot.bit() == BANK => {
                    let from = From::Constant {
                        bank: bank as u8,
                        offset: number_at(OFFSET) as i32,
                    };
                    args.s.push(source(from, Marks::NONE, PAIR_LOW, 1));
                }
                Value::Number(_) if in_halves && slot.bit() == OFFSET => {}
                value => {
                    let from = match value {
                        Value::Register(number) => From::Register(number),
                        // A descriptor is not an operand of what is computed.
                        Value::Uniform(_) if is_descriptor(inst, slot.bit()) => continue,
                        Value::Uniform(number) => From::Uniform(number),
                        Value::Constant { bank, offset } => From::Constant { bank, offset },
                        Value::Bindless { base, offset } => From::Bindless { base, offset },
                        Value::Number(number) | Value::Place(number) => From::Number(number),
                        Value::Special(number) | Value::Barrier(number) => {
                            From::Number(number.into())
                        }
                        _ => continue,
                    };
                    args.s.push(source(from, operand.marks, slot.bit(), width));
                }
            }
        }
        if scaled {
            let field = (inst.shape.base() >> SCALE.0 & SCALE.1) as usize;
            args.address.scale = SCALES[field];
        }
        args
    }

    /// A source; zero where the instruction has none.
    pub(crate) fn source(&self, index: usize) -> In {
        self.s.get(index).copied().unwrap_or(In::ZERO)
    }

    /// A predicate that is read; true where the instruction has none.
    pub(crate) fn truth(&self, index: usize) -> Truth {
        const ALWAYS: Truth = Truth {
            number: 7,
            uniform: false,
            not: false,
        };
        self.t.get(index).copied().unwrap_or(ALWAYS)
    }
}

fn source(from: From, marks: Marks, bit: u8, width: u8) -> In {
    In {
        from,
        marks,
        bit,
        width,
    }
}

/// Whether a uniform register at a bit is the descriptor of memory: it stands before the brackets of an address, and
/// there is a register in them.
fn is_descriptor(inst: &Inst, bit: u8) -> bool {
    let slots = inst.shape.slots();
    let slot = slots.iter().find(|slot| slot.bit() == bit);
    let is_outside = slot.is_some_and(|slot| !slot.in_address && slot.width.registers(0) == 2);
    is_outside
        && slots
            .iter()
            .any(|slot| slot.in_address && slot.file == Some(File::Register))
}
