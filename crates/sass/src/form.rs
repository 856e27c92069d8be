//! Forms: the rows of the tables, read once.

mod index;

use crate::kinds::{Counts, Kinds};
use crate::template::{self, Kind, Piece, Variant};
use index::INDEX;
use smallvec::SmallVec;
use std::sync::OnceLock;
use warpc_target::Sm;

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The lowest twelve bits.
    pub opcode: u16,
    /// The first chip that has it in this form.
    pub first: u16,
    /// The last chip that has it in this form.
    pub last: u16,
    /// The text with fields in it.
    pub template: &'static str,
    /// The bits that ptxas sets where the text says nothing: of fields that are not printed then, and bits that
    /// no field covers.
    pub implied_bits: u128,
    /// Whether its guard is a uniform predicate though its name does not say so.
    pub uniform: bool,
    /// The operand forms it has; see [`Row::forms`].
    pub forms: &'static str,
    /// The bits of the control word that are always set: of scoreboards that it cannot release.
    pub no_scoreboard_bits: u128,
}

/// A row for a chip and all later ones.
pub const fn row(opcode: u16, first: u16, template: &'static str) -> Row {
    Row {
        opcode,
        first,
        last: u16::MAX,
        template,
        implied_bits: 0,
        uniform: false,
        forms: "",
        no_scoreboard_bits: 0,
    }
}

impl Row {
    /// The same up to a chip only.
    pub const fn until(self, last: u16) -> Row {
        Row { last, ..self }
    }

    /// Executed once for the warp, guarded by a uniform predicate; a name that begins with U says that too.
    pub const fn uniform(self) -> Row {
        Row {
            uniform: true,
            ..self
        }
    }

    /// One form for each of these digits: the opcode has it as its third digit, and the template takes the
    /// operands for it. An odd digit means the same as the even one below it.
    ///
    /// | digit | second source | third source |
    /// |---|---|---|
    /// | 2 | register | register |
    /// | 4 | register | immediate |
    /// | 6 | register | constant, up to sm_90 |
    /// | 8 | immediate | register |
    /// | a | constant, up to sm_90 | register |
    /// | c | uniform register, marked by bit 91 | register |
    /// | e | register | uniform register, marked by bit 91 |
    pub const fn forms(self, forms: &'static str) -> Row {
        Row { forms, ..self }
    }

    /// Whether a chip has it in this form.
    pub(crate) fn is_on(&self, chip: u16) -> bool {
        (self.first..=self.last).contains(&chip) && !UNDESCRIBED.contains(&chip)
    }

    /// Has no result that a scoreboard could tell of.
    pub const fn no_write(self) -> Row {
        let no_scoreboard_bits = self.no_scoreboard_bits | 7 << 110;
        Row {
            no_scoreboard_bits,
            ..self
        }
    }

    /// Reads its operands at once, so that no scoreboard need tell of it.
    pub const fn no_read(self) -> Row {
        let no_scoreboard_bits = self.no_scoreboard_bits | 7 << 113;
        Row {
            no_scoreboard_bits,
            ..self
        }
    }

    /// What parts of the template depend on.
    fn variant(&self) -> Variant {
        Variant {
            chip: self.first,
            digit: (self.opcode >> 8 & 0xf) as u8,
        }
    }

    /// With a field that has this value where the text says nothing.
    pub const fn implied(self, start: u8, value: u128) -> Row {
        let implied_bits = self.implied_bits | value << start;
        Row {
            implied_bits,
            ..self
        }
    }
}

/// A row. Its template is read when it is first needed: most programs use few of all forms.
#[derive(Debug)]
pub struct Form {
    /// The row.
    pub row: Row,
    /// Elsewhere, because most forms never have one.
    body: OnceLock<Box<Body>>,
}

/// A template, read.
#[derive(Debug)]
struct Body {
    pieces: Vec<Piece>,
    covered: u128,
    choosing: u128,
    kinds: Kinds,
    excludes: bool,
    reuses: bool,
}

/// The bits of the opcode.
pub(crate) const OPCODE: u128 = 0xfff;
/// The guard: a predicate and its negation.
pub(crate) const GUARD: u128 = 0xf << 12;

impl Form {
    fn new(row: Row) -> Form {
        Form {
            row,
            body: OnceLock::new(),
        }
    }

    fn body(&self) -> &Body {
        self.body.get_or_init(|| {
            // A test reads all templates, so that none fails here.
            let pieces = template::read(self.row.template, self.row.variant()).unwrap_or_default();
            Box::new(Body {
                covered: template::mask(&pieces) | OPCODE | GUARD | crate::control::SCHEDULE,
                choosing: {
                    let operands = template::atom_mask(&pieces) & !template::choice_mask(&pieces);
                    !(operands | OPCODE | GUARD | crate::control::SCHEDULE)
                },
                kinds: Kinds::of(&pieces),
                excludes: template::excludes(&pieces),
                reuses: template::reuses(&pieces),
                pieces,
            })
        })
    }

    /// The pieces of the template.
    pub fn pieces(&self) -> &[Piece] {
        &self.body().pieces
    }

    /// The bits that the opcode, the guard, the control word and the fields cover.
    pub fn covered(&self) -> u128 {
        self.body().covered
    }

    /// The bits of a word that may choose between shapes: all that are not an operand's whatever the modifiers are.
    pub(crate) fn choosing_bits(&self) -> u128 {
        self.body().choosing
    }

    /// Whether some values that its template can be matched with are not instructions.
    pub(crate) fn excludes(&self) -> bool {
        self.body().excludes
    }

    /// Whether an operand of it can stay in the operand cache.
    pub(crate) fn reuses(&self) -> bool {
        self.body().reuses
    }

    /// Whether some of its instructions go to a place in the code.
    pub fn goes_somewhere(&self) -> bool {
        self.body().kinds.can_have(Kind::Label)
    }

    /// The operands of each kind that its instructions have.
    pub(crate) fn kinds(&self) -> Kinds {
        self.body().kinds
    }

    /// Whether an instruction with at most so many operands of each kind can be one of it, as far as the third digit of
    /// the opcode tells: the template is not read for that.
    pub(crate) fn digit_goes_with(&self, possible: Counts) -> bool {
        let has = |kind: Kind| possible.without(kind) != possible;
        match self.row.opcode >> 8 & 0xe {
            _ if self.row.forms.is_empty() || NOT_BY_DIGIT.contains(&self.name()) => true,
            0x6 | 0xa => has(Kind::Constant) || has(Kind::Bindless),
            0xc | 0xe => has(Kind::Uniform),
            _ => true,
        }
    }

    /// The name of the operation without modifiers, up to the first field in it.
    pub fn name(&self) -> &'static str {
        name_of(self.row.template)
    }

    /// Whether it is executed once for the warp, and its guard is a uniform predicate.
    pub fn is_uniform(&self) -> bool {
        let name = self.name();
        self.row.uniform || name.starts_with('U') || crate::table::UNIFORM.contains(&name)
    }
}

/// Operations with operand forms that do not always have the operand that the digit stands for; sorted.
const NOT_BY_DIGIT: &[&str] = &["F2FP"];

/// The name at the start of a text.
pub(crate) fn name_of(text: &str) -> &str {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_');
    &text[..end.unwrap_or(text.len())]
}

/// Chips between the first and the last one whose instructions are not described: on sm_107 some are those of sm_100 and
/// some those of sm_120.
const UNDESCRIBED: [u16; 1] = [107];

/// The chips with which parts of templates change: the last one before, and the first one after.
const GENERATIONS: [(u16, u16); 7] = [
    (0, 79),
    (80, 85),
    (86, 89),
    (90, 99),
    (100, 109),
    (110, 119),
    (120, u16::MAX),
];

/// The last chip that has operands in constant memory.
const LAST_CONSTANT: u16 = 99;

/// The row that a row stands for with one of its operand forms.
const fn with_digit(row: Row, digit: u16) -> Row {
    let row = Row {
        opcode: row.opcode & 0xff | digit << 8,
        ..row
    };
    match digit & !1 {
        0x6 | 0xa if row.last > LAST_CONSTANT => row.until(LAST_CONSTANT),
        0xc | 0xe => row.implied(91, 1),
        _ => row,
    }
}

/// All forms. Where they are is known when the crate is compiled (`form/index.rs`); a form is made when it is first needed.
pub struct Forms {
    made: [OnceLock<Box<Form>>; index::COUNT],
    all: OnceLock<Vec<&'static Form>>,
}

impl Forms {
    /// The forms of the tables.
    pub fn get() -> &'static Forms {
        static FORMS: Forms = Forms {
            made: [const { OnceLock::new() }; index::COUNT],
            all: OnceLock::new(),
        };
        &FORMS
    }

    /// The form of an entry.
    fn form(&'static self, at: u16) -> &'static Form {
        let made = &self.made[usize::from(at)];
        made.get_or_init(|| Box::new(Form::new(INDEX.entry(at).expanded())))
    }

    /// Every form, by opcode and chip.
    pub fn all(&'static self) -> impl Iterator<Item = &'static Form> + Clone {
        let all = self.all.get_or_init(|| {
            let mut all: Vec<&Form> = (0..index::COUNT as u16).map(|at| self.form(at)).collect();
            all.sort_by_key(|form| (form.row.opcode, form.row.first));
            all
        });
        all.iter().copied()
    }

    /// The form of a word on a chip.
    pub fn of(&'static self, sm: Sm, word: u128) -> Option<&'static Form> {
        let number = sm.number();
        let mut entries = INDEX.with_opcode(number, (word & OPCODE) as u16);
        let at = entries.find(|at| INDEX.entry(*at).is_on(number))?;
        Some(self.form(at))
    }

    /// The forms on a chip of a name, or of one that begins so and goes on with a field.
    pub fn named(&'static self, sm: Sm, name: &str) -> impl Iterator<Item = &'static Form> {
        let number = sm.number();
        let own = INDEX.named(number, name);
        // A whole name that is not there may be the start of another and a field.
        let varied = match own.is_empty() {
            true => INDEX.varied(number),
            false => SmallVec::new(),
        };
        let all = own.into_iter().chain(varied);
        all.filter(move |at| INDEX.entry(*at).is_on(number))
            .map(|at| self.form(at))
    }

    /// Those of them that can have an instruction with at most so many operands of each kind.
    pub(crate) fn fitting(
        &'static self,
        sm: Sm,
        name: &str,
        possible: Counts,
    ) -> impl Iterator<Item = &'static Form> {
        // One after the other: a template after the one that fits is not read.
        let forms = self.named(sm, name);
        forms.filter(move |form| {
            form.digit_goes_with(possible) && form.body().kinds.go_with(possible)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::index::Entry;
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        let entries = (0..index::COUNT as u16).map(|at| INDEX.entry(at));
        for row in entries.map(Entry::expanded) {
            let pieces = match template::read(row.template, row.variant()) {
                Ok(pieces) => pieces,
                Err(message) => panic!("{:03x}: {message}", row.opcode),
            };
            let overlap = template::mask(&pieces) & (OPCODE | GUARD);
            assert_eq!(
                overlap, 0,
                "{:03x} has a field in opcode or guard",
                row.opcode
            );
        }
    }

    #[test]
    fn forms_of_an_opcode_do_not_overlap() {
        let all: Vec<&Form> = Forms::get().all().collect();
        for pair in all.windows(2) {
            let (a, b) = (&pair[0].row, &pair[1].row);
            assert!(a.opcode != b.opcode || a.last < b.first, "{a:?} {b:?}");
        }
    }

    /// What [`Form::digit_goes_with`] knows without reading templates is what they have.
    #[test]
    fn digits_tell_what_operands_are() {
        fn always_have(pieces: &[Piece], is_it: fn(Kind) -> bool) -> bool {
            pieces.iter().any(|piece| match piece {
                Piece::Atom(atom) => is_it(atom.kind),
                // Constants of halves are numbers in brackets.
                Piece::Text(text) => {
                    is_it(Kind::Constant) && (text.contains("c[") || text.contains("cx["))
                }
                Piece::Choice(_, choices) => choices.each().all(|body| always_have(body, is_it)),
                _ => false,
            })
        }
        let mut seen = 0;
        let mut unlike = std::collections::BTreeSet::new();
        for form in Forms::get().all().filter(|form| !form.row.forms.is_empty()) {
            let is_it: fn(Kind) -> bool = match form.row.opcode >> 8 & 0xe {
                0x6 | 0xa => |kind| matches!(kind, Kind::Constant | Kind::Bindless),
                0xc | 0xe => |kind| matches!(kind, Kind::Uniform | Kind::NextUniform),
                _ => continue,
            };
            seen += 1;
            if !always_have(form.pieces(), is_it) {
                unlike.insert(form.name());
            }
        }
        assert_eq!(unlike.into_iter().collect::<Vec<_>>(), NOT_BY_DIGIT);
        assert!(seen > 100, "{seen}");
    }
}
