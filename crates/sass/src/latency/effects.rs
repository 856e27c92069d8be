//! What an instruction reads and writes: registers and predicates, with how many registers each operand has.
//!
//! The operands stand in the template. Which of them are results follows from their place in the word, and how many
//! registers they have from the modifiers, by a table.

use crate::form::Form;
use crate::latency::widths;
use crate::template::{Atom, Kind, Piece};

/// What can be read and written, and waits for each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum File {
    /// `R0` to `R254`
    Register,
    /// `P0` to `P6`
    Predicate,
    /// `UR0` and so on
    Uniform,
    /// `UP0` to `UP6`
    UniformPredicate,
}

impl File {
    /// All of them.
    pub const ALL: [File; 4] = [
        File::Register,
        File::Predicate,
        File::Uniform,
        File::UniformPredicate,
    ];
}

/// What an operand is to its instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A result.
    Result,
    /// The guard.
    Guard,
    /// The uniform register in `cx[UR4][0x28]`.
    Bindless,
    /// A source that stands at this bit.
    Source(u8),
}

/// Registers or predicates that an instruction reads or writes as one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Where.
    pub file: File,
    /// The first one.
    pub first: u8,
    /// How many.
    pub count: u8,
    /// As what.
    pub role: Role,
}

impl Access {
    /// Whether it is written.
    pub fn is_write(&self) -> bool {
        self.role == Role::Result
    }

    /// The numbers of its registers.
    pub fn numbers(&self) -> impl Iterator<Item = u8> + use<> {
        let (first, count) = (self.first, self.count);
        (0..count).filter_map(move |index| first.checked_add(index))
    }
}

/// What an instruction does to registers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Its name with modifiers: `LDG.E.64`.
    pub name: String,
    /// What it reads and writes; the guard comes first. What is always zero or true is left out.
    pub accesses: Vec<Access>,
    /// Whether it is guarded, so that it may leave its results as they are.
    pub guarded: bool,
    /// Whether one of its operands is a place in the code.
    pub has_place: bool,
}

impl Effects {
    /// The effects of a word of a form; nothing if the form has no such instruction.
    pub fn of(form: &Form, word: u128) -> Option<Effects> {
        let mut reader = Reader {
            word,
            name: String::new(),
            in_name: true,
            before: "",
            fresh: false,
            found: Vec::new(),
            has_place: false,
        };
        let guard = (word >> 12 & 7) as u8;
        if guard != 7 {
            let file = match form.is_uniform() {
                true => File::UniformPredicate,
                false => File::Predicate,
            };
            reader.add(file, guard, Role::Guard);
        }
        reader.pieces(form.pieces())?;
        let mut effects = Effects {
            name: reader.name,
            accesses: reader.found,
            guarded: word >> 12 & 0xf != 7,
            has_place: reader.has_place,
        };
        effects.packed_predicates(word);
        widths::apply(form, &effects.name, word, &mut effects.accesses);
        effects.accesses.retain(|access| access.count > 0);
        Some(effects)
    }

    /// Whether its name is this one, with or without modifiers.
    pub fn is(&self, name: &str) -> bool {
        base(&self.name) == name
    }

    /// `PR`: the predicates that bits of the mask name.
    fn packed_predicates(&mut self, word: u128) {
        let role = match base(&self.name) {
            "R2P" => Role::Result,
            "P2R" => Role::Source(0),
            _ => return,
        };
        let mask = (word >> 32) as u8 & 0x7f;
        for number in (0..7).filter(|number| mask >> number & 1 == 1) {
            self.accesses.push(Access {
                file: File::Predicate,
                first: number,
                count: 1,
                role,
            });
        }
    }
}

/// A name without modifiers.
pub(super) fn base(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

struct Reader {
    word: u128,
    name: String,
    in_name: bool,
    /// The text before the next operand.
    before: &'static str,
    /// Whether an operand was the last thing.
    fresh: bool,
    found: Vec<Access>,
    has_place: bool,
}

impl Reader {
    fn pieces(&mut self, pieces: &[Piece]) -> Option<()> {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Atom(atom) => self.atom(atom),
                Piece::Choice(field, choices) => {
                    self.pieces(choices.body(field.get(self.word))?)?;
                }
                Piece::If(field, values, body) => {
                    if values.contains(&field.get(self.word)) {
                        self.pieces(body)?;
                    }
                }
                Piece::Unless(field, value, body) => {
                    if field.get(self.word) != *value {
                        self.pieces(body)?;
                    }
                }
                Piece::Hidden(body) => self.pieces(body)?,
                Piece::Never => return None,
            }
        }
        Some(())
    }

    fn text(&mut self, text: &'static str) {
        if text.is_empty() {
            return;
        }
        if self.in_name {
            let end = text.find(' ');
            self.name.push_str(&text[..end.unwrap_or(text.len())]);
            self.in_name = end.is_none();
        } else if let Some((file, number)) = named_predicate(text) {
            self.add(file, number, Role::Source(0));
        }
        // `R4.64`: a pair.
        if self.fresh
            && (text.starts_with(".64") || text.starts_with(".F32x2"))
            && let Some(access) = self.found.last_mut()
        {
            access.count = access.count.max(2);
        }
        self.fresh = false;
        self.before = text;
    }

    fn atom(&mut self, atom: &Atom) {
        self.in_name = false;
        self.fresh = false;
        self.has_place |= atom.kind == Kind::Label;
        let value = atom.field.get(self.word);
        let start = atom.field.mask().trailing_zeros() as u8;
        let last = (1u64 << atom.field.width().min(32)) - 1;
        let (file, number, zero) = match atom.kind {
            Kind::Register => (File::Register, value, 255),
            Kind::Predicate => (File::Predicate, value, 7),
            Kind::UniformPredicate => (File::UniformPredicate, value, 7),
            Kind::Uniform => (File::Uniform, value, last),
            Kind::NextUniform => (File::Uniform, value + 1, last + 1),
            Kind::Bindless => (File::Uniform, value >> 16, last),
            _ => return,
        };
        let bindless = atom.kind == Kind::Bindless;
        let zero = match bindless {
            true => (1u64 << (atom.field.width() - 16)) - 1,
            false => zero,
        };
        if number == zero {
            return;
        }
        let role = match (atom.kind, start) {
            (Kind::Predicate | Kind::UniformPredicate, 81 | 84) => Role::Result,
            (Kind::Register | Kind::Uniform, 16) => Role::Result,
            _ if bindless => Role::Bindless,
            (_, start) => Role::Source(start),
        };
        self.add(file, number as u8, role);
        // Descriptors are pairs.
        let described = self.before.ends_with("desc[") || self.before.ends_with("default[");
        if (described && atom.kind == Kind::Uniform || bindless)
            && let Some(access) = self.found.last_mut()
        {
            access.count = 2;
        }
        self.fresh = true;
    }

    fn add(&mut self, file: File, number: u8, role: Role) {
        self.found.push(Access {
            file,
            first: number,
            count: 1,
            role,
        });
    }
}

/// A predicate that stands in a template as text: `, !UP3`.
fn named_predicate(text: &str) -> Option<(File, u8)> {
    let name = text.strip_prefix(", ")?;
    let name = name.strip_prefix('!').unwrap_or(name);
    let (file, name) = match name.strip_prefix('U') {
        Some(rest) => (File::UniformPredicate, rest),
        None => (File::Predicate, name),
    };
    let number = name.strip_prefix('P')?.parse().ok()?;
    Some((file, number))
}
